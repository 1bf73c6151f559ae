import { grown } from "../kernel/collections.js";

/**
 * Posting lists of many terms in one growing byte array. Each list is a chain of slices that double in size; a slice
 * begins with the address of the next one and ends with a zero. A posting is never split and never begins with a zero,
 * so reading needs no lengths:
 *
 *   document number minus the previous one (varint), impact (byte), spot (byte)
 *
 * Appending is all it takes to add a document; there is no building step and nothing to merge.
 */
export interface Postings {
  /** Adds one more term, numbered from 0. */
  addTerm(): void;
  /** Documents come in ascending order. */
  append(term: number, document: number, impact: number, spot: number): void;
  /** Documents that have the term, removed ones included. */
  count(term: number): number;
  /** Writes a term's list over what was read before and gives back its length. */
  read(term: number, list: PostingList): number;
  byteSize(): number;
}

export interface PostingList {
  documents: Int32Array;
  impacts: Uint8Array;
  spots: Uint8Array;
}

/** Position of a term in a document: its first position times two, plus one if it may have others. */
export const spotAt = (place: number) => (place < LAST_PLACE ? place * 2 : LAST_PLACE * 2 + AGAIN);
export const AGAIN = 1;
/** The last position a spot can hold; it is used for all later ones too. */
export const LAST_PLACE = 90;

const FIRST_PAYLOAD = 6;
const MAX_PAYLOAD = 8192;
const HEADER = 4;
/** A varint of 32 bits, the impact and the spot. */
const LONGEST = 7;

export function createPostings(): Postings {
  let pool = new Uint8Array(1 << 16);
  let used = 1; // 0 means "no slice"
  let heads = new Int32Array(1024);
  let starts = new Int32Array(1024);
  let ends = new Int32Array(1024);
  let writes = new Int32Array(1024);
  let lastDocuments = new Int32Array(1024);
  let counts = new Int32Array(1024);
  let payloads = new Int32Array(1024);
  let terms = 0;

  function addSlice(term: number): void {
    const payload = payloads[term] === 0 ? FIRST_PAYLOAD : Math.min(payloads[term]! * 2, MAX_PAYLOAD);
    const size = HEADER + payload + 1;
    if (used + size > pool.length) pool = grown(pool, Math.max(Math.ceil(pool.length * 1.3), used + size));
    const start = used;
    used += size;
    if (heads[term] === 0) heads[term] = start;
    else writeAddress(pool, starts[term]!, start);
    starts[term] = start;
    writes[term] = start + HEADER;
    ends[term] = start + HEADER + payload;
    payloads[term] = payload;
  }

  return {
    addTerm() {
      if (terms === heads.length) {
        const twice = (array: Int32Array<ArrayBuffer>) => grown(array, array.length * 2);
        [heads, starts, ends, writes] = [twice(heads), twice(starts), twice(ends), twice(writes)];
        [lastDocuments, counts, payloads] = [twice(lastDocuments), twice(counts), twice(payloads)];
      }
      lastDocuments[terms++] = -1;
    },
    append(term, document, impact, spot) {
      let delta = document - lastDocuments[term]!;
      const length = delta < 128 ? 3 : delta < 16_384 ? 4 : LONGEST;
      if (writes[term]! + length > ends[term]!) addSlice(term);
      let at = writes[term]!;
      while (delta > 127) {
        pool[at++] = (delta & 127) | 128;
        delta >>>= 7;
      }
      pool[at++] = delta;
      pool[at++] = impact;
      pool[at++] = spot;
      writes[term] = at;
      lastDocuments[term] = document;
      counts[term]!++;
    },
    count: (term) => counts[term]!,
    read(term, { documents, impacts, spots }) {
      const bytes = pool;
      let count = 0;
      let document = -1;
      for (let slice = heads[term]!; slice !== 0; slice = nextSlice(bytes, slice)) {
        let at = slice + HEADER;
        for (let byte = bytes[at++]!; byte !== 0; byte = bytes[at++]!) {
          let delta = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = bytes[at++]!;
            delta |= (byte & 127) << shift;
          }
          document += delta;
          documents[count] = document;
          impacts[count] = bytes[at++]!;
          spots[count++] = bytes[at++]!;
        }
      }
      return count;
    },
    byteSize: () => pool.length + heads.length * 28,
  };
}

function nextSlice(bytes: Uint8Array, slice: number): number {
  return bytes[slice]! | (bytes[slice + 1]! << 8) | (bytes[slice + 2]! << 16) | (bytes[slice + 3]! << 24);
}

function writeAddress(bytes: Uint8Array, at: number, address: number): void {
  bytes[at] = address & 255;
  bytes[at + 1] = (address >> 8) & 255;
  bytes[at + 2] = (address >> 16) & 255;
  bytes[at + 3] = (address >> 24) & 255;
}
