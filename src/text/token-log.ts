import { AGAIN } from "./postings.js";

/**
 * The words of every document in order, as term numbers: what tells side by side from far apart. Reading a document
 * again costs a few dozen comparisons, so only candidates are read.
 */
export interface TokenLog {
  push(token: number): void;
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  /**
   * Whether the words of a phrase stand side by side in a document that has its anchors at `spot` (below 0: nowhere): 2
   * as typed, 1 in other forms, 0 not at all.
   */
  sideBySide(phrase: Phrase, document: number, spot: number): number;
  /**
   * Brings what `sideBySide` will look at into the processor's cache. The documents are far apart in memory: asked for
   * all at once, they come sooner than one by one.
   */
  fetch(documents: Int32Array, spots: Uint8Array, count: number): void;
  byteSize(): number;
}

export interface Phrase {
  length: number;
  /** The term that was typed at each place, or less than -1 where nobody wrote it. */
  terms: Int32Array;
  /** Nothing but the typed terms will do. */
  isTyped: boolean;
  /** The place whose words are rarest, and those words: where they do not stand, nothing else need be looked at. */
  anchor: number;
  anchors: Int32Array;
  /** A number per term: bit i is set where the term belongs at place i, in any form. */
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
  let fetched = 0;

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
    fetch(which, spots, count) {
      const [log, from] = [tokens, starts];
      let sum = 0;
      for (let i = 0; i < count; i++) sum |= log[from[which[i]!]! + (spots[i]! >> 1)]!;
      fetched = sum;
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
    byteSize: () => tokens.byteLength + starts.byteLength + (fetched < 0 ? 1 : 0),
  };
}

/** How a phrase stands around the anchors that come from here on. */
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

/** How a phrase stands around one place of its anchor. */
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
