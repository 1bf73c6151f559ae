import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { signBytes, signsOf } from "../../../../kernel/vector.js";
import type { ScanBlock, ScanOptions } from "./code-cache.js";
import type { Database } from "./database.js";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import { blockCapacity } from "./vectors.js";

const QUERY_AT = 0;
const PICKED_AT = 4096;
const TURN_MS = 10;
const KEPT_SPACES = 2;
const STEPS = 4096;

/**
 * How many pass a stage, at least or as a share of all vectors. On MiniLM's vectors of SciFact the first stage must keep
 * 1.4 % and the second 0.4 % to keep 98 of 100 of the ten nearest.
 */
const COARSE = { atLeast: 4000, share: 0.015 };
const FINE = { atLeast: 1500, share: 0.0045 };

/**
 * Binary quantisation in two stages over the signs of all vectors: first the Hamming distance to the query's signs, then, for
 * the rows that pass, the dot product of the query with the signs. Keeps the signs of the last used spaces in
 * memory: 1/32 of the size of the vectors.
 */
export function createBinaryPrefilter(db: Database) {
  const spaces = new LRUCache<number, { kernel: DotKernel; loaded: Pick<ScanBlock, "key" | "revision">[] }>({
    max: KEPT_SPACES,
  });

  const open = (space: number, rowBytes: number) => {
    const known = spaces.get(space) ?? { kernel: createDotKernel({ rowBytes }), loaded: [] };
    spaces.set(space, known);
    return known;
  };

  return {
    /** Ordinals to compare exactly, best first; undefined if the blocks were rewritten meanwhile. */
    async nearest(
      blocks: readonly ScanBlock[],
      vector: Float32Array,
      { limit, accepts, filtered, signal }: ScanOptions,
    ): Promise<Iterable<number> | undefined> {
      const dimension = vector.length;
      const bytes = signBytes(dimension);
      const capacity = blockCapacity(dimension);
      const stride = capacity * bytes;
      const { kernel, loaded } = open(blocks[0]?.space ?? 0, bytes);
      const total = blocks.reduce((sum, block) => sum + block.owners.length, 0);
      const distancesAt = PICKED_AT + capacity * 4;
      const minusOnesAt = distancesAt + capacity * 4;
      const signsAt = minusOnesAt + capacity * 4;
      kernel.reserve(signsAt + blocks.length * stride);

      const place = (index: number) => signsAt + index * stride;
      /** False if the block is gone. Blocks keep their order, so a place holds its block's signs until a rewrite. */
      const load = (index: number, { key, revision }: ScanBlock): boolean => {
        const signs = db.read<[Uint8Array]>("select signs from vector_blocks where key = ?").get(key)?.[0];
        if (signs) kernel.bytes().set(signs, place(index));
        loaded[index] = { key, revision };
        return signs !== undefined;
      };
      // Another search may load other blocks while this one yields, so repeat until a round loads nothing.
      for (let again = true, since = performance.now(); again; ) {
        again = false;
        for (let index = 0; index < blocks.length; index++) {
          const block = blocks[index]!;
          const known = loaded[index];
          if (known?.key === block.key && known.revision === block.revision) continue;
          if (!load(index, block)) return undefined;
          again = true;
          if (performance.now() - since > TURN_MS) {
            await nextTurn();
            signal?.throwIfAborted();
            since = performance.now();
          }
        }
      }

      kernel.bytes().set(signsOf(vector, dimension), QUERY_AT);
      const memory = kernel.bytes();
      const distances = new Int32Array(memory.buffer, distancesAt, capacity);
      const differences = (index: number, count: number) =>
        kernel.differences(place(index), count, QUERY_AT, distancesAt);
      const wanted = Math.max(COARSE.atLeast, 40 * limit, total * COARSE.share);
      const counts = new Uint32Array(dimension + 1);
      // With many rows, an eighth of each block is a large enough sample of distances; with filters it may be too small.
      const share = filtered || total <= 2 ** 16 ? 1 : 8;
      for (let index = 0; index < blocks.length; index++) {
        const { owners } = blocks[index]!;
        const rows = Math.ceil(owners.length / share);
        differences(index, rows);
        count(counts, distances, rows, filtered ? owners : undefined, accepts);
      }
      const coarse = cutOff(counts, wanted / share);

      const sums = sumsOfBytes(vector, bytes);
      // The nearest have the largest products with minus one.
      new Float32Array(memory.buffer, minusOnesAt, capacity).fill(-1);
      const picked = new Int32Array(memory.buffer, PICKED_AT, capacity);
      const passed = new Passed();
      for (let index = 0; index < blocks.length; index++) {
        const { owners } = blocks[index]!;
        differences(index, owners.length);
        const fours = Math.ceil(owners.length / 4) * 4;
        distances.fill(dimension + 1, owners.length, fours);
        const many = kernel.above(distancesAt, minusOnesAt, fours, 0, -coarse - 0.5, PICKED_AT);
        const rows = filtered ? keep(picked, many, owners, accepts) : many;
        passed.add(index * capacity, picked, rows, memory, place(index), sums);
      }
      const most = Math.ceil(Math.max(FINE.atLeast, 10 * limit, total * FINE.share));
      return living(passed.bestFirst(), blocks, capacity, accepts, most);
    },
  };
}

