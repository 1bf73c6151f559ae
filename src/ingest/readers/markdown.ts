import { parseHTML } from "linkedom";
import { Lexer, marked, type Token } from "marked";
import { fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { decode } from "../encoding.js";
import { findIsbn } from "../isbn.js";
import { findDoi, languageOf, metaOf, yearOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import { createTextBuilder } from "../text-builder.js";
import { writeDom } from "./dom-text.js";
import { resolve } from "./epub-files.js";
import { noteRoles } from "./html-notes.js";
import { htmlRole } from "./html-roles.js";

/** Parsing time grows with the square of a paragraph's length, so a long one is parsed in pieces of this many characters. */
const MAX_INLINE_CHARS = 4_000;

/** Emphasis or a link across two pieces of a very long paragraph stays as markup. */
class BoundedLexer extends Lexer {
  /** Names of the notes that the file defines. */
  readonly notes = new Set<string>();

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    for (let from = 0; from < source.length; ) {
      const to = pieceEnd(source, from);
      super.inlineTokens(source.slice(from, to), tokens);
      from = to;
    }
    if (this.notes.size > 0) tokens.splice(0, tokens.length, ...tokens.flatMap((token) => this.withMarks(token)));
    return tokens;
  }

  /** A text with the marks of notes as elements of their own. */
  private withMarks(token: Token): Token[] {
    if (token.type !== "text" || !token.raw.includes("[^")) return [token];
    return token.raw.split(/(\[\^[^\]\s<>&]{1,80}\])/).flatMap<Token>((raw): Token[] => {
      const isMark = raw.startsWith("[^") && this.notes.has(raw.slice(2, -1));
      if (isMark)
        return [{ type: "html", raw, text: `<sup role="doc-noteref">${raw}</sup>`, pre: false, block: false }];
      return raw ? [{ type: "text", raw, text: raw, escaped: false }] : [];
    });
  }
}

/** After a line break or space, if the second half of the piece has one. */
function pieceEnd(source: string, from: number): number {
  const end = from + MAX_INLINE_CHARS;
  if (end >= source.length) return source.length;
  const [line, space] = [source.lastIndexOf("\n", end - 1), source.lastIndexOf(" ", end - 1)];
  const cut = [line, space].find((at) => at > from + MAX_INLINE_CHARS / 2);
  return cut === undefined ? end : cut + 1;
}

export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  const { text, warnings } = decode(bytes);
  return { ...readMarkdown(text, options), warnings };
}

/** Markdown as rendered text: without markup; code and tables keep their lines. */
export function readMarkdown(source: string, options: ReadOptions): ReadDocument {
  const { fields, body } = frontMatter(source);
  const lexer = new BoundedLexer({ ...marked.defaults, gfm: true });
  const html = marked.parser(lexer.lex(withNotes(body, lexer.notes)));
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const builder = createTextBuilder();
  const noteRole = noteRoles(document.body, { path: "", addressOf: (href) => resolve("", href).target });
  writeDom(document.body, builder, { roleOf: (element) => noteRole(element) ?? htmlRole(element) });
  const built = builder.finish();
  if (!built.text.trim()) throw unreadable("no_text", "The file holds no text.");
  const meta = metaOf({
    title: fields.title,
    authors: splitAuthors(fields.author ?? fields.authors),
    year: yearOf(fields.date ?? fields.year),
    doi: findDoi(fields.doi ?? ""),
    isbn: findIsbn(`ISBN ${fields.isbn ?? ""}`),
  });
  const title =
    meta.title ?? built.headings.find(({ level }) => level === 1)?.title ?? fileStem(options.path) ?? "Untitled";
  return {
    ...built,
    title,
    kind: "markdown",
    meta,
    language: languageOf(built.text, fields.lang ?? fields.language),
    warnings: [],
  };
}

/** Notes (`[^1]: text`, with its indented lines) as elements; their names are added to `names`. */
function withNotes(source: string, names: Set<string>): string {
  if (!source.includes("[^")) return source;
  const lines: string[] = [];
  let inFence = false;
  let inNote = false;
  const endNote = () => {
    if (inNote) lines.push("", "</aside>", "");
    inNote = false;
  };
  for (const line of source.split("\n")) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) inFence = !inFence;
    const [, name, text] = inFence ? [] : (/^ {0,3}\[\^([^\]\s<>&]{1,80})\]:[ \t]*(\S.*)?$/.exec(line.trimEnd()) ?? []);
    if (name) {
      endNote();
      inNote = true;
      names.add(name);
      lines.push("", '<aside role="doc-footnote">', "", `${name} ${text ?? ""}`);
    } else if (inNote && /^(?: {2,}|\t)/.test(line)) lines.push(line.replace(/^(?: {1,4}|\t)/, ""));
    else {
      // After an empty line a note goes on only with indented ones.
      if (inNote && line.trim() && lines.at(-1)?.trim() === "") endNote();
      lines.push(line);
    }
  }
  endNote();
  return lines.join("\n");
}

/** Front matter: `key: value` lines between `---` marks at the top; other YAML is ignored. */
function frontMatter(source: string): { fields: Record<string, string | undefined>; body: string } {
  const found = /^\ufeff?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\s*(?:\r?\n|$)/.exec(source);
  if (!found) return { fields: {}, body: source };
  const fields: Record<string, string | undefined> = {};
  for (const [, key, value] of found[1]!.matchAll(/^([A-Za-z][\w-]*):(.+)$/gm))
    if (value!.trim()) fields[key!.toLowerCase()] = value!.trim().replace(/^(["'[])(.*)["'\]]$/, "$2");
  return { fields, body: source.slice(found[0].length) };
}
