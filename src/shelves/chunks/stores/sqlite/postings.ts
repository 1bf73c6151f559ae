import { createByteLru } from "../../../../kernel/byte-lru.js";
import { firstIndex } from "../../../../kernel/collections.js";
import type { Database } from "./database.js";

/**
 * The word index's own format. A segment is a sorted run of terms with their postings, cut into blocks; it is written
 * once and later merged into a larger one. Within a term, ordinals increase from segment to segment, so merging two
 * lists is a copy of their bytes.
 *
 * Block: count, an offset for each entry (both uint32), the entries. Entry: term, number of postings, first ordinal,
 * distance to the last, first frequency, then the rest as (distance × 2 + [frequency is 1], frequency unless 1).
 */
export interface Postings {
  count: number;
  first: number;
  last: number;
  frequency: number;
  rest: ArrayLike<number>;
}

/** Reads entries of one block in place. */
export class BlockReader {
  readonly size: number;
  private at = 0;

  constructor(private readonly data: Buffer) {
    this.size = data.readUInt32LE(0);
  }

  get byteLength(): number {
    return this.data.byteLength;
  }

  /** The index of the first entry whose term is not before `term`. */
  seek(term: string): number {
    return firstIndex(this.size, (index) => this.term(index) >= term);
  }

  term(index: number): string {
    this.at = this.data.readUInt32LE(4 + index * 4);
    const length = this.varint();
    return this.data.toString("utf8", this.at, this.at + length);
  }

  postings(index: number): Postings {
    this.at = this.data.readUInt32LE(4 + index * 4);
    const name = this.varint();
    this.at += name;
    const count = this.varint();
    const first = this.varint();
    const last = first + this.varint();
    const frequency = this.varint();
    const length = this.varint();
    return { count, first, last, frequency, rest: this.data.subarray(this.at, this.at + length) };
  }

  private varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.data[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
}

export function eachPosting(postings: Postings, visit: (ordinal: number, frequency: number) => void): void {
  visit(postings.first, postings.frequency);
  const { rest } = postings;
  let ordinal = postings.first;
  let at = 0;
  // Numbers stay below 2^31, so plain shifts are enough.
  while (at < rest.length) {
    let byte = rest[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = rest[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    ordinal += value >>> 1;
    let frequency = 1;
    if ((value & 1) === 0) {
      byte = rest[at++] ?? 0;
      frequency = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = rest[at++] ?? 0;
        frequency |= (byte & 127) << shift;
      }
    }
    visit(ordinal, frequency);
  }
}

export function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** Measured overhead of a cached block: its objects and the allocator's bookkeeping. */
const OVERHEAD = 512;
const NOTHING = new Uint8Array(4);

/**
 * Recently used blocks of words, up to `capacity` bytes. Every write creates a small block that is soon merged into
 * another and never read again; those are evicted.
 */
export function createBlockCache(db: Pick<Database, "read">, capacity: number): (key: number) => BlockReader {
  const blocks = createByteLru<number, BlockReader>(capacity, (reader) => reader.byteLength + OVERHEAD);
  return (key) =>
    blocks(key, () => {
      const data = db.read<[Uint8Array]>("select data from word_blocks where key = ?").get(key)?.[0] ?? NOTHING;
      return new BlockReader(asBuffer(data));
    });
}
