/** An entry of a BibTeX file. Field values have abbreviations expanded and TeX commands still in them. */
export interface RawEntry {
  type: string;
  key: string;
  fields: Map<string, string>;
}

interface BibtexFile {
  entries: RawEntry[];
  /** Syntax errors, as messages for the owner. */
  problems: string[];
}

type Close = "}" | ")";

// Abbreviations that every BibTeX processor defines.
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const BLOCK = /@[ \t]*([A-Za-z][\w-]*)\s*([{(])/y;
const KEY = { "}": /[^\s,{}=]+/y, ")": /[^\s,{}()=]+/y };
const FIELD = /([^\s={},"#()@]+)\s*=\s*/y;
/** A line inside a value that looks like the start of an entry: the value was never closed. */
const RUNAWAY = /@[A-Za-z]+[ \t]*[{(][^\s,{}()"]*[ \t]*,/y;

/**
 * Reads a file entry by entry. An entry that is not closed, or lacks a `=`, keeps the fields before that
 * place; reading continues at the next line that looks like the start of an entry.
 */
export function readBibtexFile(text: string): BibtexFile {
  const entries: RawEntry[] = [];
  const problems: string[] = [];
  const strings = new Map(MONTHS.map((name, i) => [name, String(i + 1).padStart(2, "0")]));
  const lineAt = lineCounter(text);
  let at = 0;

  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const skipSpace = () => {
    while (at < text.length && /[\s\ufeff]/.test(text[at]!)) at++;
  };

  for (;;) {
    at = text.indexOf("@", at);
    if (at === -1) break;
    const start = at;
    const block = matchAt(BLOCK);
    if (!block) {
      at = start + 1;
      continue;
    }
    const type = block[1]!.toLowerCase();
    const close: Close = block[2] === "{" ? "}" : ")";
    if (type === "comment" || type === "preamble") skipBlock(close);
    else if (type === "string") readString(close);
    else readEntry(type, close, start);
  }
  return { entries, problems };

  function readString(close: string) {
    skipSpace();
    const field = matchAt(FIELD);
    const value = field ? readValue() : undefined;
    if (field && value !== undefined) strings.set(field[1]!.toLowerCase(), value);
    skipSpace();
    if (text[at] === close) at++;
  }

  function readEntry(type: string, close: Close, start: number) {
    skipSpace();
    const from = at;
    let key = matchAt(KEY[close])?.[0] ?? "";
    skipSpace();
    if (text[at] === "=") [key, at] = ["", from]; // no key
    const entry: RawEntry = { type, key, fields: new Map() };
    const broken = readFields(entry, close);
    if (broken) {
      const name = key ? `'${key}'` : `in line ${lineAt(start)}`;
      const kept = entry.fields.size > 0 ? "only what stands before that place is used" : "it is skipped";
      problems.push(`the entry ${name} is broken (line ${lineAt(Math.min(at, text.length - 1))}: ${broken}): ${kept}`);
    }
    if (!broken || entry.fields.size > 0) entries.push(entry);
  }

  /** Why the entry ends too early, if it does. */
  function readFields({ fields }: RawEntry, close: string): string | undefined {
    for (;;) {
      while (at < text.length && /[\s,]/.test(text[at]!)) at++;
      if (at >= text.length) return "it is not closed";
      if (text[at] === close) {
        at++;
        return undefined;
      }
      const field = matchAt(FIELD);
      if (!field) return text[at] === "@" ? "it is not closed" : "no 'name = value' here";
      const value = readValue();
      if (value === undefined) return `the value of '${field[1]}' is not closed`;
      // The first of two fields with one name wins, as in BibTeX.
      const name = field[1]!.toLowerCase();
      if (!fields.has(name)) fields.set(name, value);
    }
  }

  /** Pieces joined by `#`; undefined where one is not closed. */
  function readValue(): string | undefined {
    let value = "";
    for (;;) {
      skipSpace();
      const piece = readPiece();
      if (piece === undefined) return undefined;
      value += piece;
      skipSpace();
      if (text[at] !== "#") return value;
      at++;
    }
  }

  function readPiece(): string | undefined {
    const open = text[at];
    if (open === "{" || open === '"') {
      at++;
      return readUntil(open === "{" ? "}" : '"');
    }
    const from = at;
    while (at < text.length && !/[\s,#{}()"]/.test(text[at]!)) at++;
    const word = text.slice(from, at);
    if (!word) return undefined;
    return /^\d+$/.test(word) ? word : (strings.get(word.toLowerCase()) ?? word);
  }

  /** Finds the mark that closes the value. Escaped braces count too, as in BibTeX. */
  function readUntil(close: string): string | undefined {
    const from = at;
    let depth = 0;
    for (; at < text.length; at++) {
      const char = text[at];
      if (char === close && depth === 0) return text.slice(from, at++);
      if (char === "{") depth++;
      else if (char === "}") depth--;
      else if (char === "@" && isLineStart(at) && isRunaway()) return undefined;
      if (depth < 0) return undefined;
    }
    return undefined;
  }

  function skipBlock(close: string) {
    const from = at;
    if (readUntil(close) === undefined) {
      const end = text.indexOf("\n", from);
      at = end === -1 ? text.length : Math.max(end, Math.min(at, text.length));
    }
  }

  function isLineStart(index: number): boolean {
    let before = index - 1;
    while (before >= 0 && (text[before] === " " || text[before] === "\t")) before--;
    return before < 0 || text[before] === "\n" || text[before] === "\r";
  }

  function isRunaway(): boolean {
    RUNAWAY.lastIndex = at;
    return RUNAWAY.test(text);
  }
}

/** Line numbers of increasing positions; the text is scanned once. */
function lineCounter(text: string) {
  let line = 1;
  let counted = 0;
  return (position: number) => {
    if (position < counted) [line, counted] = [1, 0];
    for (; counted < position; counted++) if (text[counted] === "\n") line++;
    return line;
  };
}
