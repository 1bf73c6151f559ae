// How quick the embedded store is: 100,000 chunks in 20 uneven projects, in one run with the machine's own limits.
//
//   node bench/chunks-speed.mjs [--chunks 100000] [--projects 20] [--queries 400] [--growth] [--keep FOLDER]
//
// --growth repeats the search for 10,000 to 1,000,000 chunks in one project and fits the exponent.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";

const { values: options } = parseArgs({
  options: {
    chunks: { type: "string", default: "100000" },
    projects: { type: "string", default: "20" },
    queries: { type: "string", default: "400" },
    growth: { type: "boolean", default: false },
    keep: { type: "string" },
    // What the benchmark runs of itself in processes of their own, so that no part's memory counts for another.
    "first-answer": { type: "string" },
    fill: { type: "string" },
    bandwidth: { type: "boolean", default: false },
  },
});
const DIMENSION = 384;
const MODEL = { id: "synthetic", dimension: DIMENSION, pooling: "mean", max_tokens: 256, weights_sha256: null };

if (options.bandwidth) console.log(memoryBandwidth());
else if (options.fill) await fill(options.fill, unevenProjects(Number(options.projects), Number(options.chunks)));
else if (options["first-answer"]) await firstAnswer(options["first-answer"]);
else if (options.growth) await growth();
else await speed();

async function speed() {
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "shelf.db");
  const total = Number(options.chunks);
  const projects = unevenProjects(Number(options.projects), total);
  if (!existsSync(file)) console.log(apart("--fill", file, "--chunks", options.chunks, "--projects", options.projects));
  const bandwidth = Number(apart("--bandwidth"));
  console.log(`memory bandwidth (one core, summing 256 MiB): ${(bandwidth / 1e9).toFixed(1)} GB/s`);
  console.log(`file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`);
  for (let run = 0; run < 3; run++) console.log(apart("--first-answer", file));
  const store = sqliteChunkStore({ file });
  await measure(store, projects, bandwidth);
  await store.close();
  if (!options.keep) rmSync(folder, { recursive: true, force: true });
}

function apart(...args) {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout.trim();
}

/** Sizes fall off like 1/rank: a few large projects, many small ones. */
function unevenProjects(count, total) {
  const weights = Array.from({ length: count }, (_, i) => 1 / (i + 1));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight, i) => ({
    id: `bench/p${i}`,
    seed: i + 1,
    size: Math.max(10, Math.round((total * weight) / sum)),
  }));
}

async function fill(file, projects) {
  const store = sqliteChunkStore({ file });
  let written = 0;
  let spent = 0;
  let slowest = 0;
  for (const { id, seed, size } of projects) {
    await store.createProject({ id, kind: "project", name: id, description: null, model: MODEL, hybrid_enabled: true });
    const world = synthetic(seed);
    for (let start = 0; start < size; start += 250) {
      const batch = Array.from({ length: Math.min(250, size - start) }, (_, i) => world.chunk(start + i));
      const began = performance.now();
      await store.upsert(id, batch);
      const took = performance.now() - began;
      spent += took;
      slowest = Math.max(slowest, took);
      written += batch.length;
    }
  }
  console.log(
    `durable ingest, batches of 250: ${Math.round(written / (spent / 1000))} chunks/s (slowest batch ${slowest.toFixed(0)} ms)`,
  );
  await store.close();
}

