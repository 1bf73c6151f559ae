import { setImmediate as nextTurn } from "node:timers/promises";
import { grown } from "../../../kernel/collections.js";
import { createWordIndex, type Field, type WordIndex } from "../../../text/word-index.js";

/** A record is a small JSON array; its first element is its kind. */
export type Record_ = [kind: number, ...fields: unknown[]];

/** Records as one part of a cache entry: how many, where each ends, and their JSON one after the other. */
export function encodePart(records: readonly string[]): Uint8Array {
  const sizes = records.map((record) => Buffer.byteLength(record));
  const header = 4 + records.length * 4;
  const part = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, header));
  part.writeUInt32LE(records.length, 0);
  let at = header;
  records.forEach((record, i) => {
    part.write(record, at);
    at += sizes[i]!;
    part.writeUInt32LE(at, 4 + i * 4);
  });
  return part;
}

/** A position in the log: part, start, end, and 1 if all of it is ASCII, which is decoded faster. */
export type Place = readonly [part: number, start: number, end: number, ascii: number];

/** The parts of a dataset in order of arrival; a later record replaces an earlier one. */
export function createRecordLog() {
  const parts: Buffer[] = [];
  let bytes = 0;
  const bytesAt = ([part, start, end]: Place) => parts[part]!.subarray(start, end);
  const read = (place: Place) =>
    JSON.parse(parts[place[0]]!.toString(place[3] === 1 ? "latin1" : "utf8", place[1], place[2])) as Record_; // written by encodePart's callers
  return {
    addPart(part: Uint8Array, each: (record: Record_, place: Place) => void): void {
      const buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      const number = parts.push(buffer) - 1;
      bytes += buffer.length;
      const count = buffer.readUInt32LE(0);
      let start = 4 + count * 4;
      for (let i = 0; i < count; i++) {
        const end = buffer.readUInt32LE(4 + i * 4);
        const json = buffer.toString("utf8", start, end);
        each(JSON.parse(json) as Record_, [number, start, end, json.length === end - start ? 1 : 0]);
        start = end;
      }
    },
    read,
    bytesAt,
    get parts() {
      return parts.length;
    },
    byteSize: () => bytes,
  };
}

const ITEMS_PER_TURN = 400;

/** Numbered items of a log with their positions in typed arrays; the word index is built on the first search. */
export function createItemTable(
  fields: readonly Field[],
  words: (item: number) => { texts: readonly string[]; language: string | null; share?: number },
) {
  let places = new Uint32Array(4 * 1024);
  let gone = new Uint8Array(1024);
  let size = 0;
  let removed = 0;
  const index = createWordIndex(fields);
  let indexed = false;

  function place(item: number): Place {
    const at = item * 4;
    return [places[at]!, places[at + 1]!, places[at + 2]!, places[at + 3]!];
  }

  return {
    add(at: Place): number {
      if (size === gone.length) {
        places = grown(places, size * 8);
        gone = grown(gone, size * 2);
      }
      places.set(at, size * 4);
      return size++;
    },
    remove(item: number): void {
      if (gone[item] === 1) return;
      gone[item] = 1;
      removed++;
      if (item < index.size) index.remove(item);
    },
    alive: (item: number) => gone[item] === 0,
    /** The live items that pass the filter, in order of arrival. */
    where(test: (item: number) => boolean): number[] {
      const found: number[] = [];
      for (let item = 0; item < size; item++) if (gone[item] === 0 && test(item)) found.push(item);
      return found;
    },
    place,
    /** The number of items so far, including removed ones. */
    get size() {
      return size;
    },
    get removed() {
      return removed;
    },
    /** The word index of all items; built in short steps. */
    async index(signal: AbortSignal): Promise<WordIndex> {
      while (index.size < size) {
        const until = Math.min(size, index.size + ITEMS_PER_TURN);
        while (index.size < until) {
          const item = index.size;
          if (gone[item] === 1) {
            index.add([], null);
            index.remove(item);
          } else {
            const { texts, language, share } = words(item);
            index.add(texts, language, share);
          }
        }
        if (index.size < size) {
          await nextTurn();
          signal.throwIfAborted();
        }
      }
      indexed = true;
      return index;
    },
    byteSize: () => places.byteLength + gone.byteLength + (indexed || index.size > 0 ? index.byteSize() : 0),
  };
}
