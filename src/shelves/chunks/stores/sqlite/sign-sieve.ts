import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.js";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import type { ScanBlock } from "./vector-scan.js";
import { blockCapacity, signBytes, signsOf } from "./vectors.js";

const QUERY_AT = 0;
const DISTANCES_AT = 4096;
const SIGNS_AT = 192 * 1024;
const TURN_MS = 10;
const KEPT_SPACES = 2;

export interface SignSieve {
  /** At least so many ordinals, where there are, whose vectors differ from the query's in the fewest signs. */
  nearest(
    blocks: readonly ScanBlock[],
    vector: Float32Array,
    options: { atLeast: number; accepts(ordinal: number): boolean; signal: AbortSignal | undefined },
  ): Promise<number[] | undefined>;
}

/** Keeps the signs of the spaces last asked in memory: a thirtieth of the vectors' size. */
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
    async nearest(blocks, vector, { atLeast, accepts, signal }) {
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
      return within(blocks, distances, cutOff(counts, dimension, atLeast));
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

function within(blocks: readonly ScanBlock[], distances: Uint16Array, most: number): number[] {
  const ordinals: number[] = [];
  let at = 0;
  for (const { owners } of blocks)
    for (let i = 0; i < owners.length; i++) {
      if ((distances[at++] ?? 0) > most) continue;
      const owner = owners[i] ?? 0;
      if (ordinals.at(-1) !== owner) ordinals.push(owner);
    }
  return ordinals;
}
