/**
 * The words of every document in order, as term numbers: what tells side by side from far apart. Reading a document
 * again costs a few dozen comparisons, so only candidates are read.
 */
export interface TokenLog {
  /** Ends the document that the tokens since the last call belong to. */
  endDocument(): void;
  push(token: number): void;
  /** Whether the slots stand side by side; `slots[term]` has bit i set where the term may stand at slot i. */
  hasPhrase(document: number, slots: Uint32Array, length: number): boolean;
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
    hasPhrase(document, slots, length) {
      const end = starts[document + 1]!;
      const last = 1 << (length - 1);
      let state = 0;
      for (let at = starts[document]!; at < end; at += WIDTH) {
        const token = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
        state = token === FIELD_END ? 0 : ((state << 1) | 1) & slots[token]!;
        if (state & last) return true;
      }
      return false;
    },
    byteSize: () => bytes.length + starts.byteLength,
  };
}
