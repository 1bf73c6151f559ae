import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { givenQdrant, qdrantIsInstalled, startQdrant } from "../../tests/support/qdrant-server.js";
import { startQdrantSandbox } from "./server.js";

/** The version whose statuses and words stand in the rows below. */
const CHECKED = "1.18.3";

const name = `bookwheel-same-${randomUUID().slice(0, 8)}`;
const side = `${name}-side`;
const at = (rest: string) => `/collections/${name}${rest}`;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const point = (
  n: number,
  payload: object,
  vector: object = { dense: [[1, n]], words: { indices: [n], values: [1] } },
) => ({
  id: id(n),
  vector,
  payload: { tenant: "a", number: n, text: `passage ${n} on wheels`, ...payload },
});
const mine = { must: [{ key: "tenant", match: { value: "a" } }] };
const put = (field_name: string, field_schema: unknown) =>
  ["PUT", at("/index?wait=true"), { field_name, field_schema }] as const;
const upsert = (...points: unknown[]) => ["PUT", at("/points?wait=true"), { points }] as const;
const scroll = (body: object) => ["POST", at("/points/scroll"), body] as const;
const query = (body: object) => ["POST", at("/points/query"), body] as const;

type Request = readonly [method: string, path: string, body?: unknown];
/** What is asked, the status, and how the refusal begins; in this order, on an empty collection of its own. */
const ROWS: readonly (readonly [what: string, request: Request, status: number, says?: string])[] = [
  ["a collection that is not there", ["GET", at("")], 404, "Not found: Collection"],
  ["points of a collection that is not there", upsert(point(1, {})), 404, "Not found: Collection"],
  [
    "a search in a collection that is not there",
    query({ query: [[1, 0]], using: "dense" }),
    404,
    "Not found: Collection",
  ],
  ["deleting a collection that is not there", ["DELETE", at("")], 200],
  [
    "making a collection",
    [
      "PUT",
      at(""),
      {
        vectors: { dense: { size: 2, distance: "Cosine", multivector_config: { comparator: "max_sim" } } },
        sparse_vectors: { words: {} },
        strict_mode_config: {
          enabled: true,
          unindexed_filtering_retrieve: false,
          unindexed_filtering_update: false,
          max_query_limit: 50,
          upsert_max_batchsize: 20,
        },
        metadata: { one: 1 },
      },
    ],
    200,
  ],
  ["making it again", ["PUT", at(""), { vectors: {} }], 409, "Wrong input: Collection"],
  ["a collection without vectors", ["PUT", `/collections/${side}`, { vectors: {} }], 200],
  ["a name with a slash", ["PUT", "/collections/a%2Fb", { vectors: {} }], 422, "Validation error"],
  ["metadata merged", ["PATCH", at(""), { metadata: { two: 2 } }], 200],
  ["the collection described", ["GET", at("")], 200],
  ["an index on a tenant", put("tenant", { type: "keyword", is_tenant: true }), 200],
  ["an index on numbers", put("number", { type: "integer", lookup: true, range: true }), 200],
  ["an index on lengths, without ranges", put("length", { type: "integer", lookup: true, range: false }), 200],
  [
    "an index on texts",
    put("text", { type: "text", tokenizer: "whitespace", lowercase: false, phrase_matching: true }),
    200,
  ],
  ["an index without a graph of vectors", put("kind", { type: "keyword", enable_hnsw: false }), 200],
  [
    "a graph of vectors that is neither there nor not",
    put("kind", { type: "keyword", enable_hnsw: "no" }),
    400,
    "Format error in JSON body",
  ],
  ["an index of an unknown kind", put("other", { type: "wheel" }), 400, "Format error in JSON body"],
  ["an index again", put("tenant", { type: "keyword", is_tenant: true }), 200],

  ["points", upsert(...Array.from({ length: 8 }, (_, n) => point(n + 1, { length: n % 3 }))), 200],
  ["a point of another tenant", upsert(point(20, { tenant: "b" })), 200],
  ["a point with no vector", upsert(point(9, {}, {})), 200],
  [
    "a vector of the wrong size",
    upsert(point(1, {}, { dense: [[1, 2, 3]] })),
    400,
    "Wrong input: Vector dimension error",
  ],
  [
    "a vector of an unknown name",
    upsert(point(1, {}, { other: [1, 2] })),
    400,
    "Wrong input: Not existing vector name",
  ],
  ["an empty multivector", upsert(point(1, {}, { dense: [] })), 422, "Validation error in JSON body"],
  ["a multivector with an empty row", upsert(point(1, {}, { dense: [[]] })), 422, "Validation error in JSON body"],
  [
    "a sparse vector for a dense name",
    upsert(point(1, {}, { dense: { indices: [1], values: [1] } })),
    400,
    "Wrong input",
  ],
  ["a dense vector for a sparse name", upsert(point(1, {}, { words: [1, 2] })), 400, "Wrong input"],
  [
    "a sparse vector with an index twice",
    upsert(point(1, {}, { words: { indices: [1, 1], values: [1, 2] } })),
    422,
    "Validation error in JSON body",
  ],
  [
    "a sparse vector of unequal lengths",
    upsert(point(1, {}, { words: { indices: [1], values: [1, 2] } })),
    422,
    "Validation error in JSON body",
  ],
  ["an id that is no UUID", upsert({ ...point(1, {}), id: "chunk-1" }), 400, "Format error in JSON body"],
  ["a negative id", upsert({ ...point(1, {}), id: -1 }), 400, "Format error in JSON body"],
  ["a point without an id", upsert({ vector: {}, payload: {} }), 400, "Format error in JSON body"],
  ["a body that is no JSON", ["PUT", at("/points?wait=true"), "{ no"], 400, "Format error in JSON body"],
  [
    "half a surrogate pair",
    ["PUT", at("/points?wait=true"), '{"points":[{"id":1,"vector":{},"payload":{"a":"\\ud800"}}]}'],
    400,
    "Format error in JSON body",
  ],
  ["no points", upsert(), 400, "Bad request: Empty update request"],
  [
    "more points than the collection takes at once",
    upsert(...Array.from({ length: 21 }, (_, n) => point(n + 100, {}))),
    400,
    "Bad request",
  ],
  ["a body over 32 MiB", upsert(point(1, { long: "x".repeat(33 * 1024 * 1024) })), 400, "JSON payload"],
  ["the points that were refused", ["POST", at("/points/count"), { filter: mine, exact: true }], 200],

  [
    "points by their ids",
    ["POST", at("/points"), { ids: [id(3), id(99), id(1)], with_payload: ["number"], with_vector: ["dense", "words"] }],
    200,
  ],
  [
    "points by their ids, with all",
    ["POST", at("/points"), { ids: [id(9)], with_payload: true, with_vector: true }],
    200,
  ],
  ["points by ids that are none", ["POST", at("/points"), { ids: ["nine"] }], 400, "Format error in JSON body"],
  ["a first page", scroll({ filter: mine, limit: 3, with_payload: ["number"] }), 200],
  ["the page after it", scroll({ filter: mine, limit: 3, offset: id(4), with_payload: ["number"] }), 200],
  ["the last page", scroll({ filter: mine, limit: 30, offset: id(7), with_payload: false }), 200],
  ["a page of nothing", scroll({ filter: mine, limit: 0 }), 422, "Validation error in JSON body"],
  ["a page over the limit", scroll({ filter: mine, limit: 51 }), 400, "Bad request: Limit exceeded"],
  [
    "a filter on a field without an index",
    scroll({ filter: { must: [{ key: "other", match: { value: "x" } }] } }),
    400,
    "Bad request: Index required but not found",
  ],
  [
    "a range on a field without one",
    scroll({ filter: { must: [{ key: "length", range: { gte: 1 } }] } }),
    400,
    "Bad request: Index required but not found",
  ],
  [
    "a word in a field of keywords",
    scroll({ filter: { must: [{ key: "tenant", match: { text: "a" } }] } }),
    400,
    "Bad request: Index required but not found",
  ],
  ["a filter without a condition", scroll({ filter: { must: [{ key: "tenant" }] } }), 422],
  ["a filter of an unknown shape", scroll({ filter: { must: [{ key: "tenant", matches: { value: 1 } }] } }), 422],
  ["a filter that is a text", scroll({ filter: "tenant" }), 400, "Format error in JSON body"],
  [
    "a phrase",
    scroll({ filter: { must: [{ key: "text", match: { phrase: "4 on wheels" } }] }, with_payload: false }),
    200,
  ],
  [
    "any word",
    scroll({ filter: { must: [{ key: "text", match: { text_any: "4 5 nothing" } }] }, with_payload: false }),
    200,
  ],
  [
    "words that are nowhere",
    scroll({ filter: { must: [{ key: "text", match: { text: "4 nothing" } }] }, with_payload: false }),
    200,
  ],
  [
    "points without a vector",
    scroll({ filter: { ...mine, must_not: [{ has_vector: "dense" }] }, with_payload: false }),
    200,
  ],
  [
    "an order",
    scroll({ filter: mine, limit: 2, order_by: { key: "number", direction: "desc" }, with_payload: false }),
    200,
  ],
  ["an order by a field without ranges", scroll({ filter: mine, order_by: "length" }), 400],
  ["an order by a field without an index", scroll({ filter: mine, order_by: "other" }), 400],
  [
    "a count that is exact",
    [
      "POST",
      at("/points/count"),
      { filter: { must: [...mine.must, { key: "number", range: { lte: 4 } }] }, exact: true },
    ],
    200,
  ],
  ["values counted", ["POST", at("/facet"), { key: "length", filter: mine, limit: 10, exact: true }], 200],
  ["values counted without an index", ["POST", at("/facet"), { key: "other" }], 400],

  [
    "the nearest",
    query({
      query: [[1, 8]],
      using: "dense",
      filter: mine,
      limit: 3,
      params: { exact: true },
      with_payload: ["number"],
    }),
    200,
  ],
  [
    "the nearest, a vector of the wrong size",
    query({ query: [[1, 8, 3]], using: "dense" }),
    400,
    "Wrong input: Vector dimension error",
  ],
  [
    "the nearest of an unknown name",
    query({ query: [[1, 8]], using: "other" }),
    400,
    "Wrong input: Not existing vector name",
  ],
  ["the nearest of no name", query({ query: [[1, 8]] }), 400, "Wrong input"],
  [
    "by words",
    query({
      query: { indices: [2, 3], values: [1, 2] },
      using: "words",
      filter: mine,
      limit: 3,
      with_vector: ["words"],
    }),
    200,
  ],
  ["by words nobody has", query({ query: { indices: [77], values: [1] }, using: "words", filter: mine }), 200],
  ["over the limit", query({ query: [[1, 8]], using: "dense", limit: 51 }), 400, "Bad request: Limit exceeded"],
  [
    "several at once",
    [
      "POST",
      at("/points/query/batch"),
      {
        searches: [
          { query: [[1, 8]], using: "dense", filter: mine, limit: 1 },
          { query: { indices: [2], values: [1] }, using: "words", limit: 1 },
        ],
      },
    ],
    200,
  ],
  [
    "one bad among several",
    [
      "POST",
      at("/points/query/batch"),
      {
        searches: [
          { query: [[1, 8]], using: "dense" },
          { query: [[1]], using: "dense" },
        ],
      },
    ],
    400,
    "Wrong input: Vector dimension error",
  ],

  [
    "vectors of a point that is not there",
    ["PUT", at("/points/vectors?wait=true"), { points: [{ id: id(77), vector: { dense: [[1, 1]] } }] }],
    404,
    "Not found",
  ],
  [
    "vectors where the point passes",
    [
      "PUT",
      at("/points/vectors?wait=true"),
      {
        points: [{ id: id(2), vector: { dense: [[0, 1]] } }],
        update_filter: { must: [{ key: "number", match: { value: 7 } }] },
      },
    ],
    200,
  ],
  ["and it is as it was", ["POST", at("/points"), { ids: [id(2)], with_vector: ["dense"], with_payload: false }], 200],
  [
    "a point that does not pass is not replaced",
    [
      "PUT",
      at("/points?wait=true"),
      { points: [point(3, { number: 333 })], update_filter: { must: [{ key: "number", match: { value: 7 } }] } },
    ],
    200,
  ],
  ["and is as it was", ["POST", at("/points"), { ids: [id(3)], with_payload: ["number"] }], 200],
  [
    "taking vectors off",
    [
      "POST",
      at("/points/vectors/delete?wait=true"),
      { vector: ["dense"], filter: { must: [{ key: "number", match: { value: 5 } }] } },
    ],
    200,
  ],
  [
    "taking off vectors of an unknown name",
    ["POST", at("/points/vectors/delete?wait=true"), { vector: ["other"], points: [id(5)] }],
    400,
    "Wrong input: Not existing vector name",
  ],
  ["setting payload", ["POST", at("/points/payload?wait=true"), { payload: { more: true }, points: [id(5)] }], 200],
  [
    "setting payload where a filter without an index passes",
    [
      "POST",
      at("/points/payload?wait=true"),
      { payload: { more: true }, filter: { must: [{ key: "other", match: { value: "x" } }] } },
    ],
    400,
    "Bad request: Index required but not found",
  ],
  ["setting payload of nothing", ["POST", at("/points/payload?wait=true"), { payload: { more: true } }], 400],
  ["what is there now", ["POST", at("/points"), { ids: [id(5)], with_payload: true, with_vector: true }], 200],
  ["a second named vector", ["PUT", at("/vectors/next?wait=true"), { dense: { size: 3, distance: "Cosine" } }], 200],
  ["a named vector again", ["PUT", at("/vectors/next?wait=true"), { dense: { size: 3, distance: "Cosine" } }], 200],
  [
    "a named vector of another size",
    ["PUT", at("/vectors/next?wait=true"), { dense: { size: 5, distance: "Cosine" } }],
    400,
    "Wrong input: Vector `next` already exists",
  ],
  [
    "deleting by a filter without an index",
    ["POST", at("/points/delete?wait=true"), { filter: { must: [{ key: "other", match: { value: "x" } }] } }],
    400,
    "Bad request: Index required but not found",
  ],
  [
    "deleting by filter",
    [
      "POST",
      at("/points/delete?wait=true"),
      { filter: { must: [{ key: "number", range: { gte: 6 } }, ...mine.must] } },
    ],
    200,
  ],
  [
    "deleting by ids, one of them not there",
    ["POST", at("/points/delete?wait=true"), { points: [id(1), id(999)] }],
    200,
  ],
  ["deleting nothing in particular", ["POST", at("/points/delete?wait=true"), {}], 400],
  ["what is left", scroll({ limit: 50, with_payload: ["tenant", "number"] }), 200],
  ["a write that is not waited for", ["PUT", at("/points"), { points: [point(50, {})] }], 200],
  ["a path nobody knows", ["POST", at("/wheels"), {}], 404],
  ["the collection deleted", ["DELETE", at("")], 200],
];

