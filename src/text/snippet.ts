import { foldedWords } from "./analysis.js";
import { fold, isAscii } from "./fold.js";

export interface Snippet {
  /** The field that has the words. */
  field: string;
  /** Verbatim. */
  text: string;
  /** Where the first of the words begins in the field, in UTF-16 units. */
  start: number;
}

const AROUND = 80;
/** Up to this many words are searched one after the other. */
const FEW = 6;
const PLAIN = /^[a-z0-9]+$/;
/** Characters that folding may turn into letters; not typographic dashes, quotes and dots. */
const FOLDS = /[^\0-\x7f\u2010-\u2027]/;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** The text around the first occurrence of one of the words, in the first field that has any; for many texts. */
export function snippetsOf(
  fields: readonly string[],
  words: ReadonlySet<string>,
): (texts: Iterable<string>) => Snippet | null {
  const firstPlace = placeOf(words);
  return (texts) => {
    let i = 0;
    for (const text of texts) {
      const field = fields[i++]!;
      const start = firstPlace(text);
      if (start < 0) continue;
      const from = start <= AROUND ? 0 : afterSpace(text, start - AROUND);
      const to = start + AROUND * 1.5 >= text.length ? text.length : beforeSpace(text, start + AROUND * 1.5);
      return { field, text: text.slice(from, to), start };
    }
    return null;
  };
}

function placeOf(words: ReadonlySet<string>): (text: string) => number {
  if (words.size <= FEW) return (text) => firstMatch(text, words);
  const odd = new Set([...words].filter((word) => !PLAIN.test(word)));
  return (text) => {
    if (!isAscii(text)) return firstMatch(text, words);
    const lower = text.toLowerCase();
    const [plain, other] = [firstOfMany(lower, words), firstAsTyped(lower, odd)];
    return plain < 0 || other < 0 ? Math.max(plain, other) : Math.min(plain, other);
  };
}

function firstMatch(text: string, words: ReadonlySet<string>): number {
  const lower = text.toLowerCase();
  if (lower.length === text.length) {
    const first = firstAsTyped(lower, words);
    if (first >= 0 || !FOLDS.test(text)) return first;
  }
  const folded = fold(text);
  if (![...words].some((word) => folded.includes(word))) return -1;
  for (const match of text.matchAll(WORDS)) {
    const parts = foldedWords(match[0]);
    const at = parts.findIndex((part) => words.has(part));
    if (at < 0) continue;
    // Characters of an unspaced script match anywhere; a word must not match inside a longer one.
    const inside = parts.length > 1 ? match[0].indexOf(parts[at]!) : 0;
    return match.index + Math.max(0, inside);
  }
  return -1;
}

function firstAsTyped(lower: string, words: ReadonlySet<string>): number {
  let first = -1;
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0 && (first < 0 || at < first); at = lower.indexOf(word, at + 1)) {
      if (continuesWord(lower, at - 1) || continuesWord(lower, at + word.length)) continue;
      first = at;
      break;
    }
  }
  return first;
}

/** Offset of the first of the plain words in ASCII text. Scans word by word: with many words, a scan per word is slow. */
function firstOfMany(lower: string, words: ReadonlySet<string>): number {
  let start = -1;
  for (let at = 0; at <= lower.length; at++) {
    if (continuesWord(lower, at)) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      if (words.has(lower.slice(start, at))) return start;
      start = -1;
    }
  }
  return -1;
}

/** Beyond ASCII the character itself decides; in unspaced scripts every place is a beginning. */
function continuesWord(lower: string, at: number): boolean {
  const code = lower.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return code < 0x0e00 && LETTER.test(lower[at]!);
}

function afterSpace(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space < 0 || space > at + 30 ? unpaired(text, at) : space + 1;
}
function beforeSpace(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  return space < at - 30 ? unpaired(text, at) : space;
}
const unpaired = (text: string, at: number) => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at;
};
