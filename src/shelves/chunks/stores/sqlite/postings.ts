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

export class PostingsBuilder {
  private readonly lists = new Map<
    string,
    { count: number; first: number; last: number; frequency: number; rest: number[] }
  >();

  /** Ordinals must rise from call to call. */
  add(ordinal: number, terms: readonly string[]): void {
    const frequencies = new Map<string, number>();
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    for (const [term, frequency] of frequencies) {
      const list = this.lists.get(term);
      if (!list) {
        this.lists.set(term, { count: 1, first: ordinal, last: ordinal, frequency, rest: [] });
        continue;
      }
      pushPosting(list.rest, ordinal - list.last, frequency);
      list.count++;
      list.last = ordinal;
    }
  }

  *entries(): Iterable<[string, Postings]> {
    for (const term of [...this.lists.keys()].sort()) {
      const list = this.lists.get(term);
      if (list) yield [term, { ...list, rest: Uint8Array.from(list.rest) }];
    }
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
  let first: string | undefined;
  let offsets: number[] = [];
  let parts: Uint8Array[] = [];
  let size = 0;
  for (const [term, postings] of entries) {
    first ??= term;
    const head: number[] = [];
    const name = Buffer.from(term);
    pushVarint(head, name.length);
    for (const byte of name) head.push(byte);
    pushVarint(head, postings.count);
    pushVarint(head, postings.first);
    pushVarint(head, postings.last - postings.first);
    pushVarint(head, postings.frequency);
    pushVarint(head, postings.rest.length);
    offsets.push(size);
    parts.push(Uint8Array.from(head), postings.rest);
    size += head.length + postings.rest.length;
    if (size >= BLOCK_BYTES) {
      yield { first, data: block(offsets, parts, size) };
      first = undefined;
      offsets = [];
      parts = [];
      size = 0;
    }
  }
  if (first !== undefined) yield { first, data: block(offsets, parts, size) };
}

function block(offsets: number[], parts: Uint8Array[], size: number): Uint8Array {
  const start = 4 + offsets.length * 4;
  const data = Buffer.alloc(start + size);
  data.writeUInt32LE(offsets.length, 0);
  offsets.forEach((offset, index) => {
    data.writeUInt32LE(start + offset, 4 + index * 4);
  });
  let at = start;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return data;
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
