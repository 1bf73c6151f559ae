import type { HeadingMark, PageMark, TextEdit } from "../shelves/chunks/chunk-store.js";
import { type Block, MAX_TEXT_CHARS, unreadable } from "./document.js";

// Characters that printed text does not show (soft hyphen, zero-width, joiners, byte order mark), presentation
// ligatures, unusual spaces and line separators, control characters, and letters before a combining accent.
const UNUSUAL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00a0\u00ad\u1680\u2000-\u200f\u2028\u2029\u202a-\u202f\u205f-\u2064\u3000\ud800-\udfff\ufb00-\ufb06\ufeff]|\p{M}/u;
const UNEVEN_SPACES = /[\t\n\r\f]|^ | $| {2}/;
const PIECE = /\P{M}\p{M}+|[\s\S]/gu;
const INVISIBLE = /^[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]$/;
const LIGATURES: Record<string, string> = {
  "\ufb00": "ff",
  "\ufb01": "fi",
  "\ufb02": "fl",
  "\ufb03": "ffi",
  "\ufb04": "ffl",
  "\ufb05": "st",
  "\ufb06": "st",
};

// Chinese and Japanese have no spaces: a line end between two of their characters is not a space.
const EAST_ASIAN_LINE_END =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uffef])[ \t]?[\r\n]+[ \t]*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\uff00-\uffef])/gu;

// Where several separators are pending, the strongest is written.
const GAPS = ["", " ", "\t", "\n"];

export interface BuiltText {
  text: string;
  blocks: Block[];
  headings: HeadingMark[];
  pages: PageMark[];
  edits: TextEdit[];
}

/**
 * Collects a document's text block by block, normalises each character once and records the original wherever the
 * length changes. Blocks are separated by an empty line, so offsets never change afterwards.
 */
