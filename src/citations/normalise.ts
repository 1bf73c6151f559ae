import { grown } from "../kernel/collections.js";
import { isUnspaced } from "../kernel/scripts.js";
import { trimEndOf } from "../kernel/trim-end.js";

/**
 * Text for comparison: NFKC, with ligatures, quotation marks, white space and case unified and dashes removed (they are
 * compared separately by `sameDashes`, because a hyphen at a line end may or may not belong to the word).
 */
export interface Normalised {
  text: string;
  /** For each UTF-16 unit of `text`, the offset of its character in the original. */
  starts: Uint32Array;
}

const SPACE = 0x20;
const DASH = 1;
const BLANK = 2;
const GONE = 3;
const LETTER = 4;

const DASHES = /[-\u00ad\u058a\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]/;
const INVISIBLE = /[\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const REPLACED: Record<string, string> = {
  "‘": "'",
  "’": "'",
  "‚": "'",
  "‛": "'",
  "′": "'",
  "`": "'",
  "´": "'",
  ʼ: "'",
  "‹": "'",
  "›": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "‟": '"',
  "″": '"',
  "«": '"',
  "»": '"',
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ς: "σ",
  // Ligatures of fonts that do not name their letters, as viewers copy them.
  "\x1b": "ff",
  "\x1c": "fi",
  "\x1d": "fl",
  "\x1e": "ffi",
  "\x1f": "ffl",
};
/** Punctuation with or without a space before it, depending on printer and text recognition. */
const CLOSING = new Set([...".,;:!?)]}"].map((mark) => mark.charCodeAt(0)));
const CONTINUES = /[\p{M}\u1160-\u11ff]/u;
/** East Asian punctuation and wide forms: spaces next to them are ignored too. */
const WIDE = /[\u3000-\u303f\uff00-\uffef]/;

/** How a UTF-16 unit is compared; computed once per unit. */
const classes = new Uint8Array(0x10000);
/** The single unit that replaces this one; 0 if that depends on its neighbours. */
const plain = new Uint16Array(0x10000);

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  let kind: number;
  if (DASHES.test(character)) kind = DASH;
  else if (/\s/.test(character)) kind = BLANK;
  else if (INVISIBLE.test(character)) kind = GONE;
  else {
    kind = LETTER;
    const surrogate = unit >= 0xd800 && unit < 0xe000;
    const made = surrogate ? "" : replaceUnit(character);
    if (made.length === 1) plain[unit] = made.charCodeAt(0);
  }
  classes[unit] = kind;
  return kind;
}

function replaceUnit(piece: string): string {
  const known = REPLACED[piece];
  if (known !== undefined) return known;
  let made = "";
  // TeX sets an accent over an i without its dot.
  const dotted = piece.replace(/^ı(?=\p{M})/u, "i").replace(/^ȷ(?=\p{M})/u, "j");
  for (const character of dotted.normalize("NFKC")) made += REPLACED[character] ?? character.toLowerCase();
  return made.normalize("NFC").replace(/\s/g, "");
}

