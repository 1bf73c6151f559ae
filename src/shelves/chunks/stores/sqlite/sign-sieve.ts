import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.js";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import { TopScores } from "./top-scores.js";
import type { ScanBlock, ScanOptions } from "./vector-scan.js";
import { blockCapacity, signBytes, signsOf } from "./vectors.js";

const QUERY_AT = 0;
const SIGNS_AT = 4096;
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
  const spaces = new Map<number, { kernel: DotKernel; revisions: Map<number, string> }>();

  const open = (space: number) => {
    const known = spaces.get(space) ?? { kernel: createDotKernel(), revisions: new Map<number, string>() };
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
      const stride = blockCapacity(dimension) * bytes;
      const { kernel, revisions } = open(blocks[0]?.space ?? 0);
      const total = blocks.reduce((sum, block) => sum + block.owners.length, 0);
      const distancesAt = SIGNS_AT + blocks.length * stride;
      kernel.reserve(distancesAt + total * 4);

      const place = (index: number) => SIGNS_AT + index * stride;
      /** False where the block is gone. Blocks keep their order, so a place holds its block's signs until a rewrite. */
      const load = (index: number, { key }: ScanBlock, state: string): boolean => {
        const signs = db.read<[Uint8Array]>("select signs from vector_blocks where key = ?").get(key)?.[0];
        if (signs) kernel.bytes().set(signs, place(index));
        revisions.set(index, state);
        return signs !== undefined;
      };
      // Another search may load other blocks while this one gives way, so the last round must find nothing to load.
      for (let loaded = true, since = performance.now(); loaded; ) {
        loaded = false;
        for (const [index, block] of blocks.entries()) {
          const state = `${block.key} ${block.revision}`;
          if (revisions.get(index) === state) continue;
          if (!load(index, block, state)) return undefined;
          loaded = true;
          if (performance.now() - since > TURN_MS) {
            await nextTurn();
            signal?.throwIfAborted();
            since = performance.now();
          }
        }
      }

      kernel.bytes().set(signsOf(vector, 1, dimension, dimension), QUERY_AT);
      let at = distancesAt;
      for (const [index, { owners }] of blocks.entries()) {
        kernel.differences(place(index), owners.length, bytes, QUERY_AT, at);
        at += owners.length * 4;
      }
      const memory = kernel.bytes();
      const distances = new Int32Array(memory.buffer, distancesAt, total);
      if (filtered) shutOut(blocks, accepts, distances, dimension + 1);
      const coarse = cutOff(distances, dimension, Math.max(COARSE.atLeast, 40 * limit, total * COARSE.share));
      const fine = new TopScores(Math.ceil(Math.max(FINE.atLeast, 10 * limit, total * FINE.share)));
      const table = sumsOfBytes(vector, bytes);
      let first = 0;
      for (const [index, { owners }] of blocks.entries()) {
        for (const i of within(distances, first, owners.length, coarse)) {
          const owner = owners[i]!;
          if (accepts(owner)) fine.offer(owner, sumOver(memory, place(index) + i * bytes, bytes, table));
        }
        first += owners.length;
      }
      return [...new Set(fine.sorted().map(({ ordinal }) => ordinal))];
    },
  };
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

/** Which of `count` rows lie near enough: few, so the loop over all of them is kept apart and plain. */
function within(distances: Int32Array, first: number, count: number, most: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (distances[first + i]! <= most) found.push(i);
  return found;
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
