/**
 * Posting lists of many terms in one growing byte array. Each list is a chain of slices that double in size; a slice
 * begins with the address of the next one and ends with a zero. A posting is never split, and never begins with a
 * zero, so reading needs no lengths:
 *
 *   document number minus the previous one (varint), impact (byte), positions (varints of `delta << 1 | more`)
 *
 * Appending is all it takes to add a document; there is no building step and nothing to merge.
 */
export interface Postings {
  /** Makes room for one more term, numbered from 0. */
  addTerm(): void;
  /** Documents come in ascending order; positions too. */
  append(term: number, document: number, impact: number, positions: Int32Array, from: number, to: number): void;
  count(term: number): number;
  /** Where a list begins in `bytes()`, for `POSTINGS_AT`-style walking. */
  head(term: number): number;
  bytes(): Uint8Array;
  byteSize(): number;
}

const FIRST_PAYLOAD = 8;
const MAX_PAYLOAD = 8192;
const HEADER = 4;

export function createPostings(): Postings {
  let pool = new Uint8Array(1 << 16);
  let used = 1; // 0 means "no slice"
  let heads = new Int32Array(1024);
  let starts = new Int32Array(1024);
  let ends = new Int32Array(1024);
  let writes = new Int32Array(1024);
  let lastDocuments = new Int32Array(1024);
  let counts = new Int32Array(1024);
  let payloads = new Uint16Array(1024);
  let terms = 0;
  let scratch = new Uint8Array(256);

  function slice(payload: number): number {
    const size = HEADER + payload + 1;
    if (used + size > pool.length) {
      const larger = new Uint8Array(Math.max(Math.ceil(pool.length * 1.5), used + size));
      larger.set(pool.subarray(0, used));
      pool = larger;
    }
    const start = used;
    used += size;
    return start;
  }

  function encode(delta: number, impact: number, positions: Int32Array, from: number, to: number): number {
    const worst = 6 + (to - from) * 5;
    if (scratch.length < worst) scratch = new Uint8Array(worst * 2);
    let at = writeVarint(scratch, 0, delta);
    scratch[at++] = impact;
    let previous = 0;
    for (let i = from; i < to; i++) {
      const position = positions[i]!;
      at = writeVarint(scratch, at, ((position - previous) << 1) | (i < to - 1 ? 1 : 0));
      previous = position;
    }
    return at;
  }

  return {
    addTerm() {
      if (terms === heads.length) {
        const size = terms * 2;
        heads = grown(heads, size);
        starts = grown(starts, size);
        ends = grown(ends, size);
        writes = grown(writes, size);
        lastDocuments = grown(lastDocuments, size);
        counts = grown(counts, size);
        const larger = new Uint16Array(size);
        larger.set(payloads);
        payloads = larger;
      }
      lastDocuments[terms++] = -1;
    },
    append(term, document, impact, positions, from, to) {
      const length = encode(document - lastDocuments[term]!, impact, positions, from, to);
      if (writes[term]! + length > ends[term]!) {
        const payload = Math.max(
          length,
          payloads[term] === 0 ? FIRST_PAYLOAD : Math.min(payloads[term]! * 2, MAX_PAYLOAD),
        );
        const start = slice(payload);
        if (heads[term] === 0) heads[term] = start;
        else writeAddress(pool, starts[term]!, start);
        starts[term] = start;
        writes[term] = start + HEADER;
        ends[term] = start + HEADER + payload;
        payloads[term] = Math.min(payload, MAX_PAYLOAD);
      }
      pool.set(scratch.subarray(0, length), writes[term]!);
      writes[term]! += length;
      lastDocuments[term] = document;
      counts[term]!++;
    },
    count: (term) => counts[term]!,
    head: (term) => heads[term]!,
    bytes: () => pool,
    byteSize: () => used + heads.length * 26,
  };
}

/** The first posting of a slice, and the slice after it. */
export const firstOf = (slice: number) => slice + HEADER;
export function nextSlice(bytes: Uint8Array, slice: number): number {
  return bytes[slice]! | (bytes[slice + 1]! << 8) | (bytes[slice + 2]! << 16) | (bytes[slice + 3]! << 24);
}

function writeAddress(bytes: Uint8Array, at: number, address: number): void {
  bytes[at] = address & 255;
  bytes[at + 1] = (address >> 8) & 255;
  bytes[at + 2] = (address >> 16) & 255;
  bytes[at + 3] = (address >> 24) & 255;
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest > 127) {
    bytes[next++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

function grown(array: Int32Array<ArrayBuffer>, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(array);
  return larger;
}
