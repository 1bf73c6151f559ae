// The engine itself, by plain requests without our code.
import { randomFrom } from "./made-up.mjs";

const DIMENSION = 384;
const BATCH = 250;
/** As much of a graph as our store looks at. */
const EF = 512;

/** One collection with a dense and a sparse vector per point, and the tenant in the payload. */
export function rawEngine({ ask }, collection) {
  const path = (rest) => `/collections/${collection}${rest}`;
  const only = (tenant) => ({ must: [{ key: "tenant", match: { value: tenant } }] });
  const made = async () => {
    await ask("PUT", path(""), {
      vectors: { dense: { size: DIMENSION, distance: "Cosine" } },
      sparse_vectors: { words: { modifier: "idf" } },
      hnsw_config: { m: 0, payload_m: 16 },
    });
    await ask("PUT", path("/index?wait=true"), {
      field_name: "tenant",
      field_schema: { type: "keyword", is_tenant: true },
    });
  };
  return {
    /** Points per second, each batch waited for. A point is its number and its tenant; `has` gives its text and its vector. */
    async fill(points, has) {
      await made();
      const started = performance.now();
      for (let from = 0; from < points.length; from += BATCH)
        await ask("PUT", path("/points?wait=true"), {
          points: points.slice(from, from + BATCH).map(({ n, tenant }) => {
            const { text, vector } = has(n);
            return { id: n, vector: { dense: numbers(vector), words: sparse(text) }, payload: { tenant, text } };
          }),
        });
      return points.length / ((performance.now() - started) / 1000);
    },
    async nearest(tenant, vector, limit) {
      const { points } = await ask("POST", path("/points/query"), {
        query: numbers(vector),
        using: "dense",
        filter: only(tenant),
        limit,
        params: { hnsw_ef: EF },
      });
      return points.map(({ id }) => `c${id}`);
    },
    /** Both legs and their fusion in one request, with the texts of the best. */
    hybrid: (tenant, query, vector, limit) =>
      ask("POST", path("/points/query"), {
        prefetch: [
          { query: numbers(vector), using: "dense", filter: only(tenant), limit: 200, params: { hnsw_ef: EF } },
          { query: sparse(query), using: "words", filter: only(tenant), limit: 200 },
        ],
        query: { fusion: "rrf" },
        limit,
        with_payload: ["text"],
      }),
  };
}

/** Seven decimals: a third of what JSON would write of a float32. */
const numbers = (vector) => Array.from(vector, (value) => Math.round(value * 1e7) / 1e7);

/** Words by a hash of their letters, each with how often it occurs, damped. */
export function sparse(text) {
  const counts = new Map();
  for (const word of text.toLowerCase().split(/\W+/).filter(Boolean)) {
    let hash = 7;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) >>> 0;
    const dimension = Math.floor(randomFrom(hash)() * 2 ** 31);
    counts.set(dimension, (counts.get(dimension) ?? 0) + 1);
  }
  return { indices: [...counts.keys()], values: [...counts.values()].map((times) => (times * 2.2) / (times + 1.2)) };
}
