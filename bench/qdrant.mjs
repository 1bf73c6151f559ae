// Chunks in Qdrant beside the embedded store and beside the engine itself, asked without our code: the same texts and vectors in
// 20 uneven projects, one question to each side in turn. Projects are moved from the embedded store to Qdrant and back.
//
//   [BENCH_CHUNKS=20000] node bench/qdrant.mjs [--quick]
//
// Needs a qdrant on the PATH or a server at QDRANT_TEST_URL. One large project, and what the settings of the collection bring:
// bench/qdrant-large.mjs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyProject } from "../dist/shelves/chunks/copy-project.js";
import { createRetrieval } from "../dist/shelves/chunks/retrieval.js";
import { qdrantChunkStore } from "../dist/shelves/chunks/stores/qdrant.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { madeUpEmbedders, newProject, questionOf, textOf, unevenSizes, vectorOf } from "./made-up.mjs";
import { synthetic } from "./made-up-chunks.mjs";
import { main, percentile, spread } from "./measure.mjs";
import { rawEngine } from "./qdrant-raw.mjs";
import { indexed, missingQdrant, openQdrant } from "./qdrant-server.mjs";

const DIMENSION = 384;
const WORDS = 90;
const BATCH = 250;
const PREFIX = `bookwheel-bench-${process.pid}`;
const shell = synthetic(3).shell;

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  const missing = missingQdrant();
  if (missing) {
    console.error(`skipped: ${missing}`);
    return [{ name: "skipped", unit: "", note: missing }];
  }
  return besideOthers({
    total: Number(process.env.BENCH_CHUNKS ?? (quick ? 4_000 : 100_000)),
    questions: quick ? 40 : 200,
  });
}

const chunkOf = (n) => ({ ...shell(n), text: textOf(n, WORDS), vectors: [vectorOf(n, DIMENSION)] });