async function measure(store, projects, bandwidth) {
  const random = generator(99);
  const timings = { vector: [], words: [], both: [] };
  const ratios = [];
  const recalls = [];
  const worlds = new Map(projects.map((project) => [project.id, synthetic(project.seed)]));
  for (const project of projects) {
    await store.byMeaning(project.id, worlds.get(project.id).query(), { limit: 50 });
    await store.byWords(project.id, "warm up", { limit: 50 });
  }
  for (let i = 0; i < Number(options.queries); i++) {
    const project = projects[Math.floor(random() * projects.length)];
    const world = worlds.get(project.id);
    const vector = world.query();
    const text = world.question();
    const vectorMs = await timed(timings.vector, () => store.byMeaning(project.id, vector, { limit: 50 }));
    ratios.push({ size: project.size, ratio: vectorMs / ((project.size * DIMENSION) / bandwidth / 1e-3) });
    await timed(timings.words, () => store.byWords(project.id, text, { limit: 50 }));
    await timed(timings.both, () =>
      Promise.all([store.byMeaning(project.id, vector, { limit: 50 }), store.byWords(project.id, text, { limit: 50 })]),
    );
    if (i % 20 === 0) recalls.push(await recall(store, project, world, vector));
  }
  for (const [leg, list] of Object.entries(timings))
    console.log(`${leg.padEnd(6)} p50 ${at(list, 0.5)} ms, p95 ${at(list, 0.95)} ms`);
  const large = ratios.filter(({ size }) => size >= 10_000).map(({ ratio }) => ratio);
  if (large.length)
    console.log(
      `vector leg over the bandwidth limit of its project's codes (projects of 10,000 and more): ${at(large, 0.5)}x`,
    );
  console.log(`recall@10 against float32: ${(recalls.reduce((a, b) => a + b) / recalls.length).toFixed(4)}`);
  const biggest = projects[0];
  const world = worlds.get(biggest.id);
  const vectorList = [];
  const wordList = [];
  for (let i = 0; i < 60; i++) {
    await timed(vectorList, () => store.byMeaning(biggest.id, world.query(), { limit: 50 }));
    await timed(wordList, () => store.byWords(biggest.id, world.question(), { limit: 50 }));
  }
  console.log(
    `largest project (${biggest.size}): vectors p50 ${at(vectorList, 0.5)} ms, words p50 ${at(wordList, 0.5)} ms`,
  );
  console.log(`RSS ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB without the model`);
}

async function growth() {
  const points = [];
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), "bookwheel-growth-"));
  mkdirSync(folder, { recursive: true });
  for (const size of [10_000, 30_000, 100_000, 300_000, 1_000_000]) {
    const file = join(folder, `${size}.db`);
    const project = { id: "bench/one", seed: 7, size };
    if (!existsSync(file)) await fill(file, [project]);
    const store = sqliteChunkStore({ file });
    const world = synthetic(7);
    const vectors = [];
    const words = [];
    const recalls = [];
    await store.byMeaning(project.id, world.query(), { limit: 50 });
    for (let i = 0; i < 40; i++) {
      const vector = world.query();
      await timed(vectors, () => store.byMeaning(project.id, vector, { limit: 10 }));
      await timed(words, () => store.byWords(project.id, world.question(), { limit: 50 }));
      if (i % 8 === 0) recalls.push(await recall(store, project, world, vector));
    }
    const point = { size, vector: Number(at(vectors, 0.5)), words: Number(at(words, 0.5)) };
    points.push(point);
    console.log(
      `${size}: vectors p50 ${point.vector} ms, p95 ${at(vectors, 0.95)}, words p50 ${point.words} ms, recall@10 ${(recalls.reduce((a, b) => a + b) / recalls.length).toFixed(3)}, RSS ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`,
    );
    await store.close();
    if (!options.keep) rmSync(file, { force: true });
  }
  for (const leg of ["vector", "words"])
    console.log(`${leg}: time grows as size^${exponent(points.map((p) => [p.size, p[leg]])).toFixed(2)}`);
}

