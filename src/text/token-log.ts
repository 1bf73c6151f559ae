/**
 * The words of every document in order, as term numbers: what tells side by side from far apart. Reading a document
 * again costs a few dozen comparisons, so only candidates are read.
 */
export interface TokenLog {
  push(token: number): void;
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  /** Whether the words of a phrase stand side by side: 2 as typed, 1 in other forms, 0 not at all. */
  phrase(document: number, phrase: Phrase): number;
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

  /** How the phrase stands at a place: as typed, in other forms, or not. */
  function standsAt(begin: number, { length, slots }: Phrase): number {
    let asTyped = 2;
    for (let i = 0; i < length; i++) {
      const token = tokens[begin + i]!;
      if (token === FIELD_END || ((slots[2 * token + 1]! >>> i) & 1) === 0) return 0;
      if (((slots[2 * token]! >>> i) & 1) === 0) asTyped = 1;
    }
    return asTyped;
  }

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
    phrase(document, phrase) {
      const { anchor, anchors, length } = phrase;
      const start = starts[document]! + anchor;
      const end = starts[document + 1]! - (length - 1 - anchor);
      const all = tokens;
      let found = 0;
      for (let i = 0; i < anchors.length; i++) {
        const term = anchors[i]!;
        for (let at = start; at < end; at++) {
          if (all[at] !== term) continue;
          const stands = standsAt(at - anchor, phrase);
          if (stands === 2) return 2;
          if (stands === 1) found = 1;
        }
      }
      return found;
    },
    byteSize: () => tokens.byteLength + starts.byteLength,
  };
}
