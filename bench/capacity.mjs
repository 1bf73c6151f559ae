// What users cost: measured per user on one process with Redis and search by meaning, then a simulated day of 1 to 1,000,000 of them.
// node bench/capacity.mjs [--users 12] [--with-vectors 2]
//
// Most of its time goes into the vectors of the readers' highlights, so fewer readers have some; what it does stands on stderr.
import { statSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { missing, openCluster } from "./cluster.mjs";
import { post } from "./replicas.mjs";

const load = (path) => import(new URL(`../dist/sandbox/readwise/${path}`, import.meta.url));
const LIBRARY = { sources: 125, highlights: 2_000, documents: 200 };
const WARMING_UP = { sources: 5, highlights: 50, documents: 5 };
const MB = 1024 * 1024;

/** How a person reads: some sittings a day, in each some questions, at hours most others are up too. */
const PERSON = { sittings: 2, questions: 12, secondsBetween: 40, peakShare: 0.12 };
const TTL_SECONDS = 300;
/** Two thirds of a pod's processor are meant to be used. The first kind is that of deploy/overlays/replicas. */
const USE = 0.67;
const PODS = {
  replicas_of_256Mi: { cores: 0.5, cacheBytes: 48 * MB },
  replicas_of_1Gi: { cores: 1, cacheBytes: 512 * MB },
};

async function measure({ users, meaning, calls = 300 }) {
  const [{ startReadwiseSandbox }, { generateLibrary }] = await Promise.all([load("server.js"), load("generate.js")]);
  const sandbox = await startReadwiseSandbox({
    limits: false,
    library: (key) => generateLibrary({ seed: key, ...(key === "user-nobody" ? WARMING_UP : LIBRARY) }),
  });
  const cluster = await openCluster({
    replicas: 1,
    readwiseUrl: sandbox.url,
    env: { CACHE_MAX_SIZE_MB: "512", CACHE_TTL_SECONDS: "3600", READWISE_MEANING: String(meaning) },
  });
  const agent = new Agent({ keepAlive: true });
  const [place] = cluster.places;
  const number = async (name) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(await place.metrics())?.[1]);
  const look = async () => ({
    cpu: await number("process_cpu_seconds_total"),
    cache: await number("bookwheel_cache_bytes"),
    redis: cluster.redis.memory(),
    memory: place.memory(),
    upstream: sandbox.requests.count(),
    embedding: place.childCpu(),
    vectors: ["", "-wal"].reduce(
      (sum, end) => sum + (statSync(join(cluster.home, `meaning.db${end}`), { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
  });
  /** Vectors are made in the background, a little after a search asked for them. */
  const embedded = async () => {
    if (!meaning) return;
    for (let calm = 0, before = place.childCpu(); calm < 5; before = place.childCpu()) {
      await delay(1_000);
      calm = place.childCpu() - before < 0.05 ? calm + 1 : 0;
    }
  };
  const call = async (user, name, args) => {
    const { status, text } = await post({ ...cluster, agent }, `user-${user}`, name, args, 1);
    if (status !== 200 || text.includes('"isError":true')) throw new Error(`${name}: ${status} ${text.slice(0, 200)}`);
  };
  const fill = async (user) => {
    await call(user, "search_highlights", { query: "memory", limit: 5 });
    await call(user, "search_documents", { query: "memory", limit: 5 });
  };
  try {
    const started = performance.now();
    const report = (what) => console.error(`${((performance.now() - started) / 1000).toFixed(0)} s: ${what}`);
    await fill("nobody");
    await embedded();
    report("the process is warm");
    const idle = await look();
    for (let user = 0; user < users; user++) {
      await fill(user);
      await embedded();
      const made = (place.childCpu() - idle.embedding).toFixed(0);
      report(meaning ? `reader ${user + 1} has vectors, ${made} s of processor time so far` : `reader ${user + 1}`);
    }
    const full = await look();
    for (let i = 0; i < calls; i++)
      await call(i % users, i % 3 ? "search_highlights" : "list_sources", i % 3 ? { query: "reading", limit: 5 } : {});
    const used = await look();
    const perUser = (name) => (full[name] - idle[name]) / users;
    return {
      idleBytes: idle.memory,
      cacheBytesPerUser: perUser("cache"),
      memoryBytesPerUser: perUser("memory"),
      redisBytesPerUser: perUser("redis"),
      requestsToFill: perUser("upstream"),
      cpuSecondsToFill: perUser("cpu"),
      cpuSecondsToEmbed: perUser("embedding"),
      vectorBytesPerUser: perUser("vectors"),
      cpuMsPerCall: ((used.cpu + used.embedding - full.cpu - full.embedding) / calls) * 1000,
    };
  } finally {
    agent.destroy();
    await cluster.close();
    await sandbox.close();
  }
}

/** A random number from 0 to 1, the same ones every time. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A day in steps of a question: what goes upstream, and how much there is at once in the busiest minute. */
function simulateDay(users, figures) {
  const random = seeded(users);
  const minutes = new Float64Array(24 * 60);
  const readers = Array.from({ length: 24 * 60 }, () => 0);
  let requests = 0;
  let calls = 0;
  for (let user = 0; user < users; user++) {
    let known = false;
    for (let sitting = 0; sitting < PERSON.sittings; sitting++) {
      const inPeak = random() < PERSON.peakShare * 2;
      let second = inPeak ? 20 * 3600 + random() * 7_200 : random() * 86_400;
      let fresh = -Infinity;
      const first = Math.floor(second / 60);
      for (let question = 0; question < PERSON.questions; question++) {
        const minute = Math.floor(second / 60) % (24 * 60);
        minutes[minute] += 1;
        calls++;
        // The first time of the day everything may have to be fetched; afterwards what changed, once a TTL, from two endpoints.
        if (second - fresh >= TTL_SECONDS) {
          requests += known ? 2 : figures.requestsToFill;
          known = true;
          fresh = second;
        }
        second += -Math.log(1 - random()) * PERSON.secondsBetween;
      }
      for (let minute = first; minute <= second / 60; minute++) readers[minute % (24 * 60)]++;
    }
  }
  const callsPerSecond = Math.max(...minutes) / 60;
  const active = Math.max(...readers);
  const activeBytes = active * figures.cacheBytesPerUser;
  /**
   * A reader's data comes into a pod at the first call of a sitting, and again whenever it had to make room: from Redis,
   * which costs about what filling it cost. With affinity a reader's calls go to one pod, else to all of them.
   */
  const replicasOf = ({ cores, cacheBytes }, affinity) => {
    for (let replicas = 1; replicas <= 10_000; replicas++) {
      const held = Math.min(1, ((affinity ? replicas : 1) * cacheBytes) / activeBytes);
      const first = (affinity ? 1 : Math.min(replicas, PERSON.questions)) / PERSON.questions;
      const fills = callsPerSecond * Math.max(first, 1 - held);
      const needed = (callsPerSecond * figures.cpuMsPerCall) / 1000 + fills * figures.cpuSecondsToFill;
      if (needed <= replicas * cores * USE) return replicas;
    }
    return Infinity;
  };
  return {
    users,
    calls_a_day: calls,
    calls_a_second_at_peak: callsPerSecond,
    reading_at_once: active,
    upstream_a_day: Math.round(requests),
    upstream_a_user: requests / users,
    memory_mb_of_readers: activeBytes / MB,
    redis_mb: (users * figures.redisBytesPerUser) / MB,
    vectors_mb: (users * figures.vectorBytesPerUser) / MB,
    hours_to_embed_all_once: (users * figures.cpuSecondsToEmbed) / 3600,
    ...Object.fromEntries(Object.entries(PODS).map(([name, pod]) => [name, replicasOf(pod, true)])),
    replicas_of_256Mi_without_affinity: replicasOf(PODS.replicas_of_256Mi, false),
  };
}

const problem = missing();
if (problem) console.log(`skipped: ${problem}`);
else {
  const { values: options } = parseArgs({
    options: { users: { type: "string", default: "12" }, "with-vectors": { type: "string", default: "2" } },
  });
  const words = await measure({ users: Number(options.users), meaning: false });
  const meaning = await measure({ users: Number(options["with-vectors"]), meaning: true });
  const figures = {
    ...words,
    cpuMsPerCallByWords: words.cpuMsPerCall,
    cpuMsPerCall: meaning.cpuMsPerCall,
    // Once per reader, in the server and in the model's process.
    cpuSecondsToEmbed: meaning.cpuSecondsToFill + meaning.cpuSecondsToEmbed - words.cpuSecondsToFill,
    vectorBytesPerUser: meaning.vectorBytesPerUser,
    memoryBytesPerUserWithVectors: meaning.memoryBytesPerUser,
  };
  console.log(JSON.stringify(figures, null, 2));
  const rows = [1, 100, 10_000, 1_000_000].map((users) => simulateDay(users, figures));
  const head = Object.keys(rows[0]);
  const cell = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0));
  console.log(
    [
      `| ${head.join(" | ")} |`,
      `| ${head.map(() => "---").join(" | ")} |`,
      ...rows.map((row) => `| ${head.map((name) => cell(row[name])).join(" | ")} |`),
    ].join("\n"),
  );
}
