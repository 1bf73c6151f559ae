// One large project on Qdrant, beside the embedded store and the engine without our code: how long words, meaning and both take, how
// many of the exact ten are found, and what it costs. Vectors lie as close together as real ones, questions are real; texts are short. Indexing goes on meanwhile: where it is put
// off, as is advised for large loads, each sparse vector takes the longer to write the more there are (0.24 ms of the server's processor
// time per chunk at 20,000, 0.74 at 230,000).
//
//   [BENCH_CHUNKS=1000000] node bench/qdrant-large.mjs [--quick] [--full]
//
// --full compares the settings of the collection with a tenth of the chunks, each in a server of its own (with BENCH_SETTINGS=1 nothing
// else). Needs a qdrant on the PATH.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRetrieval } from "../dist/shelves/chunks/retrieval.js";
import { qdrantChunkStore } from "../dist/shelves/chunks/stores/qdrant.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { newProject } from "./made-up.mjs";
import { DIMENSION, likeReal, unit } from "./made-up-chunks.mjs";
import { main, percentile } from "./measure.mjs";
import { rawEngine } from "./qdrant-raw.mjs";
import { indexed, openQdrant, qdrantIsInstalled } from "./qdrant-server.mjs";
import { realVectors } from "./real-vectors.mjs";

const BATCH = 500;
const SAID_EVERY = 50_000;
const ONE = "one";
const PREFIX = "large";
const INT8 = { quantization_config: { scalar: { type: "int8", quantile: 0.99, always_ram: true } } };
const ON_DISK = { vectors: { dense: { on_disk: true } } };
const PARTS = { tag: { tags: ["t3"] }, years: { year_from: 1950, year_to: 1959 } };
/** Changes to what src/shelves/chunks/stores/qdrant/collection-setup.ts makes. */
const SETTINGS = {
  "as the store makes it": {},
  "int8 in memory": INT8,
  "int8 in memory, vectors on disk": { ...INT8, ...ON_DISK },
  "vectors on disk": ON_DISK,
  "8 links per point": { hnsw_config: { payload_m: 8 } },
  "32 links per point": { hnsw_config: { payload_m: 32 } },
  "16 links per point, chosen from 200": { hnsw_config: { ef_construct: 200 } },
};

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false, full = false } = {}) {
  if (!qdrantIsInstalled) {
    const note = "there is no qdrant on the PATH";
    console.error(`skipped: ${note}`);
    return [{ name: "skipped", unit: "", note }];
  }
  const total = Number(process.env.BENCH_CHUNKS ?? (quick ? 20_000 : 1_000_000));
  const { passages, questions } = await realVectors();
  const world = { ...likeReal(passages, 7), questions: questions.map(unit) };
  const rows = process.env.BENCH_SETTINGS ? [] : await oneProject(world, { total, asked: quick ? 50 : 200 });
  for (const [name, change] of full ? Object.entries(SETTINGS) : [])
    rows.push(await underSetting(world, name, change, { total: total / 10, asked: quick ? 50 : 200 }));
  return rows;
}

