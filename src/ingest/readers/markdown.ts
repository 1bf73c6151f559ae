import { parseHTML } from "linkedom";
import { Lexer, marked, type Token } from "marked";
import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { decode } from "../encoding.js";
import { findDoi, findIsbn, languageOf, yearOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import { createTextBuilder } from "../text-builder.js";
import { writeDom } from "./dom-text.js";
import { htmlRole } from "./html-roles.js";

/** Parsing time grows with the square of a paragraph's length, so a long one is parsed in pieces of this many characters. */
const MAX_INLINE_CHARS = 4_000;

/** Emphasis or a link across two pieces of a very long paragraph stays as markup. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    for (let from = 0; from < source.length; ) {
      const to = pieceEnd(source, from);
      super.inlineTokens(source.slice(from, to), tokens);
      from = to;
    }
    return tokens;
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
  const html = marked.parser(new BoundedLexer({ ...marked.defaults, gfm: true }).lex(body));
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const builder = createTextBuilder();
  writeDom(document.body, builder, { roleOf: htmlRole });
  const built = builder.finish();
  if (!built.text.trim()) throw unreadable("no_text", "The file holds no text.");
  const meta: DocumentMeta = {};
  if (fields.title) meta.title = fields.title;
  const authors = splitAuthors(fields.author ?? fields.authors);
  if (authors.length) meta.authors = authors;
  const year = yearOf(fields.date ?? fields.year);
  if (year) meta.year = year;
  const doi = findDoi(fields.doi ?? "");
  if (doi) meta.doi = doi;
  const isbn = findIsbn(`ISBN ${fields.isbn ?? ""}`);
  if (isbn) meta.isbn = isbn;
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

/** Front matter: `key: value` lines between `---` marks at the top; other YAML is ignored. */
function frontMatter(source: string): { fields: Record<string, string | undefined>; body: string } {
  const found = /^\ufeff?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\s*(?:\r?\n|$)/.exec(source);
  if (!found) return { fields: {}, body: source };
  const fields: Record<string, string | undefined> = {};
  for (const [, key, value] of found[1]!.matchAll(/^([A-Za-z][\w-]*):(.+)$/gm))
    if (value!.trim()) fields[key!.toLowerCase()] = value!.trim().replace(/^(["'[])(.*)["'\]]$/, "$2");
  return { fields, body: source.slice(found[0].length) };
}
