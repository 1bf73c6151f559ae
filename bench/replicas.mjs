// Three processes behind nginx with one Redis, used by 200 clients, while processes are killed and started again.
// node bench/replicas.mjs [--seconds 60] [--clients 200] [--keys 40]
import { Agent, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { missing, openCluster } from "./cluster.mjs";
import { percentile } from "./measure.mjs";

const EXPORT = "GET /api/v2/export/";
const LATE_MS = 3_000;
const load = (path) => import(new URL(`../dist/sandbox/readwise/${path}`, import.meta.url));

/** Tools by how often they are called; `marked` answers must show the caller's own texts. */
const CALLS = [
  { weight: 30, name: "search_highlights", args: () => ({ query: "the", limit: 3 }), marked: true },
  { weight: 15, name: "list_sources", args: () => ({ page_size: 5 }), marked: true },
  { weight: 10, name: "export_highlights", args: () => ({ limit: 2 }), marked: true },
  { weight: 10, name: "list_highlights", args: () => ({ page_size: 5 }), marked: true },
  { weight: 10, name: "search_documents", args: () => ({ query: "the", limit: 3 }) },
  { weight: 10, name: "list_documents", args: () => ({ limit: 3 }) },
  { weight: 5, name: "list_reader_tags", args: () => ({}) },
  { weight: 5, name: "list_projects", args: () => ({}) },
  {
    weight: 5,
    name: "create_highlight",
    args: (key, n) => ({ text: `Written by ${key}, number ${n} [${key}]`, source_title: `Notes [${key}]` }),
    writes: true,
  },
];
const TOTAL = CALLS.reduce((sum, { weight }) => sum + weight, 0);

function pick() {
  let at = Math.random() * TOTAL;
  for (const call of CALLS) {
    at -= call.weight;
    if (at < 0) return call;
  }
  return CALLS[0];
}

/** A library whose every text says whose it is. */
function markedLibrary(generateLibrary, key) {
  const library = generateLibrary({ seed: key, sources: 20, highlights: 120, documents: 10 });
  for (const book of library.books.values()) book.title = `${book.title} [${key}]`;
  for (const highlight of library.highlights.values()) highlight.text = `${highlight.text} [${key}]`;
  for (const document of library.documents.values()) document.title = `${document.title} [${key}]`;
  library.touch();
  return library;
}

export function post({ url, ca, agent }, key, name, args, id) {
  const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "x-readwise-token": key,
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/mcp`, { method: "POST", ca, agent, headers }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, upstream: String(response.headers["x-upstream"] ?? ""), text }),
      );
      response.on("error", (error) =>
        reject(Object.assign(error, { upstream: String(response.headers["x-upstream"] ?? "") })),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Kills a process at random, starts it again, waits a while; never the last one. */
async function disturb(places, kills, isOver) {
  while (!isOver()) {
    await delay(500 + Math.random() * 1_500);
    const up = places.filter((place) => place.up);
    if (up.length < 2 || isOver()) continue;
    const victim = up[Math.floor(Math.random() * up.length)];
    const signal = Math.random() < 0.7 ? "SIGKILL" : "SIGTERM";
    const kill = { address: victim.address, signal, from: Date.now(), to: Infinity };
    kills.push(kill);
    await victim.stop(signal);
    kill.to = Date.now();
    await victim.start();
  }
}

/**
 * The same page of an export asked for twice, though nobody was killed in between: two processes filled one cache.
 * Changes since the last time (`updatedAfter`) are no population.
 */
function fetchedTwice(requests, kills) {
  const seen = new Map();
  const twice = [];
  for (const { at, token, endpoint, query } of requests) {
    if (endpoint !== EXPORT || query.updatedAfter || query.ids) continue;
    const page = `${token} ${query.pageCursor ?? "first"}`;
    const before = seen.get(page);
    seen.set(page, at);
    // A busy simulator may see a request some time after the process that sent it is dead.
    const excused = kills.some(({ from, to }) => to >= (before ?? 0) - LATE_MS && from <= at);
    if (before !== undefined && !excused) twice.push({ page, first: before, again: at });
  }
  return { pages: seen.size, populations: [...seen.keys()].filter((page) => page.endsWith(" first")).length, twice };
}

/** @param {{ seconds?: number, clients?: number, keys?: number, replicas?: number, pauseMs?: number, calm?: boolean }} options */
export async function runReplicas({
  seconds = 15,
  clients = 200,
  keys = 40,
  replicas = 3,
  pauseMs = 1_000,
  calm = false,
  env = {},
} = {}) {
  const [{ startReadwiseSandbox }, { generateLibrary }] = await Promise.all([load("server.js"), load("generate.js")]);
  // Made before anybody waits for them: the simulator and the clients share this process.
  const names = Array.from({ length: keys }, (_, i) => `key-${i}`);
  const libraries = Object.fromEntries(names.map((key) => [key, markedLibrary(generateLibrary, key)]));
  const sandbox = await startReadwiseSandbox({ limits: false, exportPageSize: 5, libraries });
  const cluster = await openCluster({ replicas, readwiseUrl: sandbox.url, env: { CACHE_TTL_SECONDS: "600", ...env } });
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const kills = [];
  const failures = [];
  const foreign = [];
  const times = [];
  let calls = 0;
  let writes = 0;
  let over = false;

  async function client(number) {
    const key = `key-${number % keys}`;
    // They come one after the other: two hundred handshakes at once would measure nginx.
    await delay(Math.random() * seconds * 300);
    while (!over) {
      const { name, args, marked, writes: isWrite } = pick();
      const began = Date.now();
      const answer = await post({ ...cluster, agent }, key, name, args(key, ++calls), calls).catch((error) => ({
        status: 0,
        text: error.message,
        upstream: error.upstream ?? "",
      }));
      const ended = Date.now();
      times.push(ended - began);
      if (isWrite) writes++;
      const ok = answer.status === 200 && !answer.text.includes('"isError":true');
      if (!ok)
        failures.push({
          name,
          began,
          ended,
          status: answer.status,
          upstream: answer.upstream,
          text: answer.text.slice(0, 300),
        });
      const marks = new Set([...answer.text.matchAll(/\[(key-\d+)\]/g)].map(([, mark]) => mark));
      if (ok && marked && marks.size === 0) foreign.push({ name, key, marks: "none" });
      marks.delete(key);
      if (marks.size) foreign.push({ name, key, marks: [...marks] });
      await delay(Math.random() * pauseMs * 2);
    }
  }

  try {
    const disturbing = calm ? undefined : disturb(cluster.places, kills, () => over);
    const working = Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
    await delay(seconds * 1000);
    over = true;
    await working;
    await disturbing;
    // In flight on a process while it was killed: nobody can answer those, and nobody may repeat them.
    const wasKilled = ({ upstream, began, ended }) =>
      kills.some(({ address, from, to }) => upstream.includes(address) && began <= to && ended >= from - 50);
    return {
      calls,
      writes,
      kills: kills.length,
      inFlight: failures.filter(wasKilled).length,
      failures: failures.filter((failure) => !wasKilled(failure)),
      foreign,
      exports: fetchedTwice(sandbox.requests.list(), kills),
      upstreamRequests: sandbox.requests.count(),
      medianMs: percentile(times, 50),
      p95Ms: percentile(times, 95),
      callsPerSecond: calls / seconds,
      replicaBytes: cluster.places.map((place) => place.memory()),
      redisBytes: cluster.redis.memory(),
      nginxErrors: cluster.nginx.errors(),
      warnings: cluster.places.flatMap(({ stderr }) => stderr.split("\n").filter((line) => line.startsWith("{"))),
    };
  } finally {
    over = true;
    agent.destroy();
    await cluster.close();
    await sandbox.close();
  }
}

if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const options = {
    seconds: { type: "string" },
    clients: { type: "string" },
    keys: { type: "string" },
    quick: { type: "boolean" },
    full: { type: "boolean" },
  };
  const { values } = parseArgs({ options });
  const problem = missing();
  if (problem) {
    console.log(`skipped: ${problem}`);
    process.exit(0);
  }
  const { nginxErrors, warnings, ...result } = await runReplicas({
    seconds: Number(values.seconds ?? (values.quick ? 12 : 60)),
    ...(values.clients ? { clients: Number(values.clients) } : {}),
    ...(values.keys ? { keys: Number(values.keys) } : {}),
  });
  console.log(JSON.stringify(result, null, 2));
  if (result.failures.length)
    console.log(warnings.slice(-20).join("\n"), nginxErrors.split("\n").slice(-20).join("\n"));
  process.exitCode = result.failures.length || result.foreign.length || result.exports.twice.length ? 1 : 0;
}
