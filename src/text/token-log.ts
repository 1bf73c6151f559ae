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
  /** Brings what `sideBySide` will look at into the processor's cache. */
  fetch(document: number, spot: number): void;
  byteSize(): number;
}

export interface Phrase {
  length: number;
  /** The term that was typed at each place, or -1 where nobody wrote it. */
  terms: Int32Array;
  /** The place whose words are rarest, and those words: where they do not stand, nothing else need be looked at. */
  anchor: number;
  anchors: Int32Array;
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
    fetch(document, spot) {
      fetched = tokens[starts[document]! + (spot >> 1)]!;
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
  const { anchor, anchors, slots } = phrase;
  const only = anchors.length === 1 ? anchors[0]! + 1 : 0;
  let found = 0;
  for (let at = from; at < end; at++) {
    const token = tokens[at]!;
    const isAnchor = only > 0 ? token === only : token > 0 && ((slots[2 * token - 1]! >>> anchor) & 1) === 1;
    if (!isAnchor) continue;
    const side = sideAt(tokens, at, phrase);
    if (side === 2) return 2;
    if (side === 1) found = 1;
  }
  return found;
}

/** How a phrase stands around one place of its anchor. */
function sideAt(tokens: Tokens, at: number, { anchor, length, slots }: Phrase): number {
  const begin = at - anchor;
  let side = 2;
  for (let i = 0; i < length; i++) {
    const term = tokens[begin + i]! - 1;
    if (term === FIELD_END || ((slots[2 * term + 1]! >>> i) & 1) === 0) return 0;
    if (((slots[2 * term]! >>> i) & 1) === 0) side = 1;
  }
  return side;
}