/** The chunks of these rows. Deleted chunks are skipped lazily: checking all rows would cost more than everything else. */
function* living(
  rows: Uint32Array,
  blocks: readonly ScanBlock[],
  capacity: number,
  accepts: (ordinal: number) => boolean,
  most: number,
): Iterable<number> {
  const found = new Set<number>();
  for (let i = 0; i < rows.length && found.size < most; i++) {
    const row = rows[i]!;
    const owner = blocks[Math.floor(row / capacity)]!.owners[row % capacity]!;
    if (found.has(owner) || !accepts(owner)) continue;
    found.add(owner);
    yield owner;
  }
}

/** The rows that passed the first stage, with their scores in the second. */
class Passed {
  private readonly numbers: number[] = [];
  private readonly scores: number[] = [];

  /** Rows of a block whose first has the number `first` and its signs at `signs`. */
  add(first: number, rows: Int32Array, many: number, memory: Uint8Array, signs: number, sums: Float64Array): void {
    const bytes = sums.length / 256;
    for (let n = 0; n < many; n++) {
      this.numbers.push(first + rows[n]!);
      this.scores.push(sumOver(memory, signs + rows[n]! * bytes, bytes, sums));
    }
  }

  /** Bucket sort: the order inside a bucket does not matter, because rows are read in batches. */
  bestFirst(): Uint32Array {
    const { numbers, scores } = this;
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (const score of scores) {
      if (score < least) least = score;
      if (score > greatest) greatest = score;
    }
    const steps = (STEPS - 1) / (greatest - least || 1);
    const places = new Uint32Array(STEPS + 1);
    for (const score of scores) places[Math.floor((greatest - score) * steps) + 1]!++;
    for (let step = 1; step <= STEPS; step++) places[step]! += places[step - 1]!;
    const ordered = new Uint32Array(numbers.length);
    for (let i = 0; i < scores.length; i++)
      ordered[places[Math.floor((greatest - scores[i]!) * steps)]!++] = numbers[i]!;
    return ordered;
  }
}

/** Moves the rows that are accepted to the front; returns how many. */
function keep(rows: Int32Array, many: number, owners: Uint32Array, accepts: (ordinal: number) => boolean): number {
  let kept = 0;
  for (let n = 0; n < many; n++) if (accepts(owners[rows[n]!]!)) rows[kept++] = rows[n]!;
  return kept;
}

/** Counts rows per distance; with `owners`, only accepted ones. */
function count(
  counts: Uint32Array,
  distances: Int32Array,
  rows: number,
  owners: Uint32Array | undefined,
  accepts: (ordinal: number) => boolean,
): void {
  for (let i = 0; i < rows; i++) if (!owners || accepts(owners[i]!)) counts[distances[i]!]!++;
}

/** The smallest distance that includes at least `wanted` rows. */
function cutOff(counts: Uint32Array, wanted: number): number {
  let sum = 0;
  for (let distance = 0; distance < counts.length; distance++) {
    sum += counts[distance]!;
    if (sum >= wanted) return distance;
  }
  return counts.length - 1;
}

/** For every byte position and byte value, the sum of the query's components whose bits are set. */
function sumsOfBytes(vector: Float32Array, bytes: number): Float64Array {
  const table = new Float64Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[byte * 256 + value] = table[byte * 256 + (value & (value - 1))]! + (vector[byte * 8 + lowest] ?? 0);
    }
  return table;
}

function sumOver(memory: Uint8Array, at: number, bytes: number, table: Float64Array): number {
  let even = 0;
  let odd = 0;
  // The length of a row is a multiple of 16 bytes.
  for (let byte = 0; byte < bytes; byte += 2) {
    even += table[byte * 256 + memory[at + byte]!]!;
    odd += table[(byte + 1) * 256 + memory[at + byte + 1]!]!;
  }
  return even + odd;
}