async function oneProject(world, { total, asked }) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-large-"));
  const embedded = await filledEmbedded(world, total, folder);
  const raw = await filledRaw(world, total);
  const at = await filled(world, total, {});
  try {
    const times = { hybrid: [], again: [], meaning: [], words: [], tag: [], years: [], embedded: [], raw: [] };
    let vector;
    const embedders = embeddersOf(() => vector);
    const asks = createRetrieval({ store: at.store, embedders });
    const asksEmbedded = createRetrieval({ store: embedded.store, embedders });
    for (let n = -10; n < asked; n++) {
      vector = world.questions[(n + 10) % world.questions.length];
      const query = world.question();
      const timed = async (side, work) => {
        const started = performance.now();
        await work();
        if (n >= 0) times[side].push(performance.now() - started);
      };
      await timed("hybrid", () => asks.hybrid(ONE, query, { top_k: 10 }));
      await timed("again", () => asks.hybrid(ONE, query, { top_k: 10 }));
      await timed("embedded", () => asksEmbedded.hybrid(ONE, query, { top_k: 10 }));
      await timed("raw", () => raw.engine.hybrid(ONE, query, vector, 10));
      await timed("meaning", () => at.store.byMeaning(ONE, vector, { limit: 10 }));
      await timed("words", () => at.store.byWords(ONE, query, { limit: 10 }));
      for (const [side, filters] of Object.entries(PARTS))
        await timed(side, () => at.store.byMeaning(ONE, vector, { limit: 10, filters }));
    }
    const { share } = await recalled(world, at, asked);
    const others = {
      embedded: async (asking) => ids(await embedded.store.byMeaning(ONE, asking, { limit: 10 })),
      raw: (asking) => raw.engine.nearest(ONE, asking, 10),
    };
    const note = `one project of ${total} chunks, Qdrant ${at.version}`;
    return [
      ...[50, 95].map((p) => ({
        name: `hybrid p${p}`,
        ours: percentile(times.hybrid, p),
        unit: "ms",
        peer: percentile(times.embedded, p),
        peerName: "embedded",
        limit: percentile(times.raw, p),
        limitName: "the engine in one request",
        note,
      })),
      ...Object.entries({
        again: "hybrid, asked before",
        meaning: "by meaning alone",
        words: "by words alone, asked before",
        tag: "by meaning in one tag of nine, exactly",
        years: "by meaning in ten years of 120, exactly",
      }).map(([side, name]) => ({
        name: `${name} p50`,
        ours: percentile(times[side], 50),
        unit: "ms",
        note: `p95 ${percentile(times[side], 95).toFixed(1)} ms`,
      })),
      {
        name: "recall@10 by meaning",
        ours: share,
        unit: "share",
        peer: (await recalled(world, at, asked, others.embedded)).share,
        peerName: "embedded",
        limit: (await recalled(world, at, asked, others.raw)).share,
        limitName: "the engine alone",
      },
      ...costs(at, { embedded, raw }),
    ];
  } finally {
    await embedded.store.close();
    await raw.server.close();
    await at.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ids = (hits) => hits.map(({ id }) => id);

/** The same chunks in the embedded store, which lives in this process. */
async function filledEmbedded(world, total, folder) {
  const before = process.memoryUsage().rss;
  const file = join(folder, "bookwheel.db");
  const store = sqliteChunkStore({ file });
  await store.createProject(newProject(ONE, DIMENSION));
  const perSecond = await written(world, total, store, "embedded");
  await store.byMeaning(ONE, world.questions[0], { limit: 10 });
  await store.byWords(ONE, world.question(), { limit: 10 });
  global.gc?.();
  return {
    store,
    perSecond,
    memory: (process.memoryUsage().rss - before) / 2 ** 20,
    disk: statSync(file).size / 2 ** 20,
  };
}

/** The same texts and vectors in a server of their own, by plain requests. */
async function filledRaw(world, total) {
  const server = await openQdrant();
  const engine = rawEngine(server, "raw");
  const points = Array.from({ length: total }, (_, n) => ({ n, tenant: ONE }));
  const perSecond = await engine.fill(points, (n) => {
    const { text, vectors } = world.chunk(n);
    return { text, vector: vectors[0] };
  });
  const indexing = await indexed(server.ask, "raw", { limitSeconds: 7_200 });
  console.error(`engine alone: ${perSecond.toFixed(0)} chunks/s, ${indexing.toFixed(0)} s of indexing`);
  return { server, engine, perSecond, indexing };
}

/** Chunks per second, one batch after the other. */
async function written(world, total, store, side) {
  const started = performance.now();
  for (let from = 0; from < total; from += BATCH) {
    const size = Math.min(BATCH, total - from);
    await store.upsert(
      ONE,
      Array.from({ length: size }, (_, i) => world.chunk(from + i)),
    );
    if ((from + size) % SAID_EVERY === 0)
      console.error(`${side}: ${from + size} chunks after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  return total / ((performance.now() - started) / 1000);
}

async function underSetting(world, name, change, { total, asked }) {
  const at = await filled(world, total, change);
  try {
    const { share, times } = await recalled(world, at, asked);
    const before = at.server.cpu();
    for (let n = 0; n < asked; n++)
      await at.store.byMeaning(ONE, world.questions[n % world.questions.length], { limit: 10 });
    const each = ((at.server.cpu() - before) / asked) * 1000;
    return {
      name: `settings: ${name}`,
      ours: percentile(times, 50),
      unit: "ms p50",
      note: [
        `by meaning, ${total} chunks; p95 ${percentile(times, 95).toFixed(1)} ms`,
        `recall@10 ${share.toFixed(3)}`,
        `${each.toFixed(1)} ms of the server's processor time`,
        ...costs(at).map(({ name: what, ours, unit: of }) => `${what} ${ours.toFixed(0)} ${of}`),
      ].join("; "),
    };
  } finally {
    await at.server.close();
  }
}

