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

/** A block with its key and first term fits one page of the file, so reading a term reads little else. */
const BLOCK_BYTES = 3_900;

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
  /** Term frequencies in the current chunk, by place; all zero between chunks. */
  private frequencies = new Uint32Array(4096);

  /** Ordinals must increase from call to call. */
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

  blocks(): SegmentBlock[] {
    const writer = new BlockWriter();
    const terms = [...this.places.keys()];
    for (const place of sortedPlaces(terms)) {
      const list = this.lists[place];
      const term = Buffer.from(terms[place] ?? "");
      if (list) writer.add(term, 0, term.length, list);
    }
    return writer.finish();
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

/** Sorts terms by their first two units as a number, which is much faster than comparing strings, then ties by the rest. */
function sortedPlaces(terms: readonly string[]): number[] {
  const PLACES = 2 ** 20;
  if (terms.length > PLACES) return terms.map((_, place) => place).sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
  const keys = new Float64Array(terms.length);
  for (let place = 0; place < terms.length; place++) {
    const term = terms[place]!;
    keys[place] = (term.charCodeAt(0) * 65_536 + (term.length > 1 ? term.charCodeAt(1) : 0)) * PLACES + place;
  }
  keys.sort();
  const places: number[] = [];
  for (let start = 0, end = 0; start < keys.length; start = end) {
    const beginning = Math.floor(keys[start]! / PLACES);
    const alike: number[] = [];
    for (; end < keys.length && Math.floor(keys[end]! / PLACES) === beginning; end++) alike.push(keys[end]! % PLACES);
    if (alike.length > 1) alike.sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
    for (const place of alike) places.push(place);
  }
  return places;
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

export interface SegmentBlock {
  /** The first term in it. */
  first: string;
  data: Uint8Array;
}

/** Cuts sorted entries into blocks. */
class BlockWriter {
  private size = 0;
  private bytes = Buffer.allocUnsafe(BLOCK_BYTES * 2);
  private offsets: number[] = [];
  private first = "";
  private readonly done: SegmentBlock[] = [];

  get isFull(): boolean {
    return this.done.length > 0;
  }

  /** The term is a range of bytes. */
  add(bytes: Buffer, start: number, end: number, postings: Postings): void {
    const { rest } = postings;
    this.begin(bytes, start, end, end - start + 32 + rest.length);
    this.varint(end - start);
    this.copy(bytes, start, end);
    this.varint(postings.count);
    this.varint(postings.first);
    this.varint(postings.last - postings.first);
    this.varint(postings.frequency);
    this.varint(rest.length);
    this.copy(rest, 0, rest.length);
    this.end();
  }

  addAsIs({ data, start, end, termStart, termEnd }: SegmentCursor): void {
    this.begin(data, termStart, termEnd, end - start);
    this.copy(data, start, end);
    this.end();
  }

  finish(): SegmentBlock[] {
    if (this.offsets.length > 0) this.cut();
    return this.take();
  }

  /** The blocks that are full. */
  take(): SegmentBlock[] {
    return this.done.splice(0);
  }

  private begin(bytes: Buffer, start: number, end: number, most: number): void {
    if (this.offsets.length === 0) this.first = bytes.toString("utf8", start, end);
    this.offsets.push(this.size);
    if (this.size + most <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.size + most) * 2);
    this.bytes.copy(larger, 0, 0, this.size);
    this.bytes = larger;
  }

  private end(): void {
    if (this.size >= BLOCK_BYTES) this.cut();
  }

  private cut(): void {
    const start = 4 + this.offsets.length * 4;
    const data = Buffer.allocUnsafe(start + this.size);
    data.writeUInt32LE(this.offsets.length, 0);
    this.offsets.forEach((offset, index) => {
      data.writeUInt32LE(start + offset, 4 + index * 4);
    });
    this.bytes.copy(data, start, 0, this.size);
    this.done.push({ first: this.first, data });
    this.size = 0;
    this.offsets = [];
  }

  private copy(from: ArrayLike<number>, start: number, end: number): void {
    const { bytes } = this;
    let at = this.size;
    // Most entries have a few bytes, for which a call of `set` costs more than a loop.
    if (end - start > 64 && from instanceof Uint8Array) {
      bytes.set(from.subarray(start, end), at);
      at += end - start;
    } else for (let i = start; i < end; i++) bytes[at++] = from[i]!;
    this.size = at;
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

  get byteLength(): number {
    return this.data.byteLength;
  }

  /** The index of the first entry whose term is not before `term`. */
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

/** Joins lists with increasing ordinals; with `alive`, without removed chunks. */
function joinPostings(lists: readonly Postings[], alive?: (ordinal: number) => boolean): Postings | undefined {
  if (alive) return filtered(lists, alive);
  const [head, ...others] = lists;
  if (!head || others.length === 0) return head;
  const rest = new Uint8Array(lists.reduce((sum, list) => sum + list.rest.length + 10, 0));
  let size = head.rest.length;
  copyBytes(head.rest, rest, 0);
  let { count, last } = head;
  for (const list of others) {
    const bridge: number[] = [];
    pushPosting(bridge, list.first - last, list.frequency);
    copyBytes(bridge, rest, size);
    copyBytes(list.rest, rest, size + bridge.length);
    size += bridge.length + list.rest.length;
    count += list.count;
    last = list.last;
  }
  return { count, first: head.first, last, frequency: head.frequency, rest: rest.subarray(0, size) };
}

function copyBytes(from: ArrayLike<number>, to: Uint8Array, at: number): void {
  if (from.length > 64) to.set(from, at);
  else for (let i = 0; i < from.length; i++) to[at + i] = from[i]!;
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
  return joined && { ...joined, rest };
}

/** Iterates over the entries of one segment; gives the offsets of the current entry and its term in `data`. */
class SegmentCursor {
  data: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  termStart = 0;
  termEnd = 0;
  done = false;
  private count = 0;
  private index = 0;

  constructor(private readonly blocks: Iterator<Uint8Array>) {
    this.next();
  }

  next(): void {
    this.index++;
    while (this.index >= this.count) {
      const block = this.blocks.next();
      if (block.done) {
        this.done = true;
        return;
      }
      this.data = asBuffer(block.value);
      this.count = this.data.readUInt32LE(0);
      this.index = 0;
      this.end = 4 + this.count * 4;
    }
    const { data } = this;
    // Entries are contiguous.
    this.start = this.end;
    this.end = this.index + 1 < this.count ? data.readUInt32LE(8 + this.index * 4) : data.length;
    let at = this.start;
    let length = data[at++]!;
    if (length > 127) length = (length & 127) + data[at++]! * 128;
    this.termStart = at;
    this.termEnd = at + length;
  }

  postings(): Postings {
    return new BlockReader(this.data).postings(this.index);
  }
}

/** Several segments as one, block by block; they come in the order of their ordinals, each as its blocks. */
export function* mergeSegments(
  segments: readonly Iterable<Uint8Array>[],
  alive?: (ordinal: number) => boolean,
): Generator<SegmentBlock, void, undefined> {
  const cursors = segments.map((segment) => new SegmentCursor(segment[Symbol.iterator]()));
  const writer = new BlockWriter();
  const same: SegmentCursor[] = [];
  for (;;) {
    same.length = 0;
    for (const cursor of cursors) {
      if (cursor.done) continue;
      const order = same.length > 0 ? compareTerms(cursor, same[0]!) : 0;
      if (order > 0) continue;
      if (order < 0) same.length = 0;
      same.push(cursor);
    }
    const [lowest] = same;
    if (!lowest) return yield* writer.finish();
    if (same.length === 1 && !alive) writer.addAsIs(lowest);
    else {
      const joined = joinPostings(
        same.map((cursor) => cursor.postings()),
        alive,
      );
      if (joined) writer.add(lowest.data, lowest.termStart, lowest.termEnd, joined);
    }
    if (writer.isFull) yield* writer.take();
    for (const cursor of same) cursor.next();
  }
}

/** As JavaScript compares the strings: by UTF-16 units, where U+E000 and above come after the surrogates. */
function compareTerms(a: SegmentCursor, b: SegmentCursor): number {
  const aLength = a.termEnd - a.termStart;
  const bLength = b.termEnd - b.termStart;
  const length = Math.min(aLength, bLength);
  for (let i = 0; i < length; i++) {
    const x = a.data[a.termStart + i]!;
    const y = b.data[b.termStart + i]!;
    if (x === y) continue;
    if (x >= 0xee && y >= 0xee && x < 0xf0 !== y < 0xf0) return y - x;
    return x - y;
  }
  return aLength - bLength;
}

export function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
