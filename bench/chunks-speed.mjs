// How quick the embedded store is: 100,000 chunks in 20 uneven projects, in one run with the machine's own limits.
//
//   node bench/chunks-speed.mjs [--quick] [--full]
//
// --quick takes 10,000 chunks; --full also lets one project grow from 10,000 to 1,000,000 chunks, with vectors made of real
// ones. Parts run in processes of their own, so that no part's memory counts for another. The machine is seldom idle: CPU
// time stands beside the clock.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { judgedSets, missingRow } from "./judged.mjs";
import { randomFrom, unevenSizes } from "./made-up.mjs";
import { DIMENSION, likeReal, synthetic, unit } from "./made-up-chunks.mjs";
import { exponent, inTurn, listening, main, median, percentile, spread } from "./measure.mjs";
import { profileOf, sharesOf } from "./profile.mjs";
import { greetingThen, untilSaid } from "./started.mjs";

const SELF = fileURLToPath(import.meta.url);
const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const MODEL_APART = fileURLToPath(new URL("./model-apart.cjs", import.meta.url));
const PROJECTS = 20;
const LARGE = 10_000;
const LARGE_QUERIES = 120;
/** As many as a hybrid search takes. */
const DEPTH = 50;
/** What a search may be measured against: the vectors as they are given, four bytes a number, or the codes it reads. */
const LIMITS = [
  { name: "reading its vectors once", bytes: 4, goal: 3 },
  { name: "reading their codes once", bytes: 1 },
];
const GROWTH = [10_000, 30_000, 100_000, 300_000, 1_000_000];
/** Up to so many chunks in a project the vector leg must find exactly the nearest. */
const EXACT_TO = 100_000;
const RESULT = "result ";

/** What runs in a process of its own, by name; each prints one line that `apart` reads. */
const PARTS = { fill, profiled, search, firstAnswer, memory, growth };