/** A server with one project, indexed. */
async function filled(world, total, change) {
  const server = await openQdrant();
  const { version } = await (await fetch(server.url)).json();
  const store = qdrantChunkStore({ url: server.url, prefix: PREFIX });
  await store.createProject(newProject(ONE, DIMENSION));
  const { collections } = await server.ask("GET", "/collections");
  const { name } = collections.find((each) => each.name.startsWith(`${PREFIX}-chunks`));
  await server.ask("PATCH", `/collections/${name}`, change);
  const before = server.cpu();
  const perSecond = await written(world, total, store, "Qdrant");
  const indexing = await indexed(server.ask, name, { limitSeconds: 7_200 });
  return { server, version, store, perSecond, indexing, cpu: server.cpu() - before };
}

function costs({ server, perSecond, indexing, cpu }, { embedded, raw } = {}) {
  const { resident, anonymous } = server.memory();
  const engine = raw?.server.memory();
  return [
    {
      name: "ingest",
      ours: perSecond,
      unit: "chunks/s",
      ...(embedded && { peer: embedded.perSecond, peerName: "embedded" }),
      ...(raw && { limit: raw.perSecond, limitName: "the engine" }),
      note: `${indexing.toFixed(0)} s of indexing afterwards${raw ? `, ${raw.indexing.toFixed(0)} s by the engine alone` : ""}`,
    },
    { name: "processor time of the server, written and indexed", ours: cpu, unit: "s" },
    {
      name: "memory of the server",
      ours: resident,
      unit: "MiB resident",
      ...(embedded && { peer: embedded.memory, peerName: "embedded, in the process" }),
      ...(engine && { limit: engine.resident, limitName: "the engine" }),
      note: `${anonymous.toFixed(0)} MiB anonymous`,
    },
    {
      name: "disk",
      ours: server.disk(),
      unit: "MiB",
      ...(embedded && { peer: embedded.disk, peerName: "embedded" }),
      ...(raw && { limit: raw.server.disk(), limitName: "the engine" }),
    },
  ];
}

/** How many of the exact ten a search by meaning finds, and how long it takes; the server itself finds the exact ones. */
async function recalled(
  { questions },
  { server, store },
  asked,
  near = async (vector) => ids(await store.byMeaning(ONE, vector, { limit: 10 })),
) {
  const { points } = await server.ask("POST", `/collections/${PREFIX}-projects/points/scroll`, { with_payload: true });
  const { chunks, tenant } = points[0].payload;
  const exact = async (vector) => {
    const { points: best } = await server.ask("POST", `/collections/${chunks}/points/query`, {
      query: [Array.from(vector)],
      using: "dense",
      filter: { must: [{ key: "project", match: { value: tenant } }] },
      params: { exact: true },
      limit: 10,
      with_payload: ["chunk_id"],
    });
    return best.map(({ payload }) => payload.chunk_id);
  };
  const times = [];
  let right = 0;
  for (let n = 0; n < asked; n++) {
    const vector = questions[n % questions.length];
    const best = await exact(vector);
    const started = performance.now();
    const found = await near(vector);
    times.push(performance.now() - started);
    right += best.filter((id) => found.includes(id)).length / best.length;
  }
  return { share: right / asked, times };
}

/** An embedder that has the question's vector already. */
function embeddersOf(vectorNow) {
  const { model } = newProject(ONE, DIMENSION);
  const embedder = {
    identity: model,
    embed: async (texts) => texts.map(vectorNow),
    tokens: { by: "letters" },
    windows: async (passages) => passages.map(({ text }) => [text]),
    countTokens: async (text) => Math.ceil(text.length / 4),
    async close() {},
  };
  return { preferred: model, unavailable: undefined, get: () => embedder, list: () => [model], async close() {} };
}

await main(import.meta.url, bench);
