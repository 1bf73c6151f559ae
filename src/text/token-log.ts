/**
 * The words of every document in order, as term numbers: what tells side by side from far apart. Reading a document
 * again costs a few dozen comparisons, so only candidates are read.
 */
export interface TokenLog {
  push(token: number): void;
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  /**
   * Whether the words of a phrase stand side by side in each of `documents` from `from` to `to`: 2 as typed, 1 in other
   * forms, 0 not at all, at the same places of `sides`. Many at once, because there are often thousands.
   */
  sideBySide(phrase: Phrase, documents: Int32Array, from: number, to: number, sides: Uint8Array): void;
  byteSize(): number;
}

export interface Phrase {
  length: number;
  /** The place whose words are rarest, and those words: where they do not stand, nothing else need be looked at. */
  anchor: number;
  anchors: readonly number[];
  /** Two numbers a term: bit i of the first is set where the term, as typed, belongs at place i; of the second, in any form. */
  slots: Uint32Array;
}

/** Between two fields: no phrase reaches across. */
export const FIELD_END = -1;
export const MAX_PHRASE = 31;

/** Term numbers plus one, so that 0 is the end of a field; in two bytes each for as long as they fit. */
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
      if (documents === starts.length) {
        const larger = new Int32Array(starts.length * 2);
        larger.set(starts);
        starts = larger;
      }
      starts[documents] = used;
    },
    sideBySide(phrase, documents, from, to, sides) {
      const { anchor, anchors, length } = phrase;
      for (let i = from; i < to; i++) {
        const document = documents[i]!;
        const start = starts[document]! + anchor;
        const end = starts[document + 1]! - (length - 1 - anchor);
        let side = 0;
        for (let a = 0; a < anchors.length && side < 2; a++)
          side = Math.max(side, sideOf(tokens, start, end, anchors[a]! + 1, phrase));
        sides[i] = side;
      }
    },
    byteSize: () => tokens.byteLength + starts.byteLength,
  };
}

/** How a phrase stands around the places of one of its anchors. */
function sideOf(tokens: Tokens, start: number, end: number, wanted: number, phrase: Phrase): number {
  let found = 0;
  for (let at = next(tokens, start, end, wanted); at >= 0; at = next(tokens, at + 1, end, wanted)) {
    const side = sideAt(tokens, at - phrase.anchor, phrase.length, phrase.slots);
    if (side === 2) return 2;
    if (side === 1) found = 1;
  }
  return found;
}

/** Where a token stands next, or -1. Four at a time: this loop is what a phrase waits for. */
function next(tokens: Tokens, from: number, end: number, wanted: number): number {
  let at = from;
  for (const last = end - 3; at < last; at += 4) {
    if (tokens[at] === wanted) return at;
    if (tokens[at + 1] === wanted) return at + 1;
    if (tokens[at + 2] === wanted) return at + 2;
    if (tokens[at + 3] === wanted) return at + 3;
  }
  for (; at < end; at++) if (tokens[at] === wanted) return at;
  return -1;
}

function sideAt(tokens: Tokens, begin: number, length: number, slots: Uint32Array): number {
  let side = 2;
  for (let i = 0; i < length; i++) {
    const term = tokens[begin + i]! - 1;
    if (term === FIELD_END || ((slots[2 * term + 1]! >>> i) & 1) === 0) return 0;
    if (((slots[2 * term]! >>> i) & 1) === 0) side = 1;
  }
  return side;
}