function exponent(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (i) => logs.reduce((sum, point) => sum + point[i], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  return logs.reduce((s, [x, y]) => s + (x - mx) * (y - my), 0) / logs.reduce((s, [x]) => s + (x - mx) ** 2, 0);
}

/** Opens the store and answers one question, in a process of its own. */
async function firstAnswer(file) {
  const began = performance.now();
  const store = sqliteChunkStore({ file });
  const [project] = await store.projects();
  const world = synthetic(1);
  const vector = world.query();
  await Promise.all([
    store.byMeaning(project.id, vector, { limit: 50 }),
    store.byWords(project.id, world.question(), { limit: 50 }),
  ]);
  console.log(
    `open to first answer in the largest project: ${(performance.now() - began).toFixed(0)} ms, RSS ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB`,
  );
  await store.close();
}

/** Exact answer by brute force over the same vectors, generated again. */
async function recall(store, project, world, vector) {
  const found = (await store.byMeaning(project.id, vector, { limit: 10 })).map(({ id }) => id);
  const exact = [];
  for (let i = 0; i < project.size; i++) {
    const own = world.vector(i);
    let dot = 0;
    for (let d = 0; d < DIMENSION; d++) dot += own[d] * vector[d];
    if (exact.length < 10 || dot > exact[9].dot) {
      exact.push({ id: `c${i}`, dot });
      exact.sort((a, b) => b.dot - a.dot);
      exact.length = Math.min(10, exact.length);
    }
  }
  return exact.filter(({ id }) => found.includes(id)).length / Math.min(10, exact.length);
}

/** Clustered unit vectors and Zipf-distributed words, the same for the same seed. */
function synthetic(seed) {
  const centres = Array.from({ length: 64 }, (_, c) => gaussian(generator(seed * 1000 + c)));
  const asked = generator(seed * 77 + 5);
  const vector = (i) => {
    const random = generator(seed * 1_000_003 + i * 7 + 1);
    const centre = centres[Math.floor(random() * centres.length)];
    return unit(gaussian(random).map((value, d) => value * 0.9 + centre[d]));
  };
  const text = (i) => {
    const random = generator(seed * 500_009 + i * 13 + 3);
    const words = Array.from({ length: 170 + Math.floor(random() * 60) }, () => word(zipf(random())));
    return `${words.join(" ")}.`;
  };
  return {
    vector,
    query: () => unit(gaussian(asked).map((value, d) => value * 0.6 + centres[Math.floor(asked() * 0.999 * 64)][d])),
    question: () => Array.from({ length: 8 }, () => word(zipf(asked()))).join(" "),
    chunk: (i) => ({
      id: `c${i}`,
      text: text(i),
      doc_id: `d${Math.floor(i / 40)}`,
      position: i % 40,
      start: null,
      end: null,
      citekey: `author${Math.floor(i / 40)}`,
      title: `Work ${word(Math.floor(i / 40))}`,
      section: null,
      section_path: ["Part I"],
      page_span: [1 + (i % 300), 1 + (i % 300)],
      page_labels: null,
      doi: null,
      url: null,
      year: 1900 + (i % 120),
      tags: [`t${i % 9}`],
      language: "en",
      metadata: {},
      vectors: [vector(i)],
    }),
  };
}

/** Rank to word: the commonest are English function words, so that questions hold them as real ones do. */
function word(rank) {
  const common =
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were her all their there been if more when will would who so no".split(
      " ",
    );
  if (rank < common.length) return common[rank];
  let rest = rank;
  let text = "";
  do {
    text += "bdfgklmnprstvz"[rest % 14] + "aeiou"[Math.floor(rest / 14) % 5];
    rest = Math.floor(rest / 70);
  } while (rest > 0);
  return `${text}k`;
}
function zipf(u) {
  return Math.floor(Math.exp(u * Math.log(60_000))) - 1;
}
function gaussian(random) {
  const values = new Float32Array(DIMENSION);
  for (let i = 0; i < DIMENSION; i++) values[i] = random() + random() + random() + random() - 2;
  return values;
}
function unit(vector) {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
function generator(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}
function memoryBandwidth() {
  const data = new Float64Array(32 * 2 ** 20).fill(1);
  const target = new Float64Array(data.length);
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4; run++) {
    const began = performance.now();
    target.set(data);
    best = Math.min(best, performance.now() - began);
  }
  return (data.byteLength * 2) / (best / 1000);
}
async function timed(list, work) {
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  list.push(took);
  return took;
}
function at(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}
