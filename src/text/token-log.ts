/**
 * The words of every document in order, as term numbers: what tells side by side from far apart. Reading a document
 * again costs a few dozen comparisons, so only candidates are read.
 */
export interface TokenLog {
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  push(token: number): void;
  /**
   * Whether the words of a phrase stand side by side: 2 as typed, 1 in other forms, 0 not at all. `slots` has two
   * numbers a term: bit i of the first is set where the term, as typed, belongs at place i; of the second, in any form.
   */
  phrase(document: number, slots: Uint32Array, length: number): number;
  byteSize(): number;
}

/** Between two fields: no phrase reaches across. */
export const FIELD_END = 0xffffff;
export const MAX_PHRASE = 31;
const WIDTH = 3;

export function createTokenLog(): TokenLog {
  let bytes = new Uint8Array(1 << 14);
  let used = 0;
  let starts = new Uint32Array(1024);
  let documents = 0;

  return {
    push(token) {
      if (used + WIDTH > bytes.length) {
        const larger = new Uint8Array(Math.ceil((bytes.length * 1.3) / WIDTH) * WIDTH);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[used] = token & 255;
      bytes[used + 1] = (token >> 8) & 255;
      bytes[used + 2] = token >> 16;
      used += WIDTH;
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
    phrase(document, slots, length) {
      const end = starts[document + 1]!;
      const last = 1 << (length - 1);
      let typed = 0;
      let form = 0;
      let found = 0;
      for (let at = starts[document]!; at < end; at += WIDTH) {
        const token = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
        if (token === FIELD_END) {
          typed = form = 0;
          continue;
        }
        form = ((form << 1) | 1) & slots[2 * token + 1]!;
        if (form === 0) {
          typed = 0;
          continue;
        }
        typed = ((typed << 1) | 1) & slots[2 * token]!;
        if (typed & last) return 2;
        if (form & last) found = 1;
      }
      return found;
    },
    byteSize: () => bytes.length + starts.byteLength,
  };
}
