import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.js";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import type { ScanBlock, ScanOptions } from "./vector-scan.js";
import { blockCapacity, signBytes, signsOf } from "./vectors.js";

const QUERY_AT = 0;
const PICKED_AT = 4096;
const TURN_MS = 10;
const KEPT_SPACES = 2;

/**
 * How many pass, at least or as a share of all vectors. On MiniLM's vectors of SciFact the first mesh must let 1.4 % pass
 * and the second 0.4 % to keep 98 of 100 of the ten nearest.
 */
const COARSE = { atLeast: 4000, share: 0.015 };
const FINE = { atLeast: 1500, share: 0.0045 };

export interface SignSieve {
  /** Ordinals worth comparing exactly; undefined where the blocks were rewritten meanwhile. */
  nearest(blocks: readonly ScanBlock[], vector: Float32Array, options: ScanOptions): Promise<number[] | undefined>;
}

/**
 * Two meshes over the signs of all vectors: in how many they differ from the query's, and, of what passes, what the
 * query's own numbers add up to over them. Keeps the signs of the spaces last asked in memory: a thirtieth of the
 * vectors' size.
 */
export function createSignSieve(db: Database): SignSieve {
  const spaces = new Map<number, { kernel: DotKernel; loaded: Pick<ScanBlock, "key" | "revision">[] }>();

  const open = (space: number) => {
    const known = spaces.get(space) ?? { kernel: createDotKernel(), loaded: [] };
    spaces.delete(space);
    spaces.set(space, known);
    for (const oldest of spaces.keys()) {
      if (spaces.size <= KEPT_SPACES) break;
      spaces.delete(oldest);
    }
    return known;
  };

  return {
    async nearest(blocks, vector, { limit, accepts, filtered, signal }) {
      const dimension = vector.length;
      const bytes = signBytes(dimension);
      const capacity = blockCapacity(dimension);
      const stride = capacity * bytes;
      const { kernel, loaded } = open(blocks[0]?.space ?? 0);
      const total = blocks.reduce((sum, block) => sum + block.owners.length, 0);
      const minusOnesAt = PICKED_AT + capacity * 4;
      const signsAt = minusOnesAt + capacity * 4;
      const distancesAt = signsAt + blocks.length * stride;
      // Behind the last distance the kernel may look at three more.
      kernel.reserve(distancesAt + total * 4 + 16);

      const place = (index: number) => signsAt + index * stride;
      /** False where the block is gone. Blocks keep their order, so a place holds its block's signs until a rewrite. */
      const load = (index: number, { key, revision }: ScanBlock): boolean => {
        const signs = db.read<[Uint8Array]>("select signs from vector_blocks where key = ?").get(key)?.[0];
        if (signs) kernel.bytes().set(signs, place(index));
        loaded[index] = { key, revision };
        return signs !== undefined;
      };
      // Another search may load other blocks while this one gives way, so the last round must find nothing to load.
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

      kernel.bytes().set(signsOf(vector, 1, dimension, dimension), QUERY_AT);
      for (let index = 0, at = distancesAt; index < blocks.length; index++) {
        const count = blocks[index]!.owners.length;
        kernel.differences(place(index), count, bytes, QUERY_AT, at);
        at += count * 4;
      }
      const memory = kernel.bytes();
      const distances = new Int32Array(memory.buffer, distancesAt, total);
      if (filtered) shutOut(blocks, accepts, distances, dimension + 1);
      const coarse = cutOff(distances, dimension, Math.max(COARSE.atLeast, 40 * limit, total * COARSE.share));
      const sums = sumsOfBytes(vector, bytes);
      const passed = new Passed();
      // The nearest have the largest products with minus one.
      new Float32Array(memory.buffer, minusOnesAt, capacity).fill(-1);
      const picked = new Int32Array(memory.buffer, PICKED_AT, capacity);
      for (let index = 0, at = distancesAt; index < blocks.length; index++) {
        const { owners } = blocks[index]!;
        const fours = Math.ceil(owners.length / 4) * 4;
        const many = kernel.above(at, minusOnesAt, fours, 0, -coarse - 0.5, PICKED_AT);
        for (let n = 0; n < many; n++) {
          const i = picked[n]!;
          if (i >= owners.length || !accepts(owners[i]!)) continue;
          passed.add(owners[i]!, sumOver(memory, place(index) + i * bytes, bytes, sums));
        }
        at += owners.length * 4;
      }
      return passed.best(Math.ceil(Math.max(FINE.atLeast, 10 * limit, total * FINE.share)));
    },
  };
}

/** What passed the first mesh, and how it fares in the second. */
class Passed {
  private readonly owners: number[] = [];
  private readonly scores: number[] = [];

  add(owner: number, score: number): void {
    this.owners.push(owner);
    this.scores.push(score);
  }

  /** The best first, each once. Sorting numbers that hold score and place together is many times faster than sorting by score. */
  best(most: number): number[] {
    const { owners, scores } = this;
    const PLACES = 2 ** 24;
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (const score of scores) {
      if (score < least) least = score;
      if (score > greatest) greatest = score;
    }
    const steps = (2 ** 28 - 1) / (greatest - least || 1);
    const keys = new Float64Array(scores.length);
    for (let i = 0; i < keys.length; i++) keys[i] = Math.round((greatest - scores[i]!) * steps) * PLACES + i;
    keys.sort();
    const found = new Set<number>();
    for (let i = 0; i < Math.min(most, keys.length); i++) found.add(owners[keys[i]! % PLACES]!);
    return [...found];
  }
}

function shutOut(
  blocks: readonly ScanBlock[],
  accepts: (ordinal: number) => boolean,
  distances: Int32Array,
  beyond: number,
): void {
  let row = 0;
  for (const { owners } of blocks)
    for (const owner of owners) {
      if (!accepts(owner)) distances[row] = beyond;
      row++;
    }
}

/** The distance within which about so many rows lie; among many rows every eighth tells. */
function cutOff(distances: Int32Array, dimension: number, atLeast: number): number {
  const every = distances.length > 2 ** 16 ? 8 : 1;
  const counts = new Uint32Array(dimension + 2);
  for (let i = 0; i < distances.length; i += every) counts[distances[i]!]!++;
  let sum = 0;
  for (let distance = 0; distance <= dimension; distance++) {
    sum += (counts[distance] ?? 0) * every;
    if (sum >= atLeast) return distance;
  }
  return dimension;
}

/** For every byte of a row and every value it may have: the sum of the query's numbers whose bits are set. */
function sumsOfBytes(vector: Float32Array, bytes: number): Float32Array {
  const table = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[byte * 256 + value] = table[byte * 256 + (value & (value - 1))]! + (vector[byte * 8 + lowest] ?? 0);
    }
  return table;
}

function sumOver(memory: Uint8Array, at: number, bytes: number, table: Float32Array): number {
  let sum = 0;
  for (let byte = 0; byte < bytes; byte++) sum += table[byte * 256 + memory[at + byte]!]!;
  return sum;
}
