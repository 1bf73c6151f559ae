// What embedding costs here: start-up, a query alone and beside bulk work, bulk passages, memory; bulk passages in turn
// with the bare graph. Memory and CPU by Linux's /proc. `node bench/embedding.mjs [--quick]` after a build.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { inTurn, main, median, percentile, spread } from "./measure.mjs";
import { openRawModel } from "./raw-model.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const prose = readFileSync(join(root, "LICENSE"), "utf8").replace(/\s+/g, " ");

export async function bench({ quick = false } = {}) {
  const opening = performance.now();
  const embedders = await createEmbedders();
  const embedder = embedders.preferred && embedders.get(embedders.preferred);
  if (!embedder) throw new Error(embedders.unavailable);
  const opened = performance.now();
  await embedder.embed(["a first question"], { as: "query" });
  const answered = performance.now();
  const [passages] = await embedder.windows([{ text: prose.repeat(quick ? 2 : 6), prefix: "Licence" }]);
  const idle = await queries(embedder, () => true, quick ? 60 : 300);
  const bulk = await bulkRows(embedder, passages, quick ? 3 : 7);
  let busy = true;
  const beside = embedder
    .embed(
      Array(quick ? 3 : 12)
        .fill(passages)
        .flat(),
    )
    .then(() => {
      busy = false;
    });
  const meanwhile = await queries(embedder, () => busy, 1000);
  await beside;
  const memory = [
    { name: "memory of the model's process", ours: mebibytes(childId()), unit: "MiB RSS" },
    { name: "memory of the caller's process", ours: mebibytes("self"), unit: "MiB RSS" },
  ].filter(({ ours }) => ours !== undefined);
  const cut = await cutting(embedder);
  await embedders.close();
  return [
    { name: "opening", ours: opened - opening, unit: "ms" },
    { name: "first vector", ours: answered - opened, unit: "ms", note: "process, graph and tokenizer loaded" },
    ...queryRows("query, idle", idle),
    ...bulk,
    ...queryRows("query, while passages are embedded", meanwhile),
    ...cut,
    ...memory,
  ];
}

/** Ours and the bare graph, one after the other on the same passages. */
async function bulkRows(embedder, passages, rounds) {
  const raw = await openRawModel();
  const tokens = raw.tokens(passages);
  const cpu = [];
  const values = await inTurn(
    {
      ours: async () => {
        const [before, started] = [childCpu(), performance.now()];
        await embedder.embed(passages);
        const seconds = (performance.now() - started) / 1000;
        cpu.push(((childCpu() - before) / passages.length) * 1000);
        return tokens / seconds;
      },
      raw: async () => tokens / ((await raw.run(passages)) / 1000),
    },
    rounds,
  );
  raw.close();
  const [ours, limit] = [median(values.ours), median(values.raw)];
  return [
    {
      name: "passages",
      ours,
      unit: "tokens/s",
      limit,
      limitName: "the bare graph",
      share: ours / limit,
      spread: spread(values.ours),
      note: `${(tokens / passages.length).toFixed(0)} tokens each, ${((ours * passages.length) / tokens).toFixed(1)} passages/s`,
    },
    ...(Number.isNaN(cpu[0]) ? [] : [{ name: "passage", ours: median(cpu), unit: "ms of CPU" }]),
  ];
}

async function queries(embedder, going, most) {
  const times = [];
  while (going() && times.length < most) {
    const asked = performance.now();
    await embedder.embed([`what does the licence say about liability, part ${times.length}?`], { as: "query" });
    times.push(performance.now() - asked);
  }
  return times;
}
const queryRows = (name, times) =>
  [50, 99].map((p) => ({
    name,
    ours: percentile(times, p),
    unit: `ms p${p}`,
    ...(p === 50 ? { spread: spread(times), note: `${times.length} queries` } : {}),
  }));

async function cutting(embedder) {
  const started = performance.now();
  let windows = 0;
  for (let i = 0; i < 50; i++) windows += (await embedder.windows([{ text: prose, prefix: "Licence" }])).flat().length;
  const ours = (performance.now() - started) / windows;
  return [{ name: "cutting a text, a window", ours, unit: "ms", note: "in the model's process" }];
}

/** The model's process: the first this one started. */
function childId() {
  const list = `/proc/self/task/${process.pid}/children`;
  return existsSync(list) ? readFileSync(list, "utf8").trim().split(" ")[0] : undefined;
}
/** Seconds of CPU the model's process has used; Linux counts them in hundredths. */
function childCpu() {
  if (!childId()) return Number.NaN;
  const fields = readFileSync(`/proc/${childId()}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
function mebibytes(id) {
  const status = `/proc/${id}/status`;
  return existsSync(status) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))[1]) / 1024 : undefined;
}

await main(import.meta.url, bench);
