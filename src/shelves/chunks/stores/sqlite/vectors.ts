import { quantise, signsOf, unitOf } from "../../../../kernel/vector.js";
import type { Database, Steps } from "./database.js";
import { keyOf, rangeOf } from "./schema.js";

/**
 * Vectors are stored twice: as float32 rows, which are exact, and as int8 codes in blocks, which are fast to scan. A
 * block has the codes of some hundred vectors in one blob, and in another the ordinals of their chunks and the factors
 * that turn integer products back into cosines. The signs alone, one bit per dimension, are a first filter for spaces
 * whose codes are too many to keep in memory.
 */
export const BLOCK_BYTES = 192 * 1024;

export const padded = (dimension: number): number => Math.ceil(dimension / 8) * 8;
export const blockCapacity = (dimension: number): number =>
  Math.max(4, Math.floor(BLOCK_BYTES / padded(dimension) / 4) * 4);

export interface BlockHead {
  owners: Uint32Array;
  scales: Float32Array;
}
export function readHead(head: Uint8Array): BlockHead {
  const copy = head.slice();
  const count = copy.byteLength / 8;
  return { owners: new Uint32Array(copy.buffer, 0, count), scales: new Float32Array(copy.buffer, count * 4, count) };
}
function headBytes(owners: readonly number[], scales: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(owners.length * 8);
  new Uint32Array(bytes.buffer, 0, owners.length).set(owners);
  new Float32Array(bytes.buffer, owners.length * 4, scales.length).set(scales);
  return bytes;
}

interface NewVectors {
  ordinal: number;
  vectors: readonly Float32Array[];
}

/** Appends vectors to a space; returns the number of each entry's first one. */
export function* writeVectors(
  db: Database,
  space: number,
  dimension: number,
  revision: number,
  entries: readonly NewVectors[],
): Steps<number[]> {
  const row = db.write("select vectors, first_block, blocks from spaces where key = ?").get(space) ?? [];
  const [written, firstBlock, blocks] = row.map(Number) as [number, number, number];
  const width = padded(dimension);
  const writer = openLastBlock(db, space, firstBlock, blocks, dimension, revision);
  const firsts: number[] = [];
  let number = written;
  for (const { ordinal, vectors } of entries) {
    firsts.push(number);
    for (const vector of vectors) {
      const unit = unitOf(vector);
      db.write("insert into vectors (key, data) values (?, ?)").run(keyOf(space, number++), bytesOf(unit));
      const codes = new Int8Array(width);
      writer.add(ordinal, quantise(unit, codes, 127), codes);
    }
    yield;
  }
  const total = writer.finish();
  const added = number - written;
  db.write("update spaces set vectors = ?, blocks = ?, slots = slots + ?, live = live + ? where key = ?").run(
    number,
    total,
    added,
    added,
    space,
  );
  return firsts;
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function openLastBlock(
  db: Database,
  space: number,
  firstBlock: number,
  blocks: number,
  dimension: number,
  revision: number,
) {
  const width = padded(dimension);
  const capacity = blockCapacity(dimension);
  let index = blocks;
  let owners: number[] = [];
  let scales: number[] = [];
  let data = new Int8Array(capacity * width);
  if (blocks > 0) {
    const last =
      db.write("select head, codes from vector_blocks where key = ?").get(keyOf(space, firstBlock + blocks - 1)) ?? [];
    const [head, codes] = last as [Uint8Array, Uint8Array];
    const known = readHead(head);
    if (known.owners.length < capacity) {
      index = blocks - 1;
      owners = [...known.owners];
      scales = [...known.scales];
      data.set(new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength));
    }
  }
  const flush = () => {
    const codes = new Uint8Array(data.buffer, 0, owners.length * width);
    db.write(
      "insert or replace into vector_blocks (key, space, revision, head, signs, codes) values (?, ?, ?, ?, ?, ?)",
    ).run(
      keyOf(space, firstBlock + index),
      space,
      revision,
      headBytes(owners, scales),
      signsOf(data, dimension, owners.length, width),
      codes,
    );
    index++;
    owners = [];
    scales = [];
    data = new Int8Array(capacity * width);
  };
  return {
    add(ordinal: number, scale: number, codes: Int8Array): void {
      data.set(codes, owners.length * width);
      owners.push(ordinal);
      scales.push(scale);
      if (owners.length === capacity) flush();
    },
    /** Writes the remaining vectors; returns the number of blocks in the space. */
    finish(): number {
      if (owners.length > 0) flush();
      return index;
    },
  };
}

/** Deletes the vectors of a removed chunk. Their codes stay in the blocks until `compactVectors`. */
export function dropVectors(db: Database, space: number, first: number | null, count: number): void {
  if (first === null || count === 0) return;
  db.write("delete from vectors where key >= ? and key < ?").run(keyOf(space, first), keyOf(space, first + count));
  db.write("update spaces set live = live - ? where key = ?").run(count, space);
}

export function* dropSpace(db: Database, space: number): Steps<void> {
  yield* dropRange(db, "vectors", rangeOf(space));
  db.write("delete from vector_blocks where space = ?").run(space);
  db.write("delete from spaces where key = ?").run(space);
}

const ROWS_PER_STEP = 512;

/** Deletes the rows of a table whose keys lie in [from, to), some at a time. */
export function* dropRange(
  db: Database,
  table: "chunks" | "chunk_lengths" | "pending_vectors" | "vectors",
  [from, to]: readonly [number, number],
): Steps<void> {
  for (let start = from; ; ) {
    const end = db
      .write(`select key from ${table} where key >= ? and key < ? order by key limit 1 offset ${ROWS_PER_STEP}`)
      .get(start, to)?.[0];
    db.write(`delete from ${table} where key >= ? and key < ?`).run(start, end === undefined ? to : Number(end));
    if (end === undefined) return;
    start = Number(end);
    yield;
  }
}

/** Rewrites a space's blocks once more than half of their rows are unused. */
export function* compactVectors(
  db: Database,
  space: number,
  revision: number,
  alive: (ordinal: number) => boolean,
): Steps<void> {
  const row = db.write("select dimension, slots, live, first_block, blocks from spaces where key = ?").get(space) ?? [];
  const [dimension, slots, live, firstBlock, blocks] = row.map(Number) as [number, number, number, number, number];
  if (slots - live <= Math.max(live, blockCapacity(dimension))) return;
  const width = padded(dimension);
  const next = firstBlock + blocks;
  const writer = openLastBlock(db, space, next, 0, dimension, revision);
  let kept = 0;
  for (let index = firstBlock; index < next; index++) {
    const [head, codes] = (db.write("select head, codes from vector_blocks where key = ?").get(keyOf(space, index)) ??
      []) as [Uint8Array, Uint8Array];
    const { owners, scales } = readHead(head);
    const all = new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength);
    owners.forEach((owner, slot) => {
      if (!alive(owner)) return;
      writer.add(owner, scales[slot] ?? 0, all.subarray(slot * width, (slot + 1) * width));
      kept++;
    });
    db.write("delete from vector_blocks where key = ?").run(keyOf(space, index));
    yield;
  }
  db.write("update spaces set first_block = ?, blocks = ?, slots = ? where key = ?").run(
    next,
    writer.finish(),
    kept,
    space,
  );
}
