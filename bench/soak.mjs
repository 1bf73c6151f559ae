// Half an hour of mixed load against the real program: memory, handles and the slowest calls must not grow.
//
//   node bench/soak.mjs [--minutes 30] [--callers 4] [--heap image|unit] [--hostile]
//
// `--heap` gives the program the heap of the shipped image or of the shipped systemd unit; `--hostile` sends bodies of 16 MiB,
// eight at once, and texts made to be slow beside the mixed load.
// Linux only, for its /proc. Ends with 1 where something grew. Into RESULTS.md: node bench/run.mjs --only soak --write
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMain, median, percentile, toTable } from "./measure.mjs";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const MIB = 1024 * 1024;
/** Caches fill and code is compiled in the first part; growth is looked for in the rest. */
const WARM_UP = 0.3;
const WINDOWS = 60;

/** What the Containerfile and deploy/systemd set; a test compares them. */
export const HEAPS = {
  image: "--max-old-space-size=144 --max-semi-space-size=2",
  unit: "--max-old-space-size=256",
};

/** Starts the demo in a folder of its own, loads it, and gives what was seen. */
export async function soak({ minutes, callers = 4, heap, hostile = false, onWindow = () => {} }) {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-soak-"));
  const child = spawn(process.execPath, [PROGRAM, "demo"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      BOOKWHEEL_HOME: home,
      PORT: "0",
      LOG_LEVEL: "info",
      ...(heap ? { NODE_OPTIONS: HEAPS[heap] } : {}),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const url = await listening(child);
    const windows = [];
    let times = [];
    const failures = new Map();
    const stopAt = performance.now() + minutes * 60_000;
    const caller = async (number) => {
      for (let i = number; performance.now() < stopAt; i += callers) {
        const { name, call } = MIX[i % MIX.length];
        const started = performance.now();
        const problem = await call(url, i).catch((error) => error.message);
        times.push(performance.now() - started);
        if (problem) failures.set(`${name}: ${problem}`, (failures.get(`${name}: ${problem}`) ?? 0) + 1);
      }
    };
    let attacks = 0;
    const attacker = async () => {
      for (let i = 0; performance.now() < stopAt && child.exitCode === null; i++) {
        const { name, bodies } = ATTACKS[i % ATTACKS.length];
        const answers = await Promise.all(bodies.map((body) => statusOf(url, body)));
        attacks += answers.length;
        for (const status of answers.filter((status) => typeof status !== "number" || status >= 500)) {
          const what = `${name}: ${status}`;
          failures.set(what, (failures.get(what) ?? 0) + 1);
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    };
    const load = Promise.all([
      ...Array.from({ length: callers }, (_, number) => caller(number)),
      ...(hostile ? [attacker()] : []),
    ]);
    const everyMs = Math.max(250, (minutes * 60_000) / WINDOWS);
    while (performance.now() < stopAt) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, Math.max(0, stopAt - performance.now()))));
      const family = familyOf(child.pid);
      const seen = {
        seconds: minutes * 60 - (stopAt - performance.now()) / 1000,
        calls: times.length,
        p50: times.length ? median(times) : 0,
        p99: times.length ? percentile(times, 99) : 0,
        rssMib: family.reduce((sum, id) => sum + rssOf(id), 0) / MIB,
        handles: family.reduce((sum, id) => sum + handlesOf(id), 0),
      };
      times = [];
      windows.push(seen);
      onWindow(seen);
    }
    await load;
    if (child.exitCode !== null) failures.set(`the program ended with ${child.exitCode}`, 1);
    return { ...verdict(windows), windows, attacks, failures: [...failures] };
  } finally {
    child.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** Growth over the time after the warm-up, and whether it is more than the windows differ among themselves anyway. */
export function verdict(windows) {
  const steady = windows.slice(Math.floor(windows.length * WARM_UP));
  const rss = trend(steady.map(({ seconds, rssMib }) => [seconds, rssMib]));
  const handles = trend(steady.map(({ seconds, handles }) => [seconds, handles]));
  const half = Math.floor(steady.length / 2);
  const p99 = [steady.slice(0, half), steady.slice(half)].map((part) => median(part.map((window) => window.p99)));
  return {
    calls: windows.reduce((sum, window) => sum + window.calls, 0),
    rss: { ...rss, flat: rss.growth <= Math.max(3 * rss.noise, 0.02 * rss.level) },
    handles: { ...handles, flat: handles.growth <= Math.max(3 * handles.noise, 8) },
    p99: { first: p99[0], second: p99[1], stable: p99[1] <= p99[0] * 1.5 + 20 },
  };
}

/** A straight line through the points: how much it rises from end to end, and how far the points lie from it. */
function trend(points) {
  const n = points.length;
  const mx = points.reduce((sum, [x]) => sum + x, 0) / n;
  const my = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const slope =
    points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const noise = Math.sqrt(points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0) / n);
  return { level: my, growth: slope * (points.at(-1)[0] - points[0][0]), noise };
}