interface Answer {
  status: number;
  error: string;
  result: unknown;
}
async function ask(
  url: string,
  headers: Record<string, string>,
  [method, path, body]: Request,
  attempts = 10,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  }).catch((error: unknown) => {
    // A server closes the connection on a body it refuses to read, sometimes before its answer is read here.
    if (attempts > 1) return undefined;
    throw error;
  });
  if (!response) return ask(url, headers, [method, path, body], attempts - 1);
  const text = await response.text();
  const json = text.startsWith("{") ? (JSON.parse(text) as { status?: { error?: string }; result?: unknown }) : {};
  return { status: response.status, error: json.status?.error ?? "", result: json.result };
}

const double = await startQdrantSandbox({ version: CHECKED });
const node = givenQdrant || !qdrantIsInstalled ? undefined : await startQdrant();
const real = givenQdrant ?? (node ? { url: node.url, apiKey: undefined } : undefined);
const headers: Record<string, string> = real?.apiKey ? { "api-key": real.apiKey } : {};
afterAll(async () => {
  if (real) for (const each of [name, side]) await ask(real.url, headers, ["DELETE", `/collections/${each}`]);
  await double.close();
  await node?.close();
});

describe(`the double answers as Qdrant ${CHECKED} does`, async () => {
  const version = real && ((await (await fetch(real.url, { headers })).json()) as { version: string }).version;
  console.log(version ? `compared with Qdrant ${version}` : `no Qdrant to compare with: held to what ${CHECKED} said`);

  for (const [what, request, status, says = ""] of ROWS)
    it(what, async () => {
      const ours = await ask(double.url, {}, request);
      if (real) {
        const theirs = await ask(real.url, headers, request);
        expect(theirs, "what is written here of Qdrant").toMatchObject({
          status,
          error: expect.stringContaining(says),
        });
        expect(comparable(ours)).toEqual(comparable(theirs));
      }
      expect(ours).toMatchObject({ status, error: expect.stringContaining(says) });
    });
});

/** Numbers of operations and versions are each server's own, and of a long refusal its kind is compared. */
function comparable({ status, error, result }: Answer) {
  return { status, refused: error.split(":")[0], result: settled(result) };
}
const OWN = new Set([
  "operation_id",
  "version",
  "config",
  "segments_count",
  "optimizer_status",
  "update_queue",
  "points",
  "warnings",
]);
function settled(value: unknown): unknown {
  if (typeof value === "number") return Math.fround(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null && !(OWN.has(key) && !Array.isArray(inner)))
      .map(([key, inner]) => [key, settled(inner)]),
  );
}
