// Many projects of ten chunks on Qdrant, both ways: one collection for all of them with a tenant key, as our store does it, and a
// collection per project. What the server takes for each thousand, how long a search takes then, and how long a restart.
//
//   [BENCH_PROJECTS=10000] [eatmydata] node bench/qdrant-tenants.mjs [--quick]
//
// Needs a qdrant on the PATH. A collection per project needs some 300 memory maps each, and Linux allows a process 65,530:
// sysctl vm.max_map_count=8000000, fs.file-max likewise from some thousands on. With eatmydata (Debian's package) writes to the disk are not waited for.

import { qdrantClient } from "../dist/shelves/chunks/stores/qdrant/client.js";
import { collectionSetup } from "../dist/shelves/chunks/stores/qdrant/collection-setup.js";
import { payloadOf } from "../dist/shelves/chunks/stores/qdrant/payload.js";
import { qdrantChunkStore } from "../dist/shelves/chunks/stores/qdrant.js";
import { newProject, questionOf, textOf, vectorOf } from "./made-up.mjs";
import { synthetic } from "./made-up-chunks.mjs";
import { main, percentile } from "./measure.mjs";
import { sparse } from "./qdrant-raw.mjs";
import { openQdrant, qdrantIsInstalled } from "./qdrant-server.mjs";

const DIMENSION = 384;
const CHUNKS_PER_PROJECT = 10;
const AT_ONCE = 4;
const RESTART_SECONDS = 900;
const shell = synthetic(3).shell;

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  if (!qdrantIsInstalled) {
    const note = "there is no qdrant on the PATH";
    console.error(`skipped: ${note}`);
    return [{ name: "skipped", unit: "", note }];
  }
  const total = Number(process.env.BENCH_PROJECTS ?? (quick ? 100 : 10_000));
  return [
    ...(await taken("one collection", total, shared)),
    ...(await taken("a collection per project", total, collectionEach)),
  ];
}

const chunksOf = (n) =>
  Array.from({ length: CHUNKS_PER_PROJECT }, (_, i) => {
    const number = n * CHUNKS_PER_PROJECT + i;
    return { ...shell(number), text: textOf(number), vectors: [vectorOf(number, DIMENSION)] };
  });

function shared({ url }) {
  const store = qdrantChunkStore({ url, prefix: "tenants" });
  return {
    async add(n) {
      await store.createProject(newProject(`p${n}`, DIMENSION));
      await store.upsert(`p${n}`, chunksOf(n));
    },
    byMeaning: (n, vector) => store.byMeaning(`p${n}`, vector, { limit: 10 }),
  };
}

/** The same points and indexes; how many of the projects there are needs no list of them here. */
function collectionEach({ url, ask }) {
  const setup = collectionSetup(qdrantClient({ url, patienceMs: 300_000 }));
  return {
    async add(n) {
      const { model } = newProject(`p${n}`, DIMENSION);
      await setup.chunks(`p${n}`, model, false);
      const points = chunksOf(n).map((chunk, id) => {
        const { vectors, ...record } = chunk;
        const terms = record.text.split(" ");
        return {
          id,
          vector: { dense: vectors.map((vector) => Array.from(vector)), bm25: sparse(record.text) },
          payload: payloadOf(`p${n}`, model.id, record, { terms, average: 40 }),
        };
      });
      await ask("PUT", `/collections/p${n}/points?wait=true`, { points });
    },
    byMeaning: (n, vector) =>
      ask("POST", `/collections/p${n}/points/query`, {
        query: [Array.from(vector)],
        using: "dense",
        limit: 10,
        with_payload: ["chunk_id"],
      }),
  };
}

/** Projects are added until there are enough, or until the server refuses or ends; what was seen by then is a row. */
async function taken(name, total, way) {
  const server = await openQdrant();
  const { version } = await (await fetch(server.url)).json();
  const started = performance.now();
  const rows = [];
  const { add, byMeaning } = way(server);
  const step = Math.ceil(total / 10);
  let made = 0;
  try {
    for (; made < total; made += step) {
      await severalAtOnce(made, Math.min(total, made + step), add);
      rows.push(await costs(`${name}, ${Math.min(total, made + step)} projects`, server, started));
    }
    const times = [];
    for (let n = -10; n < 200; n++) {
      const project = (Math.abs(n) * 7919) % total;
      const [asked] = [vectorOf(questionOf(n + 500).length * 1000 + n, DIMENSION)];
      const before = performance.now();
      await byMeaning(project, asked);
      if (n >= 0) times.push(performance.now() - before);
    }
    rows.push({
      name: `${name}, search by meaning in one of ${total} p50`,
      ours: percentile(times, 50),
      unit: "ms",
      note: `p95 ${percentile(times, 95).toFixed(1)} ms; Qdrant ${version}`,
    });
    const back = await server.restarted(RESTART_SECONDS);
    const { resident, anonymous } = server.memory();
    rows.push({
      name: `${name}, back after a kill with ${total}`,
      ours: back ?? RESTART_SECONDS,
      unit: back === undefined ? "s, not ready by then" : "s",
      note: `${resident.toFixed(0)} MiB resident, ${anonymous.toFixed(0)} of it anonymous`,
    });
  } catch (error) {
    const note = `after ${made} projects: ${error instanceof Error ? error.message : error}`;
    console.error(note);
    rows.push({ name: `${name}, ended`, ours: made, unit: "projects", note: note.slice(0, 300) });
  } finally {
    await server.close();
  }
  return rows;
}

async function severalAtOnce(from, to, work) {
  let next = from;
  const worker = async () => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function costs(name, server, started) {
  const { resident, anonymous } = server.memory();
  const { maps, files } = await server.handles();
  const note = [
    `${maps} memory maps`,
    `${files} open files`,
    `${anonymous.toFixed(0)} MiB anonymous, ${resident.toFixed(0)} resident`,
    `${server.disk()} MiB on disk`,
    `${((performance.now() - started) / 1000).toFixed(0)} s in all`,
  ].join("; ");
  const cpu = server.cpu();
  console.error(`${name}: ${cpu.toFixed(0)} s of processor time; ${note}`);
  return { name, ours: cpu, unit: "s of processor time", note };
}

await main(import.meta.url, bench);
