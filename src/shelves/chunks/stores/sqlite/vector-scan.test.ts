import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { passage, project, testModel } from "../../../../../tests/support/chunks.js";
import { sqliteChunkStore } from "../sqlite.js";

const DIMENSION = 384;
const folder = await mkdtemp(join(tmpdir(), "bookwheel-scan-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const file = join(folder, "shelf.db");

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = generator(5);
const spread = (scale: number) =>
  Float32Array.from({ length: DIMENSION }, () => (random() + random() + random() - 1.5) * scale);
const near = (centre: Float32Array) => {
  const noise = spread(0.7);
  return centre.map((value, i) => value + (noise[i] ?? 0));
};
const centres = Array.from({ length: 20 }, () => spread(1));
const vectors = Array.from({ length: 3000 }, (_, i) => near(centres[i % centres.length] ?? spread(1)));
const queries = centres.slice(0, 10).map(near);

beforeAll(async () => {
  const store = sqliteChunkStore({ file });
  await store.createProject(project("a", { model: { ...testModel, dimension: DIMENSION } }));
  for (let start = 0; start < vectors.length; start += 500)
    await store.upsert(
      "a",
      vectors
        .slice(start, start + 500)
        .map((vector, i) =>
          passage({ id: `${start + i}`, text: "x", tags: (start + i) % 50 === 0 ? ["rare"] : [], vectors: [vector] }),
        ),
    );
  await store.close();
});

function nearest(
  query: Float32Array,
  count: number,
  keep: (i: number) => boolean = () => true,
  among: readonly Float32Array[] = vectors,
): string[] {
  const cosine = (vector: Float32Array) => {
    let [dot, length] = [0, 0];
    vector.forEach((value, i) => {
      dot += value * (query[i] ?? 0);
      length += value * value;
    });
    return dot / Math.sqrt(length);
  };
  return among
    .map((vector, i) => ({ id: `${i}`, near: cosine(vector), keep: keep(i) }))
    .filter((entry) => entry.keep)
    .sort((a, b) => b.near - a.near)
    .slice(0, count)
    .map(({ id }) => id);
}

it("scanning all codes finds exactly the nearest", async () => {
  const store = sqliteChunkStore({ file });
  for (const query of queries) {
    const hits = await store.byMeaning("a", query, { limit: 10 });
    expect(hits.map(({ id }) => id)).toEqual(nearest(query, 10));
  }
  await store.close();
});

it("finds exactly the nearest among hundreds that their codes cannot tell apart", async () => {
  const store = sqliteChunkStore({ file: join(folder, "rivals.db") });
  await store.createProject(project("a", { model: { ...testModel, dimension: DIMENSION } }));
  const [query = spread(1)] = queries;
  const rivals = Array.from({ length: 400 }, () => {
    const noise = spread(0.02);
    return query.map((value, i) => value + (noise[i] ?? 0));
  });
  await store.upsert(
    "a",
    rivals.map((vector, i) => passage({ id: `${i}`, text: "x", vectors: [vector] })),
  );
  const hits = await store.byMeaning("a", query, { limit: 20 });
  expect(hits.map(({ id }) => id)).toEqual(nearest(query, 20, () => true, rivals));
  await store.close();
});

it("filtering by signs, where codes do not fit in memory, finds nearly all of them", async () => {
  const store = sqliteChunkStore({ file, vectorCacheBytes: 0 });
  let found = 0;
  for (const query of queries) {
    const exact = new Set(nearest(query, 10));
    const hits = await store.byMeaning("a", query, { limit: 10 });
    found += hits.filter(({ id }) => exact.has(id)).length;
  }
  expect(found / (10 * queries.length)).toBeGreaterThanOrEqual(0.98);
  await store.close();
});

it("sieving keeps to filters, however few chunks pass them", async () => {
  const store = sqliteChunkStore({ file, vectorCacheBytes: 0 });
  const [query = spread(1)] = queries;
  const hits = await store.byMeaning("a", query, { limit: 10, filters: { tags: ["rare"] } });
  expect(hits.map(({ id }) => id)).toEqual(nearest(query, 10, (i) => i % 50 === 0));
  await store.close();
});

it("both see what is removed and stored again", async () => {
  const stores = [sqliteChunkStore({ file }), sqliteChunkStore({ file, vectorCacheBytes: 0 })] as const;
  const [query = spread(1)] = queries;
  for (const store of stores) {
    const [best] = await store.byMeaning("a", query, { limit: 1 });
    const id = best?.id ?? "";
    await store.removeChunks("a", [id]);
    for (const other of stores)
      expect((await other.byMeaning("a", query, { limit: 5 })).map((hit) => hit.id)).not.toContain(id);
    await store.upsert("a", [passage({ id, vectors: [vectors[Number(id)] ?? query] })]);
    for (const other of stores) expect((await other.byMeaning("a", query, { limit: 1 }))[0]?.id).toBe(id);
  }
  for (const store of stores) await store.close();
});
