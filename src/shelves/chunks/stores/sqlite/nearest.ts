import { TopK } from "../../../../kernel/top-k.js";
import { dot } from "../../../../kernel/vector.js";
import type { MeaningHit } from "../../chunk-store.js";
import type { Database } from "./database.js";
import { keyOf } from "./schema.js";

const BATCH = 256;
/** With a smaller limit, a batch without a hit would not be a safe reason to stop. */
const DEEP_ENOUGH = 40;

/**
 * The nearest candidates by their exact vectors, each chunk by its best window. Candidates come best
 * first, so reading stops after the first batch without a hit.
 */
export function nearest(
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
