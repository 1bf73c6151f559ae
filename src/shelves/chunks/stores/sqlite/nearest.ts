import type { MeaningHit } from "../../chunk-store.js";
import type { Database } from "./database.js";
import { keyOf, ordinalOf } from "./schema.js";
import { TopScores } from "./top-scores.js";

const AT_ONCE = 256;

/**
 * The nearest of the candidates by their exact vectors, each chunk by its best window. Candidates come the likeliest
 * first, so reading ends with the first lot of them that brings nothing.
 */
export function nearest(
  db: Database,
  project: { key: number; space: number },
  unit: Float32Array,
  candidates: readonly number[],
  limit: number,
): MeaningHit[] {
  const top = new TopScores(Math.min(limit, candidates.length));
  const ids = new Map<number, string>();
  const space = keyOf(project.space, 0);
  for (let start = 0; start < candidates.length; start += AT_ONCE) {
    const lot = candidates.slice(start, start + AT_ONCE).sort((a, b) => a - b);
    const similarities = new Map<number, number>();
    for (const [key, id, data] of db
      .read<[number, string, Uint8Array]>(
        `select c.key, c.id, v.data from json_each(?) j join chunks c on c.key = j.value
         join vectors v on v.key >= ? + c.vector and v.key < ? + c.vector + c.vectors`,
      )
      .all(JSON.stringify(lot.map((ordinal) => keyOf(project.key, ordinal))), space, space)) {
      const similarity = dot(unit, new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4));
      const ordinal = ordinalOf(key);
      if (similarity <= (similarities.get(ordinal) ?? Number.NEGATIVE_INFINITY)) continue;
      similarities.set(ordinal, similarity);
      ids.set(ordinal, id);
    }
    const floor = top.floor;
    let entered = false;
    for (const [ordinal, similarity] of similarities) {
      entered ||= similarity > floor;
      top.offer(ordinal, similarity);
    }
    if (!entered) break;
  }
  return top.sorted().map(({ ordinal, score }) => ({ id: ids.get(ordinal) ?? "", similarity: score }));
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!;
  return total;
}