export async function bench({ quick = false, full = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const file = join(folder, "bookwheel.db");
  const total = quick ? 10_000 : 100_000;
  const load = `load ${loadavg()[0].toFixed(1)}`;
  const rows = [];
  try {
    const filled = apart("fill", file, total);
    rows.push({
      name: `durable ingest of ${total}, batches of 250`,
      ours: filled.perSecond,
      unit: "chunks/s",
      goal: "≥ 3000",
      met: filled.perSecond >= 3000,
      note: `${filled.perCpuSecond.toFixed(0)} per second of CPU; slowest batch ${filled.slowestMs.toFixed(0)} ms, ${load}`,
    });
    rows.push(ingestProfileRow(join(folder, "profiled.db"), total / 5));
    rows.push(...(await firstAnswerRows(file, quick ? 3 : 15)));
    const found = apart("search", file, total, quick ? 100 : 400);
    const leg = (name, list, goal, cpu) =>
      rows.push({
        name,
        ours: median(list),
        unit: "ms",
        goal: `< ${goal}`,
        met: median(list) < goal,
        note: `p95 ${percentile(list, 95).toFixed(2)}${cpu ? `, CPU ${cpu.toFixed(2)}` : ""}`,
      });
    leg("vector leg p50", found.vector, 2, found.vectorCpu);
    leg("word leg p50", found.words, 2, found.wordsCpu);
    leg("both legs p50", found.both, 5);
    if (found.scans.length > 0) rows.push(...LIMITS.map((limit, i) => limitRow(found.scans, limit, i)));
    rows.push({
      name: "recall@10 of the vector leg",
      ours: found.recall,
      unit: "",
      goal: "1.000",
      met: found.recall === 1,
    });
    const rss = apart("memory", file);
    rows.push({
      name: "memory with the model loaded",
      ours: rss.main + rss.model,
      unit: "MiB",
      goal: "< 250",
      met: rss.main + rss.model < 250,
      note: `server ${rss.main.toFixed(0)}, model ${rss.model.toFixed(0)}; ${rss.together.toFixed(0)} with shared pages counted once`,
    });
    if (full) rows.push(...growthRows(folder));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the time of durable ingest goes. */
function ingestProfileRow(file, total) {
  const shares = apart("profiled", file, total);
  const inOrder = Object.entries(shares).sort(([, a], [, b]) => b - a);
  const [[most, share]] = inOrder;
  return {
    name: `durable ingest spends most of its time in ${most}`,
    ours: share * 100,
    unit: "%",
    note: inOrder.map(([name, part]) => `${name} ${(part * 100).toFixed(0)} %`).join(", "),
  };
}

/** From nothing to the first answer in the largest project: the store alone, and the program as a client starts it. */
async function firstAnswerRows(file, rounds) {
  const alone = [1, 2, 3].map(() => apart("firstAnswer", file).ms);
  const { id } = unevenProjects(1)[0];
  const question = { name: "query_hybrid", arguments: { project: id, query: synthetic(1).question() } };
  const asked = greetingThen({ method: "tools/call", params: question });
  const env = { BOOKWHEEL_HOME: dirname(file), LOG_LEVEL: "error" };
  const answer = (...args) => untilSaid([...args, PROGRAM, "stdio"], env, '"score_kind":"weighted"', asked);
  const values = await inTurn(
    {
      node: () => untilSaid(["-e", "console.log('hello')"], env, "hello"),
      apart: () => answer("--require", MODEL_APART),
      whole: () => answer(),
    },
    rounds,
  );
  const [node, ours, whole] = ["node", "apart", "whole"].map((side) => median(values[side]));
  const limit = { limit: node, limitName: "Node alone" };
  return [
    { name: "open the store to first answer", ours: median(alone), unit: "ms", spread: spread(alone) },
    {
      name: "start the program to first hybrid answer, embedding apart",
      ours,
      unit: "ms",
      ...limit,
      share: node / ours,
      spread: spread(values.apart),
      goal: "< 300",
      met: ours < 300,
    },
    {
      name: "the same with the model, which is loaded for it",
      ours: whole,
      unit: "ms",
      ...limit,
      share: node / whole,
      spread: spread(values.whole),
    },
  ];
}

/** A search for the nearest beside the least it can take: looking at every vector of the project once. */
function limitRow(scans, { name, goal }, i) {
  const ratioOf = (list) => median(list.map(({ ms, limits }) => ms / limits[i]));
  const sizes = [...new Set(scans.map(({ size }) => size))];
  const ratio = ratioOf(scans);
  return {
    name: `vector leg, the ${DEPTH} nearest in projects of ${LARGE} and more`,
    ours: median(scans.map(({ ms }) => ms)),
    unit: "ms of CPU",
    limit: median(scans.map(({ limits }) => limits[i])),
    limitName: name,
    ratio,
    spread: spread(scans.map(({ ms, limits }) => ms / limits[i])),
    ...(goal && { goal: `ratio ≤ ${goal}`, met: ratio <= goal }),
    note: sizes
      .map((size) => `${size} chunks: ${ratioOf(scans.filter((scan) => scan.size === size)).toFixed(2)}`)
      .join(", "),
  };
}

function growthRows(folder) {
  if (!judgedSets().includes("scifact")) return [missingRow("SciFact, whose vectors the growing project is made of,")];
  const points = apart("growth", join(folder, "growth.db"), GROWTH.at(-1));
  const each = (text) => points.map((point) => `${point.size}: ${text(point)}`).join(", ");
  const exact = points.filter(({ size }) => size <= EXACT_TO);
  const large = points.filter(({ size }) => size > EXACT_TO);
  const worst = (list) => Math.min(...list.map(({ recall }) => recall));
  const sizes = points.map(({ size }) => size);
  const slowest = Math.max(...large.map(({ vector }) => vector));
  return [
    {
      name: `one project beyond ${EXACT_TO}: vector leg p50, the slowest size`,
      ours: slowest,
      unit: "ms",
      goal: "≤ 25",
      met: slowest <= 25,
      note: each(
        ({ vector, vectorP95, vectorCpu }) =>
          `${vector.toFixed(2)} ms (p95 ${vectorP95.toFixed(1)}, CPU ${vectorCpu.toFixed(1)})`,
      ),
    },
    {
      name: `recall@10 beyond ${EXACT_TO}, the worst size`,
      ours: worst(large),
      unit: "",
      goal: "≥ 0.98",
      met: worst(large) >= 0.98,
      note: each(({ recall }) => recall.toFixed(4)),
    },
    { name: `recall@10 up to ${EXACT_TO}`, ours: worst(exact), unit: "", goal: "1.000", met: worst(exact) === 1 },
    {
      name: "growth of the vector leg, exponent",
      ours: exponent(
        sizes,
        points.map(({ vector }) => vector),
      ),
      unit: "",
      note: `from ${sizes.join(" to ")}`,
    },
    {
      name: "growth of the word leg, exponent",
      ours: exponent(
        sizes,
        points.map(({ words }) => words),
      ),
      unit: "",
      note: each(({ words }) => `${words.toFixed(2)} ms`),
    },
    {
      name: `durable ingest up to ${sizes.at(-1)} in one project, the slowest stretch`,
      ours: Math.min(...points.map(({ perSecond }) => perSecond)),
      unit: "chunks/s",
      note: each(
        ({ perSecond, perCpuSecond, rss }) =>
          `${perSecond.toFixed(0)}/s (${perCpuSecond.toFixed(0)} a second of CPU), ${rss.toFixed(0)} MiB`,
      ),
    },
  ];
}

function apart(part, ...args) {
  const child = spawnSync(process.execPath, ["--expose-gc", SELF, `--part=${part}`, ...args.map(String)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  const line = child.stdout.split("\n").find((text) => text.startsWith(RESULT));
  if (child.status !== 0 || !line) throw new Error(`${part} failed`);
  return JSON.parse(line.slice(RESULT.length));
}

const unevenProjects = (total) =>
  unevenSizes(total, PROJECTS).map((size, i) => ({ id: `bench/p${i}`, seed: i + 1, size }));

/** Made-up vectors under the name of the model that ships, so that the server itself can search them. */
const BUILT_IN = builtInModel();
function builtInModel() {
  const file = new URL("../dist/models/all-MiniLM-L6-v2/model.json", import.meta.url);
  const { id, dimension, pooling, max_tokens, weights_sha256 } = JSON.parse(readFileSync(file, "utf8"));
  return { id, dimension, pooling, max_tokens, weights_sha256 };
}
const newProject = (id) => ({
  id,
  kind: "project",
  name: id,
  description: null,
  model: BUILT_IN,
  hybrid_enabled: true,
});

async function fill(file, total) {
  const store = sqliteChunkStore({ file });
  const clock = stopwatch();
  let written = 0;
  for (const { id, seed, size } of unevenProjects(Number(total))) {
    await store.createProject(newProject(id));
    const world = synthetic(seed);
    for (let start = 0; start < size; start += 250) {
      const batch = Array.from({ length: Math.min(250, size - start) }, (_, i) => world.chunk(start + i));
      await clock.time(() => store.upsert(id, batch));
      written += batch.length;
    }
  }
  await store.close();
  return {
    perSecond: (written / clock.ms) * 1000,
    perCpuSecond: (written / clock.cpuMs) * 1000,
    slowestMs: Math.max(...clock.all),
  };
}

/** What of the store's code belongs to which work; the first that fits a file of ours. */
const WORK = [
  ["SQLite, syncing included", /stores\/sqlite\/database\.js$/],
  ["words, stems and languages", /\/text\//],
  ["postings", /stores\/sqlite\/(postings|words|lengths|block-cache)\.js$/],
  ["vectors and their codes", /stores\/sqlite\/(vectors|vector-scan|code-cache|dot-kernel|binary-prefilter)\.js$/],
  ["rows and the rest", /shelves\/chunks\//],
];

/** Fills a store under the profiler; what each kind of work took of the time inside the store. */
async function profiled(file, total) {
  return sharesOf(await profileOf(() => fill(file, total)), /\/dist\/shelves\/chunks\/stores\//, WORK);
}

async function search(file, total, queries) {
  const projects = unevenProjects(Number(total));
  const store = sqliteChunkStore({ file });
  const random = randomFrom(99);
  const [vector, words, both] = [stopwatch(), stopwatch(), stopwatch()];
  const scans = [];
  const recalls = [];
  const worlds = new Map(projects.map((project) => [project.id, synthetic(project.seed)]));
  const ask = async (project, world) => {
    const query = world.query();
    const text = world.question();
    const before = vector.cpuMs;
    await vector.time(() => store.byMeaning(project.id, query, { limit: DEPTH }));
    if (project.size >= LARGE) {
      const ms = vector.cpuMs - before;
      scans.push({
        size: project.size,
        ms,
        limits: LIMITS.map(({ bytes }) => readOnce(project.size * DIMENSION * bytes)),
      });
    }
    await words.time(() => store.byWords(project.id, text, { limit: DEPTH }));
    // Another question: the pages of the first are at hand now.
    const another = world.query();
    await both.time(() =>
      Promise.all([
        store.byMeaning(project.id, another, { limit: DEPTH }),
        store.byWords(project.id, world.question(), { limit: DEPTH }),
      ]),
    );
    return query;
  };
  for (const project of projects) await ask(project, worlds.get(project.id));
  for (const clock of [vector, words, both]) clock.reset();
  scans.length = 0;
  for (let i = 0; i < Number(queries); i++) {
    const project = projects[Math.floor(random() * projects.length)];
    const query = await ask(project, worlds.get(project.id));
    if (i % 20 === 0) recalls.push(await recall(store, project, worlds.get(project.id), query));
  }
  const legs = {
    vector: vector.all,
    words: words.all,
    both: both.all,
    vectorCpu: vector.cpuMs / vector.all.length,
    wordsCpu: words.cpuMs / words.all.length,
  };
  // Few of those questions went to the large projects: the ratio is taken over more of them.
  const large = projects.filter(({ size }) => size >= LARGE);
  for (let i = 0; large.length > 0 && scans.length < LARGE_QUERIES; i++) {
    const project = large[i % large.length];
    await ask(project, worlds.get(project.id));
  }
  await store.close();
  return {
    ...legs,
    scans,
    recall: recalls.reduce((a, b) => a + b) / recalls.length,
  };
}

let memoryToRead;
/** Milliseconds of CPU to look at as many bytes of other memory once, by the C library's search for a byte that is not there. */
function readOnce(bytes) {
  memoryToRead ??= Buffer.alloc(96 * 2 ** 20, 1);
  const half = memoryToRead.length / 2;
  if (bytes > half) throw new Error("more bytes than there are to read");
  // Other bytes first: a project's vectors are not in the processor's cache either.
  memoryToRead.subarray(half).indexOf(255);
  const cpu = process.cpuUsage();
  memoryToRead.subarray(0, bytes).indexOf(255);
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000;
}

/** Opens the store and answers one question in the largest project. */
async function firstAnswer(file) {
  const world = synthetic(1);
  const vector = world.query();
  const began = performance.now();
  const store = sqliteChunkStore({ file });
  const [project] = await store.projects();
  await Promise.all([
    store.byMeaning(project.id, vector, { limit: DEPTH }),
    store.byWords(project.id, world.question(), { limit: DEPTH }),
  ]);
  const ms = performance.now() - began;
  await store.close();
  return { ms };
}

/** The whole server's memory and that of the model's process, after hybrid searches in every project over HTTP. */
async function memory(file) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = spawn(process.execPath, [PROGRAM, "serve"], {
    env: { ...process.env, PORT: String(port), HOST: "127.0.0.1", BOOKWHEEL_HOME: dirname(file), LOG_LEVEL: "error" },
    stdio: "ignore",
  });
  try {
    await listening(port);
    const client = new Client({ name: "bench", version: "0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/chunks/mcp`)));
    const call = async (name, args) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      if (isError) throw new Error(JSON.stringify(structuredContent));
      return structuredContent;
    };
    const world = synthetic(1);
    const ways = new Set();
    for (const { id } of (await call("list_projects", {})).projects)
      for (let i = 0; i < 10; i++) {
        const { items } = await call("query_hybrid", { project: id, query: world.question() });
        for (const { matched_by } of items)
          for (const [way, found] of Object.entries(matched_by)) if (found) ways.add(way);
      }
    if (!ways.has("words") || !ways.has("meaning")) throw new Error("not searched by words and by meaning");
    await client.close();
    const [own, ...models] = family(server.pid);
    // What both map, the program itself above all, is counted once in `together`.
    return { main: sumOf([own], "Rss"), model: sumOf(models, "Rss"), together: sumOf([own, ...models], "Pss") };
  } finally {
    server.kill();
  }
}

/** The process and those it started, by their ids; only Linux tells. */
function family(pid) {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [pid];
  return [pid, ...readFileSync(list, "utf8").split(" ").filter(Boolean).flatMap(family)];
}

function sumOf(pids, field) {
  const kib = (pid) => {
    const file = `/proc/${pid}/smaps_rollup`;
    const found = existsSync(file) && new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"));
    return found ? Number(found[1]) : 0;
  };
  return pids.reduce((sum, pid) => sum + kib(pid), 0) / 1024;
}

/** One project that grows, with short texts; real questions. */
async function growth(file, most) {
  const { realVectors } = await import("./real-vectors.mjs");
  const { passages, questions } = await realVectors();
  const store = sqliteChunkStore({ file });
  const id = "bench/one";
  await store.createProject(newProject(id));
  const world = likeReal(passages, 7);
  const asked = questions.slice(0, 64).map((question) => ({ vector: unit(question), exact: [] }));
  const points = [];
  const clock = stopwatch();
  let written = 0;
  for (const size of GROWTH.filter((wanted) => wanted <= Number(most))) {
    clock.reset();
    const before = written;
    while (written < size) {
      const batch = Array.from({ length: Math.min(500, size - written) }, (_, i) => world.chunk(written + i));
      for (const chunk of batch) for (const { vector, exact } of asked) keepNearest(exact, chunk, vector);
      await clock.time(() => store.upsert(id, batch));
      written += batch.length;
    }
    const [vector, words] = [stopwatch(), stopwatch()];
    await store.byMeaning(id, asked[0].vector, { limit: 10 });
    let right = 0;
    for (const { vector: query, exact } of asked) {
      const hits = await store.byMeaning(id, query, { limit: 10 });
      right += exact.filter((near) => hits.some((hit) => hit.id === near.id)).length / 10;
    }
    for (let i = 0; i < 128; i++) {
      await vector.time(() => store.byMeaning(id, asked[i % asked.length].vector, { limit: DEPTH }));
      await words.time(() => store.byWords(id, world.question(), { limit: DEPTH }));
    }
    globalThis.gc?.();
    points.push({
      size,
      vector: median(vector.all),
      vectorP95: percentile(vector.all, 95),
      vectorCpu: vector.cpuMs / vector.all.length,
      words: median(words.all),
      recall: right / asked.length,
      rss: process.memoryUsage.rss() / 2 ** 20,
      perSecond: ((written - before) / clock.ms) * 1000,
      perCpuSecond: ((written - before) / clock.cpuMs) * 1000,
    });
  }
  await store.close();
  return points;
}

function keepNearest(exact, { id, vectors: [own] }, vector) {
  let dot = 0;
  for (let d = 0; d < DIMENSION; d++) dot += own[d] * vector[d];
  if (exact.length === 10 && dot <= exact[9].dot) return;
  exact.push({ id, dot });
  exact.sort((a, b) => b.dot - a.dot);
  exact.length = Math.min(10, exact.length);
}

/** Exact answer by brute force over the same vectors, generated again. */
async function recall(store, project, world, vector) {
  const found = (await store.byMeaning(project.id, vector, { limit: 10 })).map(({ id }) => id);
  const exact = [];
  for (let i = 0; i < project.size; i++) keepNearest(exact, { id: `c${i}`, vectors: [world.vector(i)] }, vector);
  return exact.filter(({ id }) => found.includes(id)).length / exact.length;
}

/** Times by the clock, one by one, and by the processor, all together. */
function stopwatch() {
  const watch = {
    all: [],
    ms: 0,
    cpuMs: 0,
    reset() {
      watch.all = [];
      watch.ms = 0;
      watch.cpuMs = 0;
    },
    async time(work) {
      const cpu = process.cpuUsage();
      const began = performance.now();
      await work();
      const ms = performance.now() - began;
      const { user, system } = process.cpuUsage(cpu);
      watch.all.push(ms);
      watch.ms += ms;
      watch.cpuMs += (user + system) / 1000;
      return ms;
    },
  };
  return watch;
}

const part = process.argv[2]?.startsWith("--part=") ? process.argv[2].slice(7) : undefined;
if (part) console.log(RESULT + JSON.stringify(await PARTS[part](...process.argv.slice(3))));
else await main(import.meta.url, bench);
