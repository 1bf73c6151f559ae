import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./database.js";
import { createDotKernel } from "./dot-kernel.js";
import { createSignSieve } from "./sign-sieve.js";
import { TopScores } from "./top-scores.js";
import { BLOCK_BYTES, type BlockHead, padded, quantise } from "./vectors.js";

/** A block as a search sees it: whose vectors it holds, and under which key and revision its codes lie. */
export interface ScanBlock extends BlockHead {
  key: number;
  space: number;
  revision: number;
}

export interface ScanOptions {
  limit: number;
  accepts(ordinal: number): boolean;
  /** Whether `accepts` turns away more than chunks that are gone. */
  filtered: boolean;
  signal: AbortSignal | undefined;
}

export interface VectorScan {
  /**
   * The best chunks by their best window, as the codes tell, and some more; undefined where the blocks were rewritten meanwhile. Gives
   * way to other work and to `signal` now and then.
   */
  best(blocks: readonly ScanBlock[], vector: Float32Array, options: ScanOptions): Promise<number[] | undefined>;
}

const QUERY_AT = 0;
const PRODUCTS_AT = 64 * 1024;
const SLOTS_AT = 192 * 1024;
const TURN_MS = 10;
/**
 * By how many steps of the coarsest code two similarities may come out in the wrong order. Rounding errs by 0.29 of a
 * step, the difference of two by 0.41: this is six times that.
 */
const DOUBT = 2.5;

/**
 * A space whose codes fit in `cacheBytes` is scanned whole, in WebAssembly memory. A larger one is sieved by the signs of
 * its vectors first, which are compared exactly afterwards: quick, and no longer certain to be complete.
 */
export function createVectorScan(db: Database, cacheBytes: number): VectorScan {
  const kernel = createDotKernel();
  const capacity = Math.max(1, Math.floor(cacheBytes / BLOCK_BYTES));
  const cache = createCodeCache(db, kernel, capacity);
  const sieve = createSignSieve(db);

  return {
    async best(blocks, vector, options) {
      if (blocks.length > capacity) return sieve.nearest(blocks, vector, options);
      const { limit, accepts, signal } = options;
      const width = padded(vector.length);
      // The codes are within a percent of the truth: some more than asked for are looked at exactly.
      const top = new TopScores(Math.max(Math.ceil(limit * 1.5), limit + 32));
      const weights = new Int16Array(width);
      const unit = quantise(vector, weights, 2047);
      kernel.reserve(SLOTS_AT);
      const best = new BestOwners(top, accepts);
      let since = performance.now();
      for (const block of blocks) {
        const at = cache.place(block);
        if (at === undefined) return undefined;
        const memory = kernel.bytes();
        new Int16Array(memory.buffer, QUERY_AT, width).set(weights);
        const count = block.owners.length;
        kernel.dots(at, Math.ceil(count / 4) * 4, width, QUERY_AT, PRODUCTS_AT);
        best.add(block, new Int32Array(memory.buffer, PRODUCTS_AT, count));
        if (performance.now() - since > TURN_MS) {
          await nextTurn();
          signal?.throwIfAborted();
          since = performance.now();
        }
      }
      best.finish();
      const ranked = top.sorted();
      const least = (ranked[limit - 1]?.score ?? Number.NEGATIVE_INFINITY) - (DOUBT * best.coarsest) / unit;
      return ranked.filter(({ score }) => score >= least).map(({ ordinal }) => ordinal);
    },
  };
}

/** Each chunk by its best window. Windows of one chunk lie side by side, at most across a border of blocks. */
class BestOwners {
  /** The largest step of a code among those that came near the best. */
  coarsest = 0;
  private owner = -1;
  private score = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly top: TopScores,
    private readonly accepts: (ordinal: number) => boolean,
  ) {}

  add({ owners, scales }: BlockHead, products: Int32Array): void {
    // Plain variables and one comparison for most: this loop passes every vector of a project.
    let { owner, score } = this;
    let floor = this.top.floor;
    for (let i = 0; i < products.length; i++) {
      const similarity = products[i]! * scales[i]!;
      if (similarity <= floor) continue;
      if (scales[i]! > this.coarsest) this.coarsest = scales[i]!;
      if (owners[i] === owner) {
        if (similarity > score) score = similarity;
        continue;
      }
      if (score > floor) floor = this.offer(owner, score);
      owner = owners[i]!;
      score = similarity;
    }
    this.owner = owner;
    this.score = score;
  }

  finish(): void {
    if (this.score > this.top.floor) this.offer(this.owner, this.score);
  }

  private offer(owner: number, score: number): number {
    if (owner >= 0 && this.accepts(owner)) this.top.offer(owner, score);
    return this.top.floor;
  }
}

interface CodeCache {
  /** The address of a block's codes, brought there if need be; undefined where the block is gone. */
  place(block: ScanBlock): number | undefined;
}

function createCodeCache(db: Database, kernel: ReturnType<typeof createDotKernel>, capacity: number): CodeCache {
  const slots = new Map<number, { slot: number; revision: number; space: number }>();
  const lastUse = new Map<number, number>();
  const free: number[] = [];
  let used = 0;
  let clock = 0;

  const address = (slot: number) => SLOTS_AT + slot * BLOCK_BYTES;

  const forget = (space: number): void => {
    for (const [key, entry] of slots)
      if (entry.space === space) {
        slots.delete(key);
        free.push(entry.slot);
      }
    lastUse.delete(space);
  };

  /** Frees the space that was asked longest ago; the asking one only where it is alone, with blocks that are no more. */
  const makeRoom = (asking: number): void => {
    let victim = asking;
    for (const { space } of slots.values())
      if (space !== asking && (victim === asking || (lastUse.get(space) ?? 0) < (lastUse.get(victim) ?? 0)))
        victim = space;
    forget(victim);
  };

  const newSlot = (space: number): number => {
    if (free.length === 0 && used >= capacity) makeRoom(space);
    const slot = free.pop();
    if (slot !== undefined) return slot;
    // A quarter more than needed, so that growing does not copy the memory for every block.
    if (address(used + 1) > kernel.bytes().byteLength)
      kernel.reserve(address(Math.min(capacity, Math.ceil((used + 1) * 1.25))));
    return used++;
  };

  return {
    place(block) {
      lastUse.set(block.space, ++clock);
      const known = slots.get(block.key);
      if (known?.revision === block.revision) return address(known.slot);
      const codes = db.read<[Uint8Array]>("select codes from vector_blocks where key = ?").get(block.key)?.[0];
      if (!codes) return undefined;
      const slot = known?.slot ?? newSlot(block.space);
      slots.set(block.key, { slot, revision: block.revision, space: block.space });
      const at = address(slot);
      kernel.bytes().set(codes, at);
      return at;
    },
  };
}