export function createTextBuilder() {
  const parts: string[] = [];
  let length = 0;
  let last = "";
  let gap = ""; // white space owed before the next character of this block
  let open: Block | undefined;
  const blocks: Block[] = [];
  const headings: HeadingMark[] = [];
  const marks: Omit<HeadingMark, "start">[] = []; // wait for the next character
  const edits: TextEdit[] = [];
  const pageStarts: Omit<PageMark, "end">[] = [];

  function push(text: string) {
    parts.push(text);
    length += text.length;
    last = text.at(-1) ?? last;
    if (length > MAX_TEXT_CHARS)
      throw unreadable("too_large", `The file holds more than ${MAX_TEXT_CHARS} characters of text. Split it.`);
  }

  function settleGap() {
    if (!open) open = { kind: "paragraph", start: length, end: length };
    if (open.end === open.start) {
      if (length > 0) push("\n\n");
      open.start = length;
    } else if (gap) push(gap);
    gap = "";
  }

  function put(text: string) {
    if (!text) return;
    settleGap();
    for (const mark of marks.splice(0)) headings.push({ ...mark, start: length });
    push(text);
    open!.end = length;
  }

  function note(original: string, replacement: string) {
    if (replacement) settleGap();
    if (original.length !== replacement.length && original.trim())
      edits.push({ at: length, length: replacement.length, original });
    put(replacement);
  }

  const api = {
    get length() {
      return length;
    },
    /** The last character written. */
    get last() {
      return last;
    },
    get openBlock() {
      return open;
    },
    /** Ends the block before it; an empty one leaves no trace. */
    begin(kind: Block["kind"]) {
      api.end();
      open = { kind, start: length, end: length };
    },
    end() {
      if (open && last === " " && open.end > open.start + 1) open.end--;
      if (open && open.end > open.start) blocks.push(open);
      open = undefined;
      gap = "";
    },
    /** Adds a space or line break before the next text of this block. */
    space(kind: " " | "\n" | "\t" = " ") {
      if (open?.kind === "table" && last === "\t" && kind !== "\n") return;
      if (open && open.end > open.start && GAPS.indexOf(kind) > GAPS.indexOf(gap)) gap = kind;
    },
    /** Goes to a later cell of the row; none of its white space touches the tab. */
    tab(cells = 1) {
      if (cells < 1) return;
      gap = gap === "\n" ? gap : "";
      put("\t".repeat(cells));
    },
    /** Adds running text: any white space becomes one space. */
    write(raw: string) {
      // Nearly every line of a PDF is like this.
      if (!UNUSUAL.test(raw) && !UNEVEN_SPACES.test(raw)) return put(raw);
      const pieces = raw.replace(EAST_ASIAN_LINE_END, "").split(/[ \t\n\r\f]+/);
      pieces.forEach((piece, i) => {
        if (i > 0) api.space();
        api.verbatim(piece);
      });
    },
    /** Adds text whose white space is significant. */
    verbatim(raw: string) {
      if (!UNUSUAL.test(raw)) return put(raw);
      let plain = "";
      for (const [piece] of raw.matchAll(PIECE)) {
        const replacement = normalised(piece);
        if (replacement.length === piece.length) {
          plain += replacement;
          continue;
        }
        put(plain);
        plain = "";
        note(piece, replacement);
      }
      put(plain);
    },
    /** Records something the file shows here but the text omits: a running head, a hyphen at a line end, a note mark. */
    removed(original: string) {
      if (original) edits.push({ at: length, length: 0, original });
    },
    /** Removes the hyphen written last: the word continues in the next text. */
    dropHyphen() {
      const part = parts.at(-1);
      if (!part || !open) return;
      if (/[-\u2010]$/.test(part)) {
        parts[parts.length - 1] = part.slice(0, -1);
        length--;
        open.end = length;
        last = parts[parts.length - 1]!.at(-1) ?? "";
        for (const page of pageStarts) if (page.start > length) page.start = length;
        edits.push({ at: length, length: 0, original: `${part.at(-1)}\n` });
      }
    },
    heading(level: number, write: () => void, title?: string) {
      api.begin("heading");
      write();
      const block = open;
      api.end();
      if (block && block.end > block.start)
        headings.push({
          level,
          title: title ?? api.slice(block.start, block.end).replace(/\s+/g, " "),
          start: block.start,
        });
    },
    /** Adds a heading that the text does not contain, such as a bookmark, before the next text. */
    mark(level: number, title: string) {
      marks.push({ level, title });
    },
    page(number: number, label: string | null, inferred = false) {
      pageStarts.push({ number, label, start: length, ...(inferred ? { inferred } : {}) });
    },
    slice(start: number, end: number): string {
      // Headings and marks ask about what was just written: the tail is enough.
      let from = length;
      let first = parts.length;
      while (first > 0 && from > start) from -= parts[--first]!.length;
      return parts
        .slice(first)
        .join("")
        .slice(start - from, end - from);
    },
    finish(): BuiltText {
      api.end();
      const pages = pageStarts.map((page, i) => ({ ...page, end: pageStarts[i + 1]?.start ?? length }));
      return { text: parts.join(""), blocks, headings, pages, edits };
    },
  };
  return api;
}

export type TextBuilder = ReturnType<typeof createTextBuilder>;

/** Normalises a title or name like the text: no ligatures, no invisible characters, single spaces. */
export function plainText(raw: string): string {
  return [...raw.matchAll(PIECE)]
    .map(([piece]) => normalised(piece))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function normalised(piece: string): string {
  if (piece.length === 1) {
    if (INVISIBLE.test(piece)) return "";
    const ligature = LIGATURES[piece];
    if (ligature) return ligature;
    if (/[\u2028\u2029\u000b\u000c\r]/.test(piece)) return "\n";
    if (/\s/.test(piece) && piece !== "\n" && piece !== "\t") return " ";
    const unit = piece.charCodeAt(0);
    return unit >= 0xd800 && unit <= 0xdfff ? "\ufffd" : piece;
  }
  return piece.normalize("NFC");
}