const tool = (name, args, expects) => ({
  name,
  async call(url, i) {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: i, method: "tools/call", params: { name, arguments: args(i) } }),
    });
    const text = await response.text();
    if (response.status !== 200) return `HTTP ${response.status}`;
    return text.includes(expects) ? undefined : (/"code":"(\w+)"/.exec(text)?.[1] ?? "another answer");
  },
});
const page = (path) => ({
  name: path,
  async call(url) {
    const response = await fetch(url + path);
    await response.arrayBuffer();
    return response.ok ? undefined : `HTTP ${response.status}`;
  },
});
const WORDS = ["memory", "water", "attention", "a house", "reading", "time", "the mind", "garden"];
const word = (i) => WORDS[i % WORDS.length];
const PROJECT = "demo/reading";

/** Reads, writes over the same ids, refusals and the page; nothing here lets the data itself grow. */
const MIX = [
  tool("search_highlights", (i) => ({ query: word(i), limit: 10 }), "results"),
  tool("list_sources", (i) => ({ page: 1 + (i % 3), page_size: 10 }), "results"),
  tool("query_hybrid", (i) => ({ project: PROJECT, query: `what is said about ${word(i)}` }), "items"),
  tool("search_documents", (i) => ({ query: word(i), limit: 10 }), "results"),
  tool("list_projects", () => ({}), "projects"),
  tool(
    "store_chunks",
    (i) => ({ project: PROJECT, items: [{ id: `soak-${i % 20}`, text: `Passage ${i % 20} about ${word(i)}.` }] }),
    "chunks_written",
  ),
  tool(
    "verify_quote",
    (i) => ({ project: PROJECT, quote: `nobody ever wrote this about ${word(i)} in any book` }),
    "verdict",
  ),
  tool("find_chunks", (i) => ({ project: "nowhere", query: word(i) }), "INVALID_PROJECT"),
  tool("list_documents", (i) => ({ limit: 5 + (i % 5) }), "results"),
  tool("get_daily_review", () => ({ unknown: true }), "invalid_param"),
  page("/"),
  page("/health"),
];

const MIB_16 = 16 * MIB - 1024;
const FRONT =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_chunks","arguments":{"project":"p","items":[';
const many = (part) => Buffer.from(`${FRONT}${part.repeat(Math.floor((MIB_16 - 200) / part.length)).slice(0, -1)}]}}}`);
const slow = (name, args) =>
  Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }));

