/**
 * The word index's own format. A segment is a sorted run of terms with their postings, cut into blocks; it is written
 * once and only ever merged into a larger one. Within a term, ordinals rise from segment to segment, so merging two
 * lists is one copy of their bytes.
 *
 * Block: count, an offset for each entry (both uint32), the entries. Entry: term, number of postings, first ordinal,
 * distance to the last, first frequency, then the rest as (distance × 2 + [frequency is 1], frequency unless 1).
 */
export interface Postings {
  count: number;
  first: number;
  last: number;
  frequency: number;
  rest: Uint8Array;
}

const BLOCK_BYTES = 16_384;

interface GrowingList {
  count: number;
  first: number;
  last: number;
  frequency: number;
  rest: number[];
}

export class PostingsBuilder {
  private readonly places = new Map<string, number>();
  private readonly lists: GrowingList[] = [];
  /** Frequencies in the chunk at hand, by place; noughts between chunks. */
  private frequencies = new Uint32Array(4096);

  /** Ordinals must rise from call to call. */
  add(ordinal: number, terms: readonly string[]): void {
    const touched: number[] = [];
    for (const term of terms) {
      const place = this.placeOf(term);
      const before = this.frequencies[place] ?? 0;
      if (before === 0) touched.push(place);
      this.frequencies[place] = before + 1;
    }
    for (const place of touched) {
      const frequency = this.frequencies[place] ?? 0;
      this.frequencies[place] = 0;
      const list = this.lists[place];
      if (!list) {
        this.lists[place] = { count: 1, first: ordinal, last: ordinal, frequency, rest: [] };
        continue;
      }
      pushPosting(list.rest, ordinal - list.last, frequency);
      list.count++;
      list.last = ordinal;
    }
  }

  *entries(): Iterable<[string, Postings]> {
    for (const term of [...this.places.keys()].sort()) {
      const list = this.lists[this.places.get(term) ?? -1];
      if (list) yield [term, { ...list, rest: Uint8Array.from(list.rest) }];
    }
  }

  private placeOf(term: string): number {
    const known = this.places.get(term);
    if (known !== undefined) return known;
    const place = this.places.size;
    this.places.set(term, place);
    if (place >= this.frequencies.length) {
      const larger = new Uint32Array(place * 2);
      larger.set(this.frequencies);
      this.frequencies = larger;
    }
    return place;
  }
}

function pushPosting(bytes: number[], distance: number, frequency: number): void {
  pushVarint(bytes, distance * 2 + (frequency === 1 ? 1 : 0));
  if (frequency !== 1) pushVarint(bytes, frequency);
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/** Cuts sorted entries into blocks, each with the first term in it. */
export function* toBlocks(entries: Iterable<[string, Postings]>): Iterable<{ first: string; data: Uint8Array }> {
  const writer = new BlockWriter();
  let first: string | undefined;
  for (const [term, postings] of entries) {
    first ??= term;
    writer.add(term, postings);
    if (writer.size >= BLOCK_BYTES) {
      yield { first, data: writer.take() };
      first = undefined;
    }
  }
  if (first !== undefined) yield { first, data: writer.take() };
}

class BlockWriter {
  size = 0;
  private bytes = Buffer.allocUnsafe(BLOCK_BYTES * 2);
  private offsets: number[] = [];

  add(term: string, postings: Postings): void {
    this.reserve(term.length * 3 + 32 + postings.rest.length);
    this.offsets.push(this.size);
    const length = Buffer.byteLength(term);
    this.varint(length);
    this.size += this.bytes.write(term, this.size);
    this.varint(postings.count);
    this.varint(postings.first);
    this.varint(postings.last - postings.first);
    this.varint(postings.frequency);
    this.varint(postings.rest.length);
    this.bytes.set(postings.rest, this.size);
    this.size += postings.rest.length;
  }

  /** The block so far; the next entry begins another one. */
  take(): Uint8Array {
    const start = 4 + this.offsets.length * 4;
    const data = Buffer.allocUnsafe(start + this.size);
    data.writeUInt32LE(this.offsets.length, 0);
    this.offsets.forEach((offset, index) => {
      data.writeUInt32LE(start + offset, 4 + index * 4);
    });
    this.bytes.copy(data, start, 0, this.size);
    this.size = 0;
    this.offsets = [];
    return data;
  }

  private reserve(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.size + more) * 2);
    this.bytes.copy(larger, 0, 0, this.size);
    this.bytes = larger;
  }

  private varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bytes[this.size++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.size++] = rest;
  }
}

/** Reads entries of one block in place. */
export class BlockReader {
  readonly size: number;
  private at = 0;

  constructor(private readonly data: Buffer) {
    this.size = data.readUInt32LE(0);
  }

  /** The place of the first entry whose term is not before `term`. */
  seek(term: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.term(middle) < term) low = middle + 1;
      else high = middle;
    }
    return low;
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

  *entries(): Iterable<[string, Postings]> {
    for (let index = 0; index < this.size; index++) yield [this.term(index), this.postings(index)];
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
  // Numbers stay below 2^31, so plain shifts do.
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

/** One list of several whose ordinals follow each other; without those of removed chunks where `alive` is given. */
export function joinPostings(lists: readonly Postings[], alive?: (ordinal: number) => boolean): Postings | undefined {
  if (alive) return filtered(lists, alive);
  const [head, ...others] = lists;
  if (!head || others.length === 0) return head;
  const parts: Uint8Array[] = [head.rest];
  let { count, last } = head;
  for (const list of others) {
    const bridge: number[] = [];
    pushPosting(bridge, list.first - last, list.frequency);
    parts.push(Uint8Array.from(bridge), list.rest);
    count += list.count;
    last = list.last;
  }
  return { count, first: head.first, last, frequency: head.frequency, rest: Buffer.concat(parts) };
}

function filtered(lists: readonly Postings[], alive: (ordinal: number) => boolean): Postings | undefined {
  let joined: { count: number; first: number; last: number; frequency: number } | undefined;
  const rest: number[] = [];
  for (const list of lists)
    eachPosting(list, (ordinal, frequency) => {
      if (!alive(ordinal)) return;
      if (!joined) {
        joined = { count: 1, first: ordinal, last: ordinal, frequency };
        return;
      }
      pushPosting(rest, ordinal - joined.last, frequency);
      joined.count++;
      joined.last = ordinal;
    });
  return joined && { ...joined, rest: Uint8Array.from(rest) };
}

/** Sorted entries of several segments as one sorted run; the segments come in the order of their ordinals. */
export function* mergeEntries(
  segments: readonly Iterable<[string, Postings]>[],
  alive?: (ordinal: number) => boolean,
): Iterable<[string, Postings]> {
  const cursors = segments.map((segment) => {
    const iterator = segment[Symbol.iterator]();
    return { iterator, current: iterator.next() };
  });
  for (;;) {
    let lowest: string | undefined;
    for (const { current } of cursors)
      if (!current.done && (lowest === undefined || current.value[0] < lowest)) lowest = current.value[0];
    if (lowest === undefined) return;
    const lists: Postings[] = [];
    for (const cursor of cursors) {
      if (cursor.current.done || cursor.current.value[0] !== lowest) continue;
      lists.push(cursor.current.value[1]);
      cursor.current = cursor.iterator.next();
    }
    const joined = joinPostings(lists, alive);
    if (joined) yield [lowest, joined];
  }
}
