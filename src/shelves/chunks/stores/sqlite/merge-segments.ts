import { asBuffer, BlockReader, eachPosting, type Postings } from "./postings.js";
import { BlockWriter, type EntryPlace, pushPosting, type SegmentBlock } from "./postings-writing.js";

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
class SegmentCursor implements EntryPlace {
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