/** The end of the character that begins at `position`, combining marks included. */
function characterEnd(text: string, position: number): number {
  let end = position + ((text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);
  while (end < text.length && text.charCodeAt(end) >= 0x300 && CONTINUES.test(text[end]!)) end++;
  return end;
}

/** Whether spaces around this character are ignored. */
export function isSetTight(character: string | undefined): boolean {
  return character !== undefined && character >= "\u0e00" && (isUnspaced(character) || WIDE.test(character));
}

/** Whether the original has a dash before this unit of the normalised text. */
interface DashMark {
  at: number;
  /** A hyphen at a line end, which may be a line break only. */
  lineEnd: boolean;
  /** A hyphen inside a word. */
  inWord: boolean;
}

export function normalise(text: string, marks?: DashMark[]): Normalised {
  let units = new Uint16Array(text.length + 16);
  let starts = new Uint32Array(text.length + 16);
  let length = 0;
  const put = (unit: number, from: number) => {
    if (length === units.length) {
      units = grown(units, units.length * 2);
      starts = grown(starts, starts.length * 2);
    }
    units[length] = unit;
    starts[length++] = from;
  };

  let i = 0;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    const kind = classes[unit] || classify(unit);
    if (kind === LETTER) {
      const simple = plain[unit]!;
      const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
      if (simple !== 0 && (next < 0x300 || !CONTINUES.test(text[i + 1]!))) {
        // Plain text writes a double quotation mark as two single ones.
        if (simple === 0x27 && length > 0 && units[length - 1] === 0x27 && starts[length - 1] === i - 1)
          units[length - 1] = 0x22;
        else put(simple, i);
        i++;
        continue;
      }
      const end = characterEnd(text, i);
      const made = replaceUnit(text.slice(i, end));
      for (let k = 0; k < made.length; k++) put(made.charCodeAt(k), i);
      i = end;
      continue;
    }
    if (kind === GONE) {
      i++;
      continue;
    }
    // A run of spaces and dashes: spaces alone become one space, or none between characters that ignore spaces.
    const from = i;
    let dashes = 0;
    let lastDash = -1;
    let blankAfter = false;
    for (; i < text.length; i++) {
      const at = text.charCodeAt(i);
      const what = classes[at] || classify(at);
      if (what === LETTER) break;
      // After a space a soft hyphen does not break a word: some files keep it in their text, others do not.
      if (at === 0xad && blankAfter && dashes === 0) continue;
      if (what === DASH) {
        dashes++;
        lastDash = at;
        blankAfter = false;
      } else if (what === BLANK) blankAfter = true;
    }
    if (dashes === 0) {
      if (
        length > 0 &&
        i < text.length &&
        !CLOSING.has(text.charCodeAt(i)) &&
        !(units[length - 1]! >= 0x0e00 && isSetTight(text[from - 1]) && isSetTight(text[i]))
      )
        put(SPACE, from);
    } else if (marks && length > 0 && i < text.length) {
      const hyphen = dashes === 1 && (lastDash === 0x2d || lastDash === 0xad || lastDash === 0x2010);
      const attached = hyphen && classes[text.charCodeAt(from)] === DASH;
      const lineEnd = attached && (blankAfter || lastDash === 0xad);
      marks.push({ at: length, lineEnd, inWord: attached });
    }
  }
  const bytes = Buffer.from(units.buffer, 0, length * 2);
  return { text: bytes.toString("utf16le"), starts: starts.subarray(0, length) };
}

/** The original's offsets of `[from, to)` of the normalised text. */
export function originalSpan(original: string, normalised: Normalised, from: number, to: number): [number, number] {
  const start = normalised.starts[from] ?? original.length;
  const last = normalised.starts[to - 1];
  let end = last === undefined ? start : characterEnd(original, last);
  // Two single marks that became one double mark end a unit later.
  if (last !== undefined && normalised.text[to - 1] === '"' && replaceUnit(original[last] ?? "") === "'") end++;
  return [start, end];
}

/**
 * Whether two originals with equal normalised texts also have the same dashes, except
 * that a hyphen at a line end may be missing in the other text.
 */
export function sameDashes(a: string, b: string): boolean {
  const left = dashes(a);
  const right = dashes(b);
  for (const [at, lineEnd] of left) if (!lineEnd && !right.has(at)) return false;
  for (const [at, lineEnd] of right) if (!lineEnd && !left.has(at)) return false;
  return true;
}

function dashes(text: string): Map<number, boolean> {
  const marks: DashMark[] = [];
  normalise(text, marks);
  return new Map(marks.map(({ at, lineEnd }) => [at, lineEnd]));
}

/** Unifies white space and changes nothing else: texts equal after this are identical in words and characters. */
export function collapse(text: string): string {
  return text
    .replace(/[\u200b\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .replace(/ /g, (space, at: number, whole: string) =>
      isSetTight(whole[at - 1]) && isSetTight(whole[at + 1]) ? "" : space,
    )
    .trim();
}

export interface Word {
  /** The word as compared: normalised, punctuation included. */
  key: string;
  start: number;
  end: number;
}

/** The words of a text in order; in scripts without spaces each character is one. A dash separates words, a hyphen does not. */
export function words(text: string): Word[] {
  const marks: DashMark[] = [];
  const normalised = normalise(text, marks);
  const cuts = new Set(marks.filter((mark) => !mark.inWord).map((mark) => mark.at));
  const found: Word[] = [];
  let from = 0;
  const cut = (to: number) => {
    if (to > from) {
      const [start, end] = originalSpan(text, normalised, from, to);
      found.push({ key: normalised.text.slice(from, to), start, end });
    }
  };
  for (let i = 0; i < normalised.text.length; i++) {
    const unit = normalised.text.charCodeAt(i);
    if (unit === SPACE) {
      cut(i);
      from = i + 1;
    } else if (cuts.has(i) || (unit >= 0x0e00 && isSetTight(normalised.text[i]))) {
      cut(i);
      from = i;
    } else if (i > from && isSetTight(normalised.text[i - 1])) {
      cut(i);
      from = i;
    }
  }
  cut(normalised.text.length);
  return found;
}

/** The word without the punctuation around it. */
export function bareKey(key: string): string {
  return trimEndOf(key.replace(/^[^\p{L}\p{N}]+/u, ""), /[^\p{L}\p{N}]/u);
}
