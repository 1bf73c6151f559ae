// The engine itself, by plain requests without our code: what its wire and its settings give.
import { randomFrom, vectorOf } from "./made-up.mjs";
import { percentile, spread } from "./measure.mjs";
import { indexed, openQdrant } from "./qdrant-server.mjs";

const DIMENSION = 384;
const BATCH = 250;
const AT_ONCE = 1;

/** Settings that were compared; the first is what the store makes (src/shelves/chunks/stores/qdrant/collection-setup.ts). */
const SETTINGS = {
  "a graph per tenant": {},
  "int8 in memory": { quantization_config: { scalar: { type: "int8", quantile: 0.99, always_ram: true } } },
  "int8 in memory, vectors on disk": {
    quantization_config: { scalar: { type: "int8", quantile: 0.99, always_ram: true } },
    onDisk: true,
  },
  "vectors on disk": { onDisk: true },
  "one graph for all, tenants by an ordinary index": { hnsw_config: { m: 16 }, tenantIndex: { type: "keyword" } },
};

/** One collection with a dense and a sparse vector per point, and the tenant in the payload. */
export function rawEngine({ ask }, collection, { onDisk = false, tenantIndex, ...settings }) {
  const path = (rest) => `/collections/${collection}${rest}`;
  const only = (tenant) => ({ must: [{ key: "tenant", match: { value: tenant } }] });
  const made = async () => {
    await ask("PUT", path(""), {
      vectors: { dense: { size: DIMENSION, distance: "Cosine", on_disk: onDisk } },
      sparse_vectors: { words: { modifier: "idf" } },
      hnsw_config: { m: 0, payload_m: 16 },
      ...settings,
    });
    await ask("PUT", path("/index?wait=true"), {
      field_name: "tenant",
      field_schema: tenantIndex ?? { type: "keyword", is_tenant: true },
    });
  };
  return {
    /** Points per second, each batch waited for. */
    async fill(points, textFor) {
      await made();
      const started = performance.now();
      const batches = Array.from({ length: Math.ceil(points.length / BATCH) }, (_, i) =>
        points.slice(i * BATCH, (i + 1) * BATCH),
      );
      const work = async () => {
        for (let batch = batches.shift(); batch; batch = batches.shift())
          await ask("PUT", path("/points?wait=true"), {
            points: batch.map(({ n, tenant }) => {
              const text = textFor?.(n);
              return {
                id: n,
                vector: { dense: numbers(vectorOf(n, DIMENSION)), ...(text ? { words: sparse(text) } : {}) },
                payload: { tenant, ...(text ? { text } : {}) },
              };
            }),
          });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return points.length / ((performance.now() - started) / 1000);
    },
    async nearest(tenant, vector, limit) {
      const { points } = await ask("POST", path("/points/query"), {
        query: numbers(vector),
        using: "dense",
        filter: only(tenant),
        limit,
        params: { hnsw_ef: 128 },
      });
      return points.map(({ id }) => `c${id}`);
    },
    /** Both legs and their fusion in one request, with the texts of the best. */
    hybrid: (tenant, query, vector, limit) =>
      ask("POST", path("/points/query"), {
        prefetch: [
          { query: numbers(vector), using: "dense", filter: only(tenant), limit: 200, params: { hnsw_ef: 200 } },
          { query: sparse(query), using: "words", filter: only(tenant), limit: 200 },
        ],
        query: { fusion: "rrf" },
        limit,
        with_payload: ["text"],
      }),
  };
}

/** What each setting costs and brings: searches by meaning among the vectors of one project, each in a server of its own. */
export async function compareSettings({ total, projects = 20, questions = 200 }) {
  const points = Array.from({ length: total }, (_, n) => ({ n, tenant: `p${n % projects}` }));
  const rows = [];
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const server = await openQdrant();
    try {
      const collection = `bookwheel-bench-settings-${process.pid}`;
      const engine = rawEngine(server, collection, settings);
      const perSecond = await engine.fill(points);
      const indexing = await indexed(server.ask, collection);
      const times = [];
      const recalls = [];
      for (let i = -20; i < questions; i++) {
        const tenant = (i + 20) % projects;
        const vector = vectorOf(1e7 + i, DIMENSION);
        const started = performance.now();
        const found = await engine.nearest(`p${tenant}`, vector, 10);
        if (i >= 0) times.push(performance.now() - started);
        if (i >= 0 && i < 40) recalls.push(recall(found, best(vector, tenant, total, projects)));
      }
      const memory = server.memory();
      rows.push({
        name: `settings: ${name}`,
        ours: percentile(times, 50),
        unit: "ms p50",
        spread: spread(times),
        note: [
          `p95 ${percentile(times, 95).toFixed(1)} ms`,
          `recall@10 ${(recalls.reduce((a, b) => a + b, 0) / recalls.length).toFixed(3)}`,
          `${perSecond.toFixed(0)} points/s and ${indexing.toFixed(0)} s of indexing`,
          ...(memory
            ? [
                `${memory.resident.toFixed(0)} MiB resident, ${memory.anonymous.toFixed(0)} anonymous, ${server.disk()} on disk`,
              ]
            : []),
        ].join("; "),
      });
      await server.ask("DELETE", `/collections/${collection}`);
    } finally {
      await server.close();
    }
  }
  return rows;
}

function best(vector, tenant, total, projects) {
  const scored = [];
  for (let n = tenant; n < total; n += projects) {
    const own = vectorOf(n, DIMENSION);
    let score = 0;
    for (let d = 0; d < DIMENSION; d++) score += own[d] * vector[d];
    scored.push({ id: `c${n}`, score });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ id }) => id);
}
const recall = (found, wanted) => wanted.filter((id) => found.includes(id)).length / wanted.length;

/** Seven decimals: a third of what JSON would write of a float32. */
export const numbers = (vector) => Array.from(vector, (value) => Math.round(value * 1e7) / 1e7);

/** Words by a hash of their letters, each with how often it occurs, damped. */
function sparse(text) {
  const counts = new Map();
  for (const word of text.toLowerCase().split(/\W+/).filter(Boolean)) {
    let hash = 7;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) >>> 0;
    const dimension = Math.floor(randomFrom(hash)() * 2 ** 31);
    counts.set(dimension, (counts.get(dimension) ?? 0) + 1);
  }
  return { indices: [...counts.keys()], values: [...counts.values()].map((times) => (times * 2.2) / (times + 1.2)) };
}