/** Each with the bodies that are sent at once. None of them leaves anything behind. */
const ATTACKS = [
  { name: "empty objects", bodies: Array(8).fill(many("{},")) },
  { name: "short texts", bodies: Array(8).fill(many('"ab",')) },
  { name: "one text", bodies: Array(8).fill(Buffer.from(`${FRONT}"${"a".repeat(MIB_16 - 300)}"]}}}`)) },
  { name: "nested arrays", bodies: Array(8).fill(Buffer.from(FRONT + "[".repeat(MIB_16 - 300))) },
  {
    name: "slow texts",
    bodies: [
      slow("verify_quote", { project: PROJECT, quote: `the quick brown fox ${"… ".repeat(2_000)}x` }),
      slow("verify_quote", { project: PROJECT, quote: `Chapter one of the book ${". ".repeat(2_000)}12` }),
      slow("check_draft", { project: PROJECT, text: "[@a [".repeat(100_000) }),
      slow("check_draft", { project: PROJECT, text: '" '.repeat(250_000) }),
      slow("cite", { project: PROJECT, sources: [`key, p. 4${" ".repeat(450)}b`] }),
    ],
  },
];

const statusOf = (url, body) =>
  fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body,
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error) => error.message,
  );

function listening(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (part) => {
      said = (said + part).slice(-20_000);
      const found = /"message":"listening","url":"([^"]+)"/.exec(said);
      if (found) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}:\n${said}`)));
  });
}

/** The program and everything it started. */
function familyOf(id) {
  const children = readOr(`/proc/${id}/task/${id}/children`, "").trim().split(" ").filter(Boolean);
  return [id, ...children.flatMap(familyOf)];
}
const rssOf = (id) => Number(/VmRSS:\s+(\d+)/.exec(readOr(`/proc/${id}/status`, ""))?.[1] ?? 0) * 1024;
function handlesOf(id) {
  try {
    return readdirSync(`/proc/${id}/fd`).length;
  } catch {
    return 0; // it has just ended
  }
}
function readOr(file, otherwise) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

/** Rows of half an hour, or of one minute to try it out. */
export async function bench({ quick = false } = {}) {
  return rowsOf(await soak({ minutes: quick ? 1 : 30 }), quick ? 1 : 30);
}

function rowsOf({ calls, attacks, rss, handles, p99, failures }, minutes) {
  const line = (name, unit, most, { level, growth, noise, flat }) => ({
    name,
    ours: growth,
    unit,
    limit: noise,
    limitName: "noise",
    goal: `≤ 3x noise or ${most}`,
    met: flat,
    note: `over ${minutes} minutes; ${level.toFixed(0)} at the middle`,
  });
  const unexpected = failures.reduce((sum, [, times]) => sum + times, 0);
  return [
    {
      name: "mixed calls",
      ours: calls / minutes / 60,
      unit: "/s",
      note: `${calls} in ${minutes} minutes${attacks ? `, beside ${attacks} hostile requests` : ""}`,
    },
    line("growth of memory after the warm-up", "MiB RSS", "2 %", rss),
    line("growth of open handles", "handles", "8", handles),
    {
      name: "slowest calls in the second half",
      ours: p99.second,
      unit: "ms p99",
      peer: p99.first,
      peerName: "first half",
      ratio: p99.first / p99.second,
      goal: "≤ 1.5x + 20 ms",
      met: p99.stable,
    },
    {
      name: "answers that were not expected",
      ours: unexpected,
      unit: "calls",
      goal: "0",
      met: unexpected === 0,
      ...(unexpected ? { note: failures.map(([what, times]) => `${times}x ${what}`).join(", ") } : {}),
    },
  ];
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "30" },
      callers: { type: "string", default: "4" },
      heap: { type: "string" },
      hostile: { type: "boolean", default: false },
    },
  });
  const cells = (...numbers) => console.log(numbers.map((number) => String(number).padStart(8)).join(" "));
  cells("time", "calls", "p50 ms", "p99 ms", "RSS MiB", "handles");
  const minutes = Number(values.minutes);
  const seen = await soak({
    minutes,
    callers: Number(values.callers),
    heap: values.heap,
    hostile: values.hostile,
    onWindow: ({ seconds, calls, p50, p99, rssMib, handles }) =>
      cells(...[seconds, calls, p50, p99, rssMib, handles].map(Math.round)),
  });
  const rows = rowsOf(seen, minutes);
  console.log(`\n${toTable(rows)}`);
  process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0;
}
