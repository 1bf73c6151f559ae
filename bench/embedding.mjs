// What embedding costs here: start-up, a query alone and beside bulk work, bulk passages, memory.
// Linux only, for its /proc. `node bench/embedding.mjs [seconds]` after a build.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";

const seconds = Number(process.argv[2] ?? 10);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prose = readFileSync(join(root, "LICENSE"), "utf8").replace(/\s+/g, " ");

const opening = performance.now();
const embedders = await createEmbedders();
const embedder = embedders.preferred && embedders.get(embedders.preferred);
if (!embedder) throw new Error(embedders.unavailable);
const opened = performance.now();
await embedder.embed(["a first question"], { as: "query" });
const answered = performance.now();
row("open", `${(opened - opening).toFixed(1)} ms`);
row("first vector", `${(answered - opened).toFixed(0)} ms (process, graph and tokenizer loaded)`);

const passages = embedder.windows(prose.repeat(3), "Licence");
const tokens = passages.map((text) => embedder.countTokens(text));
row("query, idle", percentiles(await queries(() => true, 300)));

let texts = 0;
let read = 0;
let busy = true;
const bulkStart = performance.now();
const cpuStart = childCpu();
const bulk = (async () => {
  while (performance.now() - bulkStart < seconds * 1000) {
    await embedder.embed(passages);
    texts += passages.length;
    read += tokens.reduce((sum, count) => sum + count, 0);
  }
  busy = false;
})();
await bulk;
const spent = (performance.now() - bulkStart) / 1000;
row(
  "passages",
  `${(texts / spent).toFixed(1)} texts/s, ${Math.round(read / spent)} tokens/s, ${(read / texts).toFixed(0)} tokens each`,
);
row("CPU a passage", `${(((childCpu() - cpuStart) / texts) * 1000).toFixed(1)} ms`);

busy = true;
const beside = (async () => {
  await embedder.embed(Array(12).fill(passages).flat());
  busy = false;
})();
row("query, while passages are embedded", percentiles(await queries(() => busy, 1000)));
await beside;

const cut = performance.now();
let windows = 0;
for (let i = 0; i < 50; i++) windows += embedder.windows(prose, "Licence").length;
row("cutting", `${((performance.now() - cut) / windows).toFixed(2)} ms a window, in the caller's thread`);
row("memory", `${mebibytes("self")} MiB here, ${mebibytes(childId())} MiB in the model's process`);
await embedders.close();

async function queries(going, most) {
  const times = [];
  while (going() && times.length < most) {
    const asked = performance.now();
    await embedder.embed([`what does the licence say about liability, part ${times.length}?`], { as: "query" });
    times.push(performance.now() - asked);
  }
  return times.sort((a, b) => a - b);
}

function percentiles(times) {
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${times.length} queries)`;
}

function childId() {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ")[0];
}
/** Seconds of CPU the model's process has used; Linux counts them in hundredths. */
function childCpu() {
  const fields = readFileSync(`/proc/${childId()}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
function mebibytes(id) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024);
}
function row(name, value) {
  console.log(`${name.padEnd(36)}${value}`);
}