async function besideOthers({ total, questions }) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-qdrant-"));
  const server = await openQdrant();
  const { version } = await (await fetch(server.url)).json();
  const embedders = madeUpEmbedders(DIMENSION);
  const plan = projectsOf(total);
  try {
    const start = process.memoryUsage().rss;
    const embedded = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
    const filledEmbedded = await fill(embedded, plan);
    const ownMemory = (process.memoryUsage().rss - start) / 2 ** 20;
    const at = { url: server.url, apiKey: server.apiKey };
    const filled = await fill(qdrantChunkStore({ ...at, prefix: `${PREFIX}-ingest` }), projectsOf(total / 5));
    await removeOwn(server, `${PREFIX}-ingest`);
    const ours = qdrantChunkStore({ ...at, prefix: PREFIX });
    const there = await moved(plan, embedded, ours);
    const name = (await server.ask("GET", "/collections")).collections.find((each) =>
      each.name.startsWith(`${PREFIX}-chunks`),
    ).name;
    const settling = await indexed(server.ask, name);
    const memory = server.memory();
    const disk = server.disk();
    const raw = rawEngine(server, `${PREFIX}-raw`);
    const filledRaw = await raw.fill(
      plan.flatMap(({ id, from, size }) => Array.from({ length: size }, (_, i) => ({ n: from + i, tenant: id }))),
      (n) => ({ text: textOf(n, WORDS), vector: vectorOf(n, DIMENSION) }),
    );
    await indexed(server.ask, `${PREFIX}-raw`);

    const times = { embedded: [], ours: [], raw: [], meaning: [], words: [] };
    const recalls = { embedded: [], ours: [], raw: [] };
    const same = [];
    const asks = {
      embedded: createRetrieval({ store: embedded, embedders }),
      ours: createRetrieval({ store: ours, embedders }),
    };
    for (let n = -5; n < questions; n++) {
      const project = plan[(n + 20) % plan.length];
      const query = `${questionOf(n + 500)} ${questionOf(n + 900)}`;
      const [vector] = await embedders.get().embed([query]);
      const answers = {};
      const timed = async (side, work) => {
        const started = performance.now();
        answers[side] = await work();
        if (n >= 0) times[side].push(performance.now() - started);
      };
      await timed("embedded", () => asks.embedded.hybrid(project.id, query, { top_k: 10 }));
      await timed("ours", () => asks.ours.hybrid(project.id, query, { top_k: 10 }));
      await timed("raw", () => raw.hybrid(project.id, query, vector, 10));
      await timed("meaning", () => ours.byMeaning(project.id, vector, { limit: 10 }));
      await timed("words", () => ours.byWords(project.id, query, { limit: 10 }));
      if (n < 0) continue;
      same.push(shared(ids(answers.embedded), ids(answers.ours)));
      if (n >= 60) continue;
      const best = exact(project, vector);
      recalls.ours.push(
        shared(
          best,
          answers.meaning.map(({ id }) => id),
        ),
      );
      recalls.embedded.push(
        shared(
          best,
          (await embedded.byMeaning(project.id, vector, { limit: 10 })).map(({ id }) => id),
        ),
      );
      recalls.raw.push(shared(best, await raw.nearest(project.id, vector, 10)));
    }
    const again = sqliteChunkStore({ file: join(folder, "again.db") });
    const back = await moved(plan, ours, again);
    await again.close();
    await embedded.close();
    const note = `${total} chunks in ${plan.length} projects, Qdrant ${version}`;
    return [
      ...[50, 95].map((p) => ({
        name: `hybrid p${p} on Qdrant, beside the embedded store`,
        ours: percentile(times.ours, p),
        unit: "ms",
        peer: percentile(times.embedded, p),
        peerName: "embedded",
        ratio: percentile(times.embedded, p) / percentile(times.ours, p),
        limit: percentile(times.raw, p),
        limitName: "the engine in one request",
        share: percentile(times.raw, p) / percentile(times.ours, p),
        spread: spread(times.ours),
        note,
      })),
      { name: "by meaning alone p50", ours: percentile(times.meaning, 50), unit: "ms" },
      { name: "by words alone p50", ours: percentile(times.words, 50), unit: "ms" },
      {
        name: "recall@10 by meaning",
        ours: mean(recalls.ours),
        unit: "share",
        peer: mean(recalls.embedded),
        peerName: "embedded",
        limit: mean(recalls.raw),
        limitName: "the engine alone",
      },
      { name: "the same ten as the embedded store, hybrid", ours: mean(same), unit: "share" },
      {
        name: "durable ingest",
        ours: filled,
        unit: "chunks/s",
        peer: filledEmbedded,
        peerName: "embedded",
        ratio: filled / filledEmbedded,
        limit: filledRaw,
        limitName: "the engine",
        share: filled / filledRaw,
        note: `batches of 250, one after the other; ${settling.toFixed(0)} s of indexing after ${total}`,
      },
      {
        name: "migrate to Qdrant, read back and compared",
        ours: there.perSecond,
        unit: "chunks/s",
        note: `${there.chunks} chunks`,
      },
      {
        name: "migrate from Qdrant, read back and compared",
        ours: back.perSecond,
        unit: "chunks/s",
        goal: "the same checksums",
        met: back.checksums === there.checksums,
        note: `${back.chunks} chunks`,
      },
      ...(memory
        ? [
            {
              name: "memory of the server",
              ours: memory.resident,
              unit: "MiB resident",
              peer: ownMemory,
              peerName: "embedded, in the process",
              note: `${memory.anonymous.toFixed(0)} MiB of it anonymous; ${disk} MiB on disk`,
            },
          ]
        : []),
    ];
  } finally {
    if (!server.memory()) await removeOwn(server);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ids = ({ items }) => items.map(({ id }) => id);
const shared = (wanted, got) => wanted.filter((id) => got.includes(id)).length / Math.max(1, wanted.length);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function projectsOf(total) {
  let from = 0;
  return unevenSizes(total).map((size, i) => {
    const project = { id: `p${i}`, from, size };
    from += size;
    return project;
  });
}

/** Chunks per second, durably. */
async function fill(store, plan) {
  const started = performance.now();
  let written = 0;
  for (const { id, from, size } of plan) {
    await store.createProject(newProject(id, DIMENSION));
    for (let at = 0; at < size; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, size - at) }, (_, i) => chunkOf(from + at + i));
      await store.upsert(id, batch);
      written += batch.length;
    }
  }
  return written / ((performance.now() - started) / 1000);
}

/** Chunks per second, every one of them compared, and the projects' checksums. */
async function moved(plan, from, to) {
  const started = performance.now();
  let chunks = 0;
  const checksums = [];
  for (const { id } of plan) {
    const report = await copyProject({ project: id, from, to });
    chunks += report.chunks;
    checksums.push(report.checksum);
  }
  return { chunks, checksums: checksums.join(), perSecond: chunks / ((performance.now() - started) / 1000) };
}

const kept = new Map();
function exact({ id, from, size }, vector) {
  if (!kept.has(id))
    kept.set(
      id,
      Array.from({ length: size }, (_, i) => vectorOf(from + i, DIMENSION)),
    );
  return kept
    .get(id)
    .map((own, i) => ({ id: `c${from + i}`, score: own.reduce((sum, value, d) => sum + value * vector[d], 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map((each) => each.id);
}

async function removeOwn({ ask }, prefix = PREFIX) {
  for (const { name } of (await ask("GET", "/collections")).collections)
    if (name.startsWith(prefix)) await ask("DELETE", `/collections/${name}`);
}

await main(import.meta.url, bench);
