import { partsOf } from "../../text/parts-of.js";
import { TEX_ACCENTS, TEX_LETTERS } from "../tex-letters.js";
import { createViewBuilder, type DraftView, type MarkedCitation } from "./view.js";

const QUOTING = /^(?:quote|quotation|displayquote|displaycquote|blockquote|verse)\*?$/;
const LEFT_OUT = /^(?:verbatim|lstlisting|minted|equation|align|figure|table|tabular|comment)\*?$/;
const HEADINGS = new Set(["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "title"]);
const ARGUMENT_DROPPED = new Set(
  "label ref pageref url bibliography bibliographystyle addbibresource usepackage documentclass includegraphics input include vspace hspace".split(
    " ",
  ),
);
/** Commands about citations that cite nothing themselves: lists of works, styles, and what defines other commands. */
const SETS_UP = /^nocite|^newcites$|^setcite|^Declare|citestyle$|reset/;
const LETTERS: Record<string, string> = {
  ...TEX_LETTERS,
  ldots: "…",
  dots: "…",
  textellipsis: "…",
  textendash: "–",
  textemdash: "—",
  textquoteleft: "‘",
  textquoteright: "’",
  textquotedblleft: "“",
  textquotedblright: "”",
  quotedblbase: "„",
  glqq: "„",
  grqq: "“",
  guillemotleft: "«",
  guillemotright: "»",
  flqq: "«",
  frqq: "»",
  og: "«",
  fg: "»",
};
const MAX_ARGUMENT = 5000;

/** Reads LaTeX: drops commands but keeps their text, turns quotations into typographic marks, collects citations. */
export function latexView(draft: string): DraftView {
  const view = createViewBuilder(draft.length);
  const cited: MarkedCitation[] = [];
  const listed: DraftView["listed"] = [];
  /** What each open brace writes when it closes; citations of a quotation follow it. */
  const closers: ({ text: string; cites?: number[] } | undefined)[] = [];
  let isMath = false;
  let quoting = 0;
  let at = Math.max(0, draft.indexOf("\\begin{document}"));

  const begin = () => view.block(quoting > 0 ? "quote" : "text");
  const put = (text: string, from: number, step: 0 | 1 = 0) => {
    if (text.trim()) begin();
    else if (!view.isOpen()) return;
    view.put(text, from, step);
  };

  while (at < draft.length) {
    const sign = draft[at]!;
    if (sign === "%") {
      const end = draft.indexOf("\n", at);
      at = end < 0 ? draft.length : end + 1;
    } else if (sign === "\\") at = command(at);
    else if (sign === "{") {
      closers.push(undefined);
      at++;
    } else if (sign === "}") {
      const closing = closers.pop();
      if (closing?.text === "") view.endBlock(at);
      else if (closing) put(closing.text, at);
      for (const cite of closing?.cites ?? []) command(cite);
      at++;
    } else if (sign === "$") {
      isMath = !isMath;
      at++;
    } else if (isMath && (sign === "^" || sign === "_")) {
      at++;
    } else if (sign === "~") {
      put(" ", at++);
    } else if (sign === "`" || sign === "'") {
      const double = draft[at + 1] === sign;
      put(sign === "`" ? (double ? "“" : "‘") : double ? "”" : "’", at);
      at += double ? 2 : 1;
    } else if (sign === "-" && draft[at + 1] === "-") {
      const three = draft[at + 2] === "-";
      put(three ? "—" : "–", at);
      at += three ? 3 : 2;
    } else if (sign === "\n" && /^\n[ \t]*\r?\n/.test(draft.slice(at, at + 200))) {
      view.endBlock(at);
      // No formula goes on over an empty line: a lone $ is a price.
      isMath = false;
      at++;
    } else {
      let end = at + 1;
      while (end < draft.length && !/[%\\{}~`'\n$^_-]/.test(draft[end]!)) end++;
      put(draft.slice(at, end), at, 1);
      at = end;
    }
  }
  return { format: "latex", ...view.finish(), notes: [], cited, listed };

  function command(from: number): number {
    const name = /^[a-zA-Z]+\*?/.exec(draft.slice(from + 1, from + 40))?.[0];
    if (name === undefined) return symbol(from);
    const bare = name.replace("*", "");
    let next = from + 1 + name.length;
    if (bare === "begin" || bare === "end") return environment(bare, from, next);
    if (/cquote$/.test(bare)) return citedQuote(bare, from, next);
    if (/cite/i.test(bare) && !SETS_UP.test(bare)) return citation(from, next);
    if (bare === "bibitem") {
      next = skipOptions(next);
      const key = argument(next);
      if (key) {
        listed.push({ key: key.text.trim(), at: from });
        view.endBlock(from);
        return key.end;
      }
    }
    if (ARGUMENT_DROPPED.has(bare) || SETS_UP.test(bare)) {
      next = skipOptions(next);
      return argument(next)?.end ?? next;
    }
    if (HEADINGS.has(bare)) {
      next = skipOptions(next);
      if (draft[next] !== "{") return next;
      view.endBlock(from);
      view.block("heading");
      closers.push({ text: "" });
      return next + 1;
    }
    if (/^(?:enquote|textquote|blockquote|foreignquote|hyphenquote)$/.test(bare)) {
      const options = next;
      next = skipOptions(next);
      if (draft[next] !== "{") return next;
      put(name.endsWith("*") ? "‘" : "“", from);
      closers.push({ text: name.endsWith("*") ? "’" : "”", cites: citesIn(options, next) });
      return next + 1;
    }
    const letter = LETTERS[bare];
    if (letter) put(letter, from);
    else if (TEX_ACCENTS[bare] && draft[next] === "{") {
      const letters = argument(next);
      if (letters && letters.text.length <= 2) {
        put(`${letters.text}${TEX_ACCENTS[bare]}`.normalize("NFC"), from);
        return letters.end;
      }
    } else if (bare === "footnote" || bare === "footnotetext") {
      put(" ", from);
      next = skipOptions(next);
    } else if (bare === "item" || bare === "par") view.endBlock(from);
    // The space after a command ends it and is not printed.
    return draft.startsWith("{}", next) ? next + 2 : letter && draft[next] === " " ? next + 1 : next;
  }

  function symbol(from: number): number {
    const sign = draft[from + 1] ?? "";
    if (sign === "\\") {
      put("\n", from);
      return from + 2;
    }
    const accent = TEX_ACCENTS[sign];
    if (accent) {
      const braced = /^\{\\?([a-zA-Z])\}/.exec(draft.slice(from + 2, from + 7));
      const letter = braced?.[1] ?? /^\\?([a-zA-Z])/.exec(draft.slice(from + 2, from + 4))?.[1];
      if (letter) {
        put(`${letter}${accent}`.normalize("NFC"), from);
        return from + 2 + (braced ? braced[0].length : draft[from + 2] === "\\" ? 2 : 1);
      }
    }
    put(sign === "," || sign === " " || sign === ";" ? " " : sign === "-" || sign === "/" ? "" : sign, from);
    return from + 2;
  }

  function environment(which: string, from: number, next: number): number {
    const name = argument(next);
    if (!name) return next;
    if (which === "begin" && LEFT_OUT.test(name.text)) {
      const end = draft.indexOf(`\\end{${name.text}}`, name.end);
      view.endBlock(from);
      return end < 0 ? draft.length : end + name.text.length + 6;
    }
    view.endBlock(from);
    if (!QUOTING.test(name.text)) return name.end;
    quoting = Math.max(0, quoting + (which === "begin" ? 1 : -1));
    return which === "begin" && name.text.startsWith("displaycquote") ? citation(from, name.end) : name.end;
  }

  /** Marks a place where works are cited. */
  function cite(keys: string, locator: string, from: number) {
    const start = view.length;
    view.put("\u2060", from, 0);
    cited.push({ start, end: start + 1, keys: partsOf(keys, ","), locator });
  }

  /** `\cite[see][p. 3]{a,b}`; of `\cites(..)[p. 3]{a}[p. 4]{b}` each pair. */
  function citation(from: number, next: number): number {
    let at = next;
    for (;;) {
      const options: string[] = [];
      let start = at;
      while (draft[start] === "[" || draft[start] === "(") {
        const close = draft.indexOf(draft[start] === "[" ? "]" : ")", start);
        if (close < 0 || close - start > MAX_ARGUMENT) break;
        if (draft[start] === "[") options.push(draft.slice(start + 1, close));
        start = close + 1;
      }
      const keys = argument(start);
      if (!keys) return at;
      const locator = options.at(-1) ?? "";
      begin();
      cite(
        keys.text,
        locator
          .replaceAll("~", " ")
          .replaceAll("--", "–")
          .replace(/\\[a-zA-Z]+\s*/g, ""),
        from,
      );
      at = keys.end;
      if (draft[at] !== "[" && draft[at] !== "{") return at;
    }
  }

  /** `\textcquote[see][p. 3]{key}{words}` is a quotation with its citation. */
  function citedQuote(name: string, from: number, next: number): number {
    const options = /^(?:\[[^\]]{0,200}\]){0,2}/.exec(draft.slice(next, next + 420))![0];
    const keys = argument(next + options.length);
    if (!keys) return next;
    const words = argument(skipOptions(keys.end));
    if (!words) return keys.end;
    const inner = latexView(words.text);
    if (/block/.test(name)) view.endBlock(from);
    put("“", from);
    const shift = words.end - words.text.length - 1;
    for (let i = 0; i < inner.text.length; i++) put(inner.text[i]!.replace("\n", " "), shift + inner.at[i]!);
    put("”", words.end - 1);
    cite(keys.text, options.slice(options.lastIndexOf("[") + 1, -1), from);
    return words.end;
  }

  /** Where citing commands begin in the options of a quotation: `\\textquote[{\\cite[3]{key}}]{words}`. */
  function citesIn(from: number, to: number): number[] {
    return [...draft.slice(from, to).matchAll(/\\([a-zA-Z]*cite[a-zA-Z]*)/g)]
      .filter(([, name]) => !SETS_UP.test(name!))
      .map(({ index }) => from + index);
  }

  function skipOptions(from: number): number {
    let at = from;
    while (draft[at] === "[") {
      const close = closing(at, "]");
      if (close === undefined) break;
      at = close + 1;
    }
    return at;
  }

  /** The sign that closes what opens here, up to a few pages on; those between other braces belong to other commands. */
  function closing(from: number, sign: "]" | "}"): number | undefined {
    let depth = 0;
    const limit = Math.min(draft.length, from + MAX_ARGUMENT);
    for (let i = from + 1; i < limit; i++) {
      if (draft[i] === "\\") i++;
      else if (draft[i] === sign && depth === 0) return i;
      else if (draft[i] === "{") depth++;
      else if (draft[i] === "}") depth--;
    }
    return undefined;
  }

  /** The text between the braces that begin here. */
  function argument(from: number): { text: string; end: number } | undefined {
    const end = draft[from] === "{" ? closing(from, "}") : undefined;
    return end === undefined ? undefined : { text: draft.slice(from + 1, end), end: end + 1 };
  }
}
