import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.js";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import { TopScores } from "./top-scores.js";
import type { ScanBlock } from "./vector-scan.js";
import { blockCapacity, signBytes, signsOf } from "./vectors.js";

const QUERY_AT = 0;
const DISTANCES_AT = 4096;
const SIGNS_AT = 192 * 1024;
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
  nearest(
    blocks: readonly ScanBlock[],
    vector: Float32Array,
    options: { limit: number; accepts(ordinal: number): boolean; signal: AbortSignal | undefined },
  ): Promise<number[] | undefined>;
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
    async nearest(blocks, vector, { limit, accepts, signal }) {
      const dimension = vector.length;
      const bytes = signBytes(dimension);
      const stride = blockCapacity(dimension) * bytes;
      const { kernel, revisions } = open(blocks[0]?.space ?? 0);
      kernel.reserve(SIGNS_AT + blocks.length * stride);
      const asked = signsOf(vector, 1, dimension, dimension);
      const total = blocks.reduce((sum, block) => sum + block.owners.length, 0);
      const distances = new Uint16Array(total);
      const counts = new Uint32Array(dimension + 2);
      let at = 0;
      let since = performance.now();
      for (const [index, block] of blocks.entries()) {
        const place = SIGNS_AT + index * stride;
        // Blocks keep their order, so a block's place holds its own signs until the space is rewritten.
        const state = `${block.key} ${block.revision}`;
        if (revisions.get(index) !== state) {
          const signs = db.read<[Uint8Array]>("select signs from vector_blocks where key = ?").get(block.key)?.[0];
          if (!signs) return undefined;
          kernel.bytes().set(signs, place);
          revisions.set(index, state);
        }
        const memory = kernel.bytes();
        memory.set(asked, QUERY_AT);
        const { owners } = block;
        kernel.differences(place, owners.length, bytes, QUERY_AT, DISTANCES_AT);
        const found = new Int32Array(memory.buffer, DISTANCES_AT, owners.length);
        for (let i = 0; i < owners.length; i++) {
          const distance = accepts(owners[i] ?? 0) ? (found[i] ?? 0) : dimension + 1;
          distances[at++] = distance;
          counts[distance] = (counts[distance] ?? 0) + 1;
        }
        if (performance.now() - since > TURN_MS) {
          await nextTurn();
          signal?.throwIfAborted();
          since = performance.now();
        }
      }
      const coarse = cutOff(counts, dimension, Math.max(COARSE.atLeast, 40 * limit, total * COARSE.share));
      const fine = new TopScores(Math.ceil(Math.max(FINE.atLeast, 10 * limit, total * FINE.share)));
      const memory = kernel.bytes();
      const table = sumsOfBytes(vector, bytes);
      at = 0;
      for (const [index, { owners }] of blocks.entries())
        for (let i = 0; i < owners.length; i++)
          if (distances[at++]! <= coarse)
            fine.offer(owners[i]!, sumOver(memory, SIGNS_AT + index * stride + i * bytes, bytes, table));
      return [...new Set(fine.sorted().map(({ ordinal }) => ordinal))];
    },
  };
}

function cutOff(counts: Uint32Array, dimension: number, atLeast: number): number {
  let sum = 0;
  for (let distance = 0; distance <= dimension; distance++) {
    sum += counts[distance] ?? 0;
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
