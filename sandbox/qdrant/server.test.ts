import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startQdrantSandbox } from "./server.js";

const shared = process.env.BOOKWHEEL_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const openapi = `${shared}/reference/qdrant-openapi.json`;
if (!existsSync(openapi)) console.log(`Requests are not checked: there is no ${openapi}.`);
const double = await startQdrantSandbox({ openapi });
afterAll(() => double.close());

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${double.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { code: response.status, headers: response.headers, ...((await response.json()) as Answer) };
}
interface Answer {
  result?: { points: { id: number; score: number }[] } & Record<string, unknown>;
  status: unknown;
}

describe("the double of Qdrant", () => {
  beforeEach(async () => {
    double.database.collections.clear();
    double.violations.length = 0;
    await ask("PUT", "/collections/c", {
      vectors: { dense: { size: 2, distance: "Cosine" } },
      sparse_vectors: { bm25: { modifier: "idf" } },
      strict_mode_config: { enabled: true, unindexed_filtering_retrieve: false },
    });
  });
  const points = (list: unknown[]) => ask("PUT", "/collections/c/points?wait=true", { points: list });

  it("multiplies a term's weight by its IDF over the collection", async () => {
    await points(
      Array.from({ length: 1000 }, (_, id) => ({ id, vector: { bm25: { indices: [id < 10 ? 7 : 8], values: [1] } } })),
    );
    const query = { query: { indices: [7], values: [1] }, using: "bm25", limit: 1 };
    const { result } = await ask("POST", "/collections/c/points/query", query);
    expect(result?.points[0]?.score).toBeCloseTo(4.55738, 4);
  });

  it("fuses ranks as Qdrant does", async () => {
    await points([
      { id: 1, vector: { dense: [1, 0], bm25: { indices: [1], values: [4] } } },
      { id: 2, vector: { dense: [1, 0.5], bm25: { indices: [1], values: [1] } } },
      { id: 3, vector: { dense: [0, 1], bm25: { indices: [1], values: [3] } } },
      { id: 4, vector: { bm25: { indices: [1], values: [2] } } },
    ]);
    const prefetch = [
      { query: [1, 0], using: "dense", limit: 3 },
      { query: { indices: [1], values: [1] }, using: "bm25", limit: 4 },
    ];
    const body = { prefetch, query: { rrf: { k: 2 } }, limit: 4 };
    const { result } = await ask("POST", "/collections/c/points/query", body);
    expect(result?.points[0]).toMatchObject({ id: 1, score: 1 });
    expect(result?.points.find(({ id }) => id === 2)?.score).toBeCloseTo(0.533333, 5);
  });

  it("switches an alias in one step", async () => {
    await ask("PUT", "/collections/d", { vectors: {} });
    const create = (collection_name: string) => ({ create_alias: { collection_name, alias_name: "a" } });
    await ask("POST", "/collections/aliases", { actions: [create("c")] });
    await ask("POST", "/collections/aliases", { actions: [{ delete_alias: { alias_name: "a" } }, create("d")] });
    expect((await ask("GET", "/aliases")).result).toEqual({ aliases: [{ alias_name: "a", collection_name: "d" }] });
  });

  it("refuses in Qdrant's words", async () => {
    const filter = { must: [{ key: "tag", match: { value: "x" } }] };
    for (const [answer, code, words] of [
      [await ask("GET", "/collections/none"), 404, "Not found: Collection `none` doesn't exist!"],
      [await ask("PUT", "/collections/c", { vectors: {} }), 409, "Wrong input: Collection `c` already exists!"],
      [await ask("POST", "/collections/c/points/scroll", { filter }), 400, 'Index required but not found for "tag"'],
      [await points([{ id: 1, vector: { dense: [1] } }]), 400, "Vector dimension error: expected dim: 2, got 1"],
      [await points([{ id: 1, vector: { other: [1] } }]), 400, "Not existing vector name error: other"],
    ] as const)
      expect(answer).toMatchObject({ code, status: { error: expect.stringContaining(words) } });
    expect(double.violations).toEqual([]);
    double.faults.set("/points/count", { kind: "throttle", retryAfter: 3 });
    const throttled = await ask("POST", "/collections/c/points/count", {});
    expect(throttled.headers.get("retry-after")).toBe("3");
    expect(throttled.status).toMatchObject({ error: expect.stringMatching(/^Rate limiting exceeded:/) });
  });

  it.skipIf(!double.checked)("notices a field, a parameter, an id or a value that Qdrant does not know", async () => {
    await ask("POST", "/collections/c/points/scroll", { limit: 1, with_vectors: true });
    await ask("POST", "/collections/c/points/scroll", { limit: 0 });
    await ask("PUT", "/collections/c/points?await=true", { points: [] });
    await points([{ id: "chunk-1", vector: {} }]);
    await ask("POST", "/collections/c/points/query", { filter: { must: [{ key: "a", matches: { value: 1 } }] } });
    await ask("POST", "/collections/c/points/search", { limit: 1 });
    expect(double.violations.map((violation) => violation.slice(0, violation.indexOf(":")))).toEqual([
      "post /collections/c/points/scroll",
      "post /collections/c/points/scroll",
      "put /collections/c/points",
      "put /collections/c/points",
      "post /collections/c/points/query",
      "answer 404 to post /collections/{collection_name}/points/search",
    ]);
  });
});
