// The embedded store beside those it was chosen against: the same chunks of 384 dimensions in 20 uneven projects, always
// asked about one project. Each store is filled and searched in processes of its own, searches in turn.
//
//   make bench installs the peers; then node bench/engines.mjs [--quick]
//
// A peer that is too slow to take all chunks in its time is compared at the size it reached, with ours at that size.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ENGINES } from "./engine-adapters.mjs";
import { questionOf, textOf, unevenSizes, vectorOf } from "./made-up.mjs";
import { isMain, main, median, percentile, spread } from "./measure.mjs";

const SELF = fileURLToPath(import.meta.url);
const DIMENSION = 384;
const BATCH = 250;
const LIMIT = 10;
const RESULT = "result ";
const OURS = "Bookwheel";
const MOST_MINUTES = 4;

export async function bench({ quick = false } = {}) {
  const total = quick ? 10_000 : 100_000;
  const settings = { total, seconds: quick ? 30 : 75, rounds: 3, queries: quick ? 40 : 100 };
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-engines-"));
  try {
    const sides = [];
    const absent = [];
    for (const [name, { version }] of Object.entries(ENGINES)) {
      if (version() === undefined) absent.push({ name, reason: "not installed; make bench installs it" });
      else
        await filled(name, folder, settings)
          .then((side) => sides.push(side))
          .catch((error) => absent.push({ name, reason: error.message }));
    }
    const ours = sides.find(({ name }) => name === OURS);
    if (!ours) throw new Error(absent[0].reason);
    // Before the others and after them: what the machine was busy with meanwhile shows in the spread.
    const again = await filled(OURS, folder, settings);
    const rates = [ours.fill.perSecond, again.fill.perSecond];
    ours.fill.perSecond = mean(rates);
    ours.fill.spread = Math.abs(rates[0] - rates[1]) / 2 / mean(rates);
    rmSync(again.folder, { recursive: true, force: true });
    for (const { batches } of sides.filter(({ name }) => name !== OURS))
      if (!sides.some((side) => side.name === OURS && side.batches === batches))
        sides.push(await filled(OURS, folder, settings, batches));
    await searched(sides, settings);
    return [...ourRows(sides), ...sides.flatMap((side) => peerRows(side, sides)), ...absent.map(absentRow)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function filled(name, folder, { total, seconds }, batches) {
  const own = mkdtempSync(join(folder, "store-"));
  const fill = await apart("fill", { name, folder: own, total, seconds, batches: batches ?? plan(total).length });
  return { name, folder: own, total, batches: fill.batches, fill, vectors: [], words: [], memory: [], recalls: [] };
}

/** Every store is opened and asked in each round, one after the other, so that the machine's moods meet all alike. */
async function searched(sides, { rounds, queries }) {
  for (let round = 0; round < rounds; round++)
    for (const side of sides.filter(({ failure }) => !failure)) {
      const { name, folder, total } = side;
      const found = await apart("search", { name, folder, total, queries }).catch((error) => {
        if (name === OURS) throw error;
        side.failure = error.message;
      });
      if (!found) continue;
      side.vectors.push(found.vectors);
      side.words.push(found.words);
      side.memory.push(found.memory);
      if (round === 0) side.recalls = found.answers.map((ids, i) => recall(ids, exact(side, i)));
    }
}

const each = (side, leg, p) => median(side[leg].map((times) => percentile(times, p)));
const spreadOf = (side, leg) => spread(side[leg].map((times) => median(times)));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const MEASURES = [
  { name: "vectors p50", unit: "ms", of: (side) => each(side, "vectors", 50), leg: "vectors" },
  { name: "vectors p95", unit: "ms", of: (side) => each(side, "vectors", 95) },
  { name: "recall@10 of the vectors", unit: "share", of: (side) => mean(side.recalls), more: true },
  { name: "words p50", unit: "ms", of: (side) => each(side, "words", 50), leg: "words" },
  { name: "durable ingest", unit: "chunks/s", of: ({ fill }) => fill.perSecond, more: true },
  { name: "memory after searching", unit: "MiB RSS", of: ({ memory }) => median(memory) },
  { name: "memory at most while filling", unit: "MiB RSS", of: ({ fill }) => fill.peak },
];

function ourRows(sides) {
  const ours = sides.find(({ name }) => name === OURS);
  return MEASURES.map(({ name, unit, of, leg }) => ({
    name,
    ours: of(ours),
    unit,
    ...(leg ? { spread: spreadOf(ours, leg) } : {}),
    ...(name === "durable ingest" ? { spread: ours.fill.spread } : {}),
    ...(name.startsWith("recall") ? { limit: 1, limitName: "exact", share: of(ours) } : {}),
    note: `${ours.fill.rows} chunks in 20 projects`,
  }));
}

/** A ratio above 1 says that ours is quicker, smaller or more. */
function peerRows(side, sides) {
  if (side.name === OURS) return [];
  if (side.failure) return [absentRow({ name: side.name, reason: side.failure })];
  const ours = sides.find(({ name, batches }) => name === OURS && batches === side.batches);
  const { version, about } = ENGINES[side.name];
  return MEASURES.filter(({ leg }) => leg !== "words" || side.words.every((times) => times.length > 0)).map(
    ({ name, unit, of, leg, more }, i) => ({
      name: `${name}, beside ${side.name}`,
      ours: of(ours),
      unit,
      peer: of(side),
      peerName: side.name,
      ratio: more ? of(ours) / of(side) : of(side) / of(ours),
      ...(leg ? { spread: Math.max(spreadOf(ours, leg), spreadOf(side, leg)) } : {}),
      note: [
        i === 0 && `${version()}, ${about}`,
        side.fill.late && `both at ${side.fill.rows} chunks, what it took in its time`,
        ...(name === "durable ingest" ? ingestNotes(ours, side) : []),
      ]
        .filter(Boolean)
        .join("; "),
    }),
  );
}

const ingestNotes = (ours, { fill }) => [
  `${ours.fill.perCpuSecond.toFixed(0)} and ${fill.perCpuSecond.toFixed(0)} per second of CPU`,
  fill.sealSeconds > 1 && `${fill.sealSeconds.toFixed(0)} s of it indexing`,
];

const absentRow = ({ name, reason }) => ({ name: `beside ${name}`, unit: "", note: `left out: ${reason}` });

/** Batches in the order they are written: at every moment the projects have the sizes they will have, in small. */
function plan(total) {
  return unevenSizes(total)
    .flatMap((size, project) =>
      Array.from({ length: Math.ceil(size / BATCH) }, (_, i) => ({
        project,
        from: i * BATCH,
        count: Math.min(BATCH, size - i * BATCH),
        at: (i + 0.5) / Math.ceil(size / BATCH),
      })),
    )
    .sort((a, b) => a.at - b.at || a.project - b.project);
}

const numberOf = (project, i) => project * 1_000_000 + i;
const projectName = (project) => `p${project}`;
const queryOf = (i) => ({
  project: (i * 7) % 20,
  vector: vectorOf(90_000_000 + i, DIMENSION),
  question: questionOf(i),
});

async function fill({ name, folder, total, seconds, batches }) {
  const store = await ENGINES[name].open(folder, DIMENSION);
  let ms = 0;
  let rows = 0;
  let done = 0;
  let cpuMs = 0;
  const timed = async (work) => {
    const [started, used] = [performance.now(), familyCpu()];
    await work();
    ms += performance.now() - started;
    cpuMs += familyCpu() - used;
  };
  for (const { project, from, count } of plan(Number(total)).slice(0, Number(batches))) {
    const batch = Array.from({ length: count }, (_, i) => {
      const number = numberOf(project, from + i);
      return { id: `c${number}`, text: textOf(number, 170 + (number % 60)), vector: vectorOf(number, DIMENSION) };
    });
    await timed(() => store.add(projectName(project), batch));
    rows += count;
    done++;
    if (ms > Number(seconds) * 1000) break;
  }
  const written = ms;
  await timed(async () => store.seal?.());
  const peak = familyMemory("VmHWM");
  await store.close();
  const late = done < plan(Number(total)).length;
  return {
    rows,
    batches: done,
    late,
    perSecond: (rows / ms) * 1000,
    perCpuSecond: (rows / cpuMs) * 1000,
    sealSeconds: (ms - written) / 1000,
    peak,
  };
}

async function search({ name, folder, queries }) {
  const store = await ENGINES[name].open(folder, DIMENSION);
  const answers = [];
  const leg = async (ask, from, count) => {
    const times = [];
    for (let i = from; i < from + count; i++) {
      const query = queryOf(i);
      const started = performance.now();
      const ids = await ask(query);
      times.push(performance.now() - started);
      answers[i] = ids;
    }
    return times;
  };
  const near = ({ project, vector }) => store.byMeaning(projectName(project), vector, LIMIT);
  const said = ({ project, question }) => store.byWords(projectName(project), question, LIMIT);
  // One question in each project first: files are read and code is compiled.
  await leg(near, 1000, 20);
  if (store.byWords) {
    await leg(said, 1000, 20);
    if (answers.slice(1000).every((ids) => ids.length === 0)) throw new Error("no word was found");
  }
  const words = store.byWords ? await leg(said, 0, Number(queries)) : [];
  const vectors = await leg(near, 0, Number(queries));
  globalThis.gc?.();
  const memory = familyMemory("VmRSS");
  await store.close();
  return { vectors, words, memory, answers: answers.slice(0, Number(queries)) };
}

/** By brute force over the same vectors, made again. */
function exact({ total, batches }, i) {
  const { project, vector } = queryOf(i);
  const best = [];
  for (const { from, count } of plan(total)
    .slice(0, batches)
    .filter((batch) => batch.project === project))
    for (let at = from; at < from + count; at++) {
      const own = vectorOf(numberOf(project, at), DIMENSION);
      let dot = 0;
      for (let d = 0; d < DIMENSION; d++) dot += own[d] * vector[d];
      if (best.length === LIMIT && dot <= best[LIMIT - 1].dot) continue;
      best.push({ id: `c${numberOf(project, at)}`, dot });
      best.sort((a, b) => b.dot - a.dot);
      best.length = Math.min(LIMIT, best.length);
    }
  return best.map(({ id }) => id);
}
const recall = (found, wanted) => wanted.filter((id) => found.includes(id)).length / Math.max(1, wanted.length);

/** What this process started, and what that did; only Linux tells. */
function descendants(pid = process.pid) {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  const children = readFileSync(list, "utf8").split(" ").filter(Boolean);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** MiB of this process and all it started. */
function familyMemory(field) {
  const mib = (pid) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  if (!existsSync("/proc/self/status")) return process.memoryUsage.rss() / 2 ** 20;
  return ["self", ...descendants()].reduce((sum, pid) => sum + mib(pid), 0);
}

/** Milliseconds of CPU this process and all it started have used; Linux counts the others' in hundredths of a second. */
function familyCpu() {
  const { user, system } = process.cpuUsage();
  const others = descendants().map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  });
  return others.reduce((sum, ms) => sum + ms, (user + system) / 1000);
}

/** Runs a part in a process of its own, with all that starts, and gives what it found. */
function apart(part, request) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", SELF, "--part", part, "--request", JSON.stringify(request)], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, problems] = ["", ""];
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended, and all it started
      }
    };
    const limit = setTimeout(end, MOST_MINUTES * 60_000);
    process.once("exit", end);
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      problems = (problems + data).slice(-4000);
    });
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      process.removeListener("exit", end);
      end();
      const line = out.split("\n").find((text) => text.startsWith(RESULT));
      if (code === 0 && line) resolve(JSON.parse(line.slice(RESULT.length)));
      else
        reject(
          new Error(
            signal
              ? `not done with ${part} after ${MOST_MINUTES} minutes`
              : (/^\w*Error: (.*)$/m.exec(problems)?.[1] ?? `${part} ended with ${code}`),
          ),
        );
    });
  });
}

const { values } = isMain(import.meta.url)
  ? parseArgs({ options: { part: { type: "string" }, request: { type: "string" } }, strict: false })
  : { values: {} };
if (values.part) {
  const found = await { fill, search }[values.part](JSON.parse(values.request));
  console.log(`\n${RESULT}${JSON.stringify(found)}`);
  process.exit(0);
} else await main(import.meta.url, bench);
