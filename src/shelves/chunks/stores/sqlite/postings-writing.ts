import { grown } from "../../../../kernel/collections.js";
import type { Postings } from "./postings.js";

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
    if (place >= this.frequencies.length) this.frequencies = grown(this.frequencies, place * 2);
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

/** Where an entry and its term lie in a block. */
export interface EntryPlace {
  data: Buffer;
  start: number;
  end: number;
  termStart: number;
  termEnd: number;
}

export interface SegmentBlock {
  /** The first term in it. */
  first: string;
  data: Uint8Array;
}

/** Cuts sorted entries into blocks. */
export class BlockWriter {
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

  addAsIs({ data, start, end, termStart, termEnd }: EntryPlace): void {
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

export function pushPosting(bytes: number[], distance: number, frequency: number): void {
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
