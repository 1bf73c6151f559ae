import { setImmediate as nextTurn } from "node:timers/promises";
import { TopK } from "../../../../kernel/top-k.js";
import { dot, quantise } from "../../../../kernel/vector.js";
import type { MeaningHit } from "../../chunk-store.js";
import { createBinaryPrefilter } from "./binary-prefilter.js";
import { createCodeCache, type ScanBlock, type ScanOptions } from "./code-cache.js";
import type { Database } from "./database.js";
import { createDotKernel } from "./dot-kernel.js";
import { keyOf } from "./schema.js";
import { BLOCK_BYTES, type BlockHead, padded } from "./vectors.js";

interface ScannedSpace {
  key: number;
  space: number;
  blocks: readonly ScanBlock[];
}

const KIB = 1024;
const QUERY_AT = 0;
const PRODUCTS_AT = 64 * KIB;
const SCALES_AT = 192 * KIB;
const PICKED_AT = 320 * KIB;
const SLOTS_AT = 448 * KIB;
const TURN_MS = 10;
/**
 * Assumed error of a similarity, in steps of its code. The standard error of rounding is 0.29 of a step, of the difference of two
 * similarities 0.41; twice this value is six times that.
 */
const DOUBT = 1.25;

/**
 * A space whose codes fit in `cacheBytes` is scanned completely, in WebAssembly memory. A larger one is filtered by the signs
 * of its vectors first, and the rest is compared exactly: faster, but a nearest chunk may be missed.
 */
export function createVectorScan(db: Database, cacheBytes: number) {
  const kernel = createDotKernel();
  const capacity = Math.max(1, Math.floor(cacheBytes / BLOCK_BYTES));
  const cache = createCodeCache(db, kernel, { from: SLOTS_AT, capacity });
  const prefilter = createBinaryPrefilter(db);

  /** A superset of the nearest, by their codes. */
  const candidatesIn = async (
    blocks: readonly ScanBlock[],
    vector: Float32Array,
    { limit, accepts, signal }: ScanOptions,
  ): Promise<number[] | undefined> => {
    const width = padded(vector.length);
    const weights = new Int16Array(width);
    const margin = DOUBT / quantise(vector, weights, 2047);
    kernel.reserve(SLOTS_AT);
    cache.forgetRewritten(blocks);
    const contenders = new Contenders(limit, margin, accepts);
    let since = performance.now();
    for (const block of blocks) {
      const at = cache.place(block);
      if (at === undefined) return undefined;
      const { buffer } = kernel.bytes();
      const count = block.owners.length;
      const fours = Math.ceil(count / 4) * 4;
      new Int16Array(buffer, QUERY_AT, width).set(weights);
      new Float32Array(buffer, SCALES_AT, count).set(block.scales);
      kernel.dots(at, fours, width, QUERY_AT, PRODUCTS_AT);
      const many = kernel.above(PRODUCTS_AT, SCALES_AT, fours, margin, contenders.floor, PICKED_AT);
      if (many > 0)
        contenders.add(block, new Int32Array(buffer, PRODUCTS_AT, count), new Int32Array(buffer, PICKED_AT, many));
      if (performance.now() - since > TURN_MS) {
        await nextTurn();
        signal?.throwIfAborted();
        since = performance.now();
      }
    }
    return contenders.finish();
  };

  return {
    /**
     * The nearest chunks, each by its best window; undefined if the blocks were rewritten meanwhile. Yields to other work
     * regularly and stops on `signal`.
     */
    async nearest(space: ScannedSpace, unit: Float32Array, options: ScanOptions): Promise<MeaningHit[] | undefined> {
      const { blocks } = space;
      const candidates = await (blocks.length > capacity
        ? prefilter.nearest(blocks, unit, options)
        : candidatesIn(blocks, unit, options));
      return candidates && exactly(db, space, unit, candidates, options.limit);
    },
  };
}

/**
 * The chunks that may be among the best: a code gives a lower and an upper bound of the similarity, and every chunk
 * whose upper bound reaches the k-th best lower bound is kept. Each chunk by its best window; windows of one chunk are
 * neighbours, at most across a border of blocks.
 */
