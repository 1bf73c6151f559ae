import { grown } from "../kernel/collections.js";
import { AGAIN } from "./postings.js";

/**
 * The words of every document in order, as term numbers: it distinguishes a phrase from the same words far apart. Only
 * candidates are read again.
 */
export interface TokenLog {
  push(token: number): void;
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  /**
   * Whether a document with the phrase's anchor at `spot` (below 0: nowhere) contains the phrase: 2 as typed, 1 in other
   * forms, 0 not at all.
   */
  sideBySide(phrase: Phrase, document: number, spot: number): number;
  byteSize(): number;
}

export interface Phrase {
  length: number;
  /** The term that was typed at each place; less than -1 if the library does not have it. */
  terms: Int32Array;
  /** Only the typed terms match. */
  isTyped: boolean;
  /** The place with the rarest words, and those words: without them nothing else need be checked. */
  anchor: number;
  anchors: Int32Array;
  /** One number per term: bit i is set if the term matches at place i, in any form. */
  slots: Uint32Array;
}

/** Separates two fields: no phrase crosses it. */
export const FIELD_END = -1;
export const MAX_PHRASE = 31;

/** Term numbers plus one, so that 0 is the end of a field; two bytes each while they fit. */
type Tokens = Uint16Array | Int32Array;
const WIDEST_SHORT = 65_535;

export function createTokenLog(): TokenLog {
  let tokens: Tokens = new Uint16Array(1 << 14);
  let used = 0;
  let starts = new Int32Array(1024);
  let documents = 0;

  return {
    push(token) {
      const isWide = tokens instanceof Int32Array || token >= WIDEST_SHORT;
      if (used === tokens.length || isWide !== tokens instanceof Int32Array) {
        const length = Math.ceil(used * 1.2) + 1024;
        const larger = isWide ? new Int32Array(length) : new Uint16Array(length);
        larger.set(tokens.subarray(0, used));
        tokens = larger;
      }
      tokens[used++] = token + 1;
    },
    endDocument() {
      documents++;
      if (documents === starts.length) starts = grown(starts, starts.length * 2);
      starts[documents] = used;
    },
    sideBySide(phrase, document, spot) {
      if (spot < 0) return 0;
      const start = starts[document]!;
      const at = start + (spot >> 1);
      const end = starts[document + 1]! - (phrase.length - 1 - phrase.anchor);
      const first = at >= start + phrase.anchor && at < end ? sideAt(tokens, at, phrase) : 0;
      if (first === 2 || (spot & AGAIN) === 0) return first;
      return Math.max(first, sideAfter(tokens, Math.max(start + phrase.anchor, at + 1), end, phrase));
    },
    byteSize: () => tokens.byteLength + starts.byteLength,
  };
}

/** Checks the phrase at all later positions of its anchors. */
function sideAfter(tokens: Tokens, from: number, end: number, phrase: Phrase): number {
  const { anchors } = phrase;
  let found = 0;
  for (let a = 0; a < anchors.length; a++) {
    const wanted = anchors[a]! + 1;
    for (let at = next(tokens, from, end, wanted); at >= 0; at = next(tokens, at + 1, end, wanted)) {
      const side = sideAt(tokens, at, phrase);
      if (side === 2) return 2;
      if (side === 1) found = 1;
    }
  }
  return found;
}

/** The next position of a token, or -1. */
function next(tokens: Tokens, from: number, end: number, wanted: number): number {
  for (let at = from; at < end; at++) if (tokens[at] === wanted) return at;
  return -1;
}

/** Checks the phrase at one position of its anchor. */
function sideAt(tokens: Tokens, at: number, { anchor, length, slots, terms, isTyped }: Phrase): number {
  const begin = at - anchor;
  let i = 0;
  while (i < length && tokens[begin + i] === terms[i]! + 1) i++;
  if (i === length) return 2;
  if (isTyped) return 0;
  for (; i < length; i++) {
    const term = tokens[begin + i]! - 1;
    if (term === FIELD_END || ((slots[term]! >>> i) & 1) === 0) return 0;
  }
  return 1;
}
