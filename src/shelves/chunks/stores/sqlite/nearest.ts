import { TopK } from "../../../../kernel/top-k.js";
import type { MeaningHit } from "../../chunk-store.js";
import type { Database } from "./database.js";
import { keyOf } from "./schema.js";

const AT_ONCE = 256;
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
  const query = new Float64Array(unit);
  for (const lot of lotsOf(candidates)) {
    lot.sort((a, b) => a - b);
    const floor = top.floor;
    let entered = false;
    for (const { ordinal, id, similarity } of similarities(db, project, query, lot)) {
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

function* lotsOf(candidates: Iterable<number>): Iterable<number[]> {
  let lot: number[] = [];
  for (const candidate of candidates) {
    lot.push(candidate);
    if (lot.length < AT_ONCE) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

interface Compared {
  ordinal: number;
  id: string;
  similarity: number;
}

/** One row for all of them: a row and a blob of its own for each chunk would cost more than reading them. */
function similarities(
  db: Database,
  { key, space }: { key: number; space: number },
  unit: Float64Array,
  ordinals: readonly number[],
): Compared[] {
  // In a UTF-8 file concatenating takes the bytes of a blob as they are. All three lists are in the order of the rows.
  const [owners = "[]", ids = "[]", data] =
    db
      .read<[string, string, Uint8Array | null]>(
        `select json_group_array(j.value), json_group_array(c.id), cast(group_concat(v.data, '') as blob)
         from json_each(?) j join chunks c indexed by chunk_places on c.key = ? + j.value
         join vectors v on v.key >= ? + c.vector and v.key < ? + c.vector + c.vectors`,
      )
      .get(JSON.stringify(ordinals), keyOf(key, 0), keyOf(space, 0), keyOf(space, 0)) ?? [];
  if (!data) return [];
  const values = new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  const idOf = JSON.parse(ids) as string[];
  const compared: Compared[] = [];
  let last: Compared | undefined;
  (JSON.parse(owners) as number[]).forEach((ordinal, i) => {
    const similarity = dot(unit, values, i * unit.length);
    if (last?.ordinal !== ordinal) {
      last = { ordinal, id: idOf[i] ?? "", similarity };
      compared.push(last);
    } else if (similarity > last.similarity) last.similarity = similarity;
  });
  return compared;
}

/** Four sums side by side: one would wait for itself at every step. */
function dot(unit: Float64Array, values: Float32Array, at: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (const { length } = unit; i + 3 < length; i += 4) {
    a += unit[i]! * values[at + i]!;
    b += unit[i + 1]! * values[at + i + 1]!;
    c += unit[i + 2]! * values[at + i + 2]!;
    d += unit[i + 3]! * values[at + i + 3]!;
  }
  for (; i < unit.length; i++) a += unit[i]! * values[at + i]!;
  return a + b + c + d;
}