class Contenders {
  private readonly surely: TopK;
  private readonly kept: number[] = [];
  private readonly mosts: number[] = [];
  private owner = -1;
  private least = Number.NEGATIVE_INFINITY;
  private most = Number.NEGATIVE_INFINITY;

  constructor(
    limit: number,
    private readonly margin: number,
    private readonly accepts: (ordinal: number) => boolean,
  ) {
    this.surely = new TopK(limit);
  }

  /** Candidates whose upper bound is lower are dropped. */
  get floor(): number {
    return this.surely.floor;
  }

  add({ owners, scales }: BlockHead, products: Int32Array, picked: Int32Array): void {
    const { margin } = this;
    for (let at = 0; at < picked.length; at++) {
      const i = picked[at]!;
      // After the last vector the memory holds data of an earlier block.
      if (i >= products.length) break;
      const scale = scales[i]!;
      const least = (products[i]! - margin) * scale;
      const most = (products[i]! + margin) * scale;
      if (owners[i] !== this.owner) {
        this.settle();
        this.owner = owners[i]!;
        this.least = least;
        this.most = most;
      } else {
        if (least > this.least) this.least = least;
        if (most > this.most) this.most = most;
      }
    }
  }

  /** Best first. */
  finish(): number[] {
    this.settle();
    const { floor, kept, mosts } = this;
    const places: number[] = [];
    for (let i = 0; i < mosts.length; i++) if (mosts[i]! >= floor) places.push(i);
    return places.sort((a, b) => mosts[b]! - mosts[a]! || a - b).map((place) => kept[place]!);
  }

  private settle(): void {
    if (this.owner < 0 || this.most <= this.surely.floor || !this.accepts(this.owner)) return;
    this.kept.push(this.owner);
    this.mosts.push(this.most);
    this.surely.offer(this.owner, this.least);
  }
}

const BATCH = 256;
/** With a smaller limit, a batch without a hit would not be a safe reason to stop. */
const DEEP_ENOUGH = 40;

/**
 * The nearest candidates by their exact vectors, each chunk by its best window. Candidates come best
 * first, so reading stops after the first batch without a hit.
 */
function exactly(
  db: Database,
  project: { key: number; space: number },
  unit: Float32Array,
  candidates: Iterable<number>,
  limit: number,
): MeaningHit[] {
  const top = new TopK(Math.max(limit, DEEP_ENOUGH));
  const ids = new Map<number, string>();
  for (const batch of batchesOf(candidates)) {
    batch.sort((a, b) => a - b);
    const floor = top.floor;
    let entered = false;
    for (const { ordinal, id, similarity } of similarities(db, project, unit, batch)) {
      entered ||= similarity > floor;
      top.offer(ordinal, similarity);
      ids.set(ordinal, id);
    }
    if (!entered) break;
  }
  return top
    .sorted()
    .slice(0, limit)
    .map(({ id, score }) => ({ id: ids.get(id) ?? "", similarity: score }));
}

function* batchesOf(candidates: Iterable<number>): Iterable<number[]> {
  let batch: number[] = [];
  for (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Compared {
  ordinal: number;
  id: string;
  similarity: number;
}

/** One row per vector; the vectors of a chunk follow each other. */
function similarities(
  db: Database,
  { key, space }: { key: number; space: number },
  unit: Float32Array,
  ordinals: readonly number[],
): Compared[] {
  const rows = db
    .read<[number, string, Uint8Array]>(
      `select j.value, c.id, v.data
       from json_each(?) j join chunks c indexed by chunk_places on c.key = ? + j.value
       join vectors v on v.key >= ? + c.vector and v.key < ? + c.vector + c.vectors`,
    )
    .all(JSON.stringify(ordinals), keyOf(key, 0), keyOf(space, 0), keyOf(space, 0));
  const compared: Compared[] = [];
  let last: Compared | undefined;
  for (const [ordinal, id, data] of rows) {
    const similarity = dot(unit, new Float32Array(data.buffer, data.byteOffset, unit.length));
    if (last?.ordinal !== ordinal) {
      last = { ordinal, id, similarity };
      compared.push(last);
    } else if (similarity > last.similarity) last.similarity = similarity;
  }
  return compared;
}
