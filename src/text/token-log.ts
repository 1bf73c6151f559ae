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

/** Between two fields: no phrase reaches across. No term has this number. */
export const FIELD_END = -1;
export const MAX_PHRASE = 31;

export function createTokenLog(): TokenLog {
  let tokens = new Int32Array(1 << 14);
  let used = 0;
  let starts = new Uint32Array(1024);
  let documents = 0;

  return {
    push(token) {
      if (used === tokens.length) {
        const larger = new Int32Array(Math.ceil(tokens.length * 1.3));
        larger.set(tokens);
        tokens = larger;
      }
      tokens[used++] = token;
    },
    endDocument() {
      documents++;
      if (documents === starts.length) {
        const larger = new Uint32Array(starts.length * 2);
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
          side = Math.max(side, sideOf(tokens, start, end, anchors[a]!, phrase));
        sides[i] = side;
      }
    },
    byteSize: () => tokens.byteLength + starts.byteLength,
  };
}

/** How a phrase stands around the places of one of its anchors. */
function sideOf(tokens: Int32Array, start: number, end: number, term: number, phrase: Phrase): number {
  let found = 0;
  for (let at = next(tokens, start, end, term); at >= 0; at = next(tokens, at + 1, end, term)) {
    const side = sideAt(tokens, at - phrase.anchor, phrase.length, phrase.slots);
    if (side === 2) return 2;
    if (side === 1) found = 1;
  }
  return found;
}

/** Where a term stands next, or -1. Four at a time: this loop is what a phrase waits for. */
function next(tokens: Int32Array, from: number, end: number, term: number): number {
  let at = from;
  for (const last = end - 3; at < last; at += 4) {
    if (tokens[at] === term) return at;
    if (tokens[at + 1] === term) return at + 1;
    if (tokens[at + 2] === term) return at + 2;
    if (tokens[at + 3] === term) return at + 3;
  }
  for (; at < end; at++) if (tokens[at] === term) return at;
  return -1;
}

function sideAt(tokens: Int32Array, begin: number, length: number, slots: Uint32Array): number {
  let side = 2;
  for (let i = 0; i < length; i++) {
    const token = tokens[begin + i]!;
    if (token === FIELD_END || ((slots[2 * token + 1]! >>> i) & 1) === 0) return 0;
    if (((slots[2 * token]! >>> i) & 1) === 0) side = 1;
  }
  return side;
}
