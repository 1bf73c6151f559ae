// How the cost of each thing grows from 1x to 10x to 100x of its data: an exponent of 1 is linear, 0 is constant. Each is
// held against what its algorithm promises. Costs are milliseconds of CPU, so that a busy machine changes
// little; where other processes do the work, milliseconds by the clock.
//
//   node bench/growth.mjs [--quick | --full] after a build
//
// One project from 10,000 to 1,000,000 chunks: node bench/chunks-speed.mjs --full.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, readOnly } from "../dist/catalog/define-tool.js";
import { PROFILE_NAMES } from "../dist/catalog/profiles.js";
import { createCatalogServer } from "../dist/mcp/server.js";
import { createSearch } from "../dist/shelves/chunks/search.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { bareChunk } from "../tests/support/bare-chunk.mjs";
import { embeddingGrowth, ingestGrowth } from "./growth-ingest.mjs";
import { documentGrowth, highlightGrowth, notebookGrowth, quoteGrowth, sourceGrowth } from "./growth-shelves.mjs";
import { madeUpEmbedders, newProject, questionOf, textOf, vectorOf } from "./made-up.mjs";
import { cpuOf, grownRow, main } from "./measure.mjs";

const DIMENSION = 384;

export async function bench({ quick = false, full = false } = {}) {
  const tenfold = (first) => [first, first * 10, first * 100];
  const base = quick ? 100 : full ? 3000 : 1000;
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-growth-"));
  try {
    return [
      ...(await toolGrowth(tenfold(5))),
      ...(await chunkGrowth(tenfold(base), folder)),
      ...(await highlightGrowth(tenfold(base))),
      ...(await documentGrowth(tenfold(base / 10))),
      ...(await quoteGrowth(tenfold(base), folder)),
      ...(await notebookGrowth(quick ? [1, 10, 100] : full ? tenfold(10) : tenfold(3), folder)),
      ...(await sourceGrowth(tenfold(quick ? 100 : 500), folder)),
      ...(await embeddingGrowth(tenfold(quick ? 1 : 10), tenfold(quick ? 100 : 500))),
      ...(await ingestGrowth(tenfold(quick ? 1 : 10), tenfold(quick ? 1 : 5), folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A list of tools is made once and then handed out: what is left grows with its length on the wire alone. */
async function toolGrowth(sizes) {
  const [{ z }, { createMcpHandler }] = await Promise.all([import("zod"), import("@modelcontextprotocol/server")]);
  const lists = [];
  const calls = [];
  // The first size twice: the first time compiles the code, and is not counted.
  for (const size of [sizes[0], ...sizes]) {
    const tools = Array.from({ length: size }, (_, i) =>
      defineTool({
        name: `tool_${i}`,
        title: `Tool ${i}`,
        description: "Does what a tool does, and says so.",
        profiles: ["chunks"],
        annotations: readOnly,
        timeoutMs: 1000,
        input: z.object({ word: z.string().describe("A word.") }),
        output: z.object({ said: z.string() }),
        run: async ({ word }) => ({ said: word }),
      }),
    );
    const server = createCatalogServer({ tools, services: { readwise: { forKey: () => undefined } }, version: "0" });
    const visit = { door: "all", enabled: { profiles: new Set(PROFILE_NAMES), readOnly: false }, caller: {} };
    const handler = createMcpHandler(() => server.serve(visit));
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const ask = async (method, params) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const answer = await handler.fetch(new Request("http://bench/mcp", { method: "POST", headers, body }));
      const text = await answer.text();
      if (!text.includes('"result"')) throw new Error(text);
    };
    const often = { questions: 100 };
    lists.push(await cpuOf(() => ask("tools/list"), often));
    const call = (i) => ask("tools/call", { name: `tool_${(i * 7) % size}`, arguments: { word: "hello" } });
    calls.push(await cpuOf(call, often));
  }
  return [
    grownRow({ name: "tools/list", of: "tools", sizes, costs: lists.slice(1), promise: "linear" }),
    grownRow({ name: "tools/call", of: "tools", sizes, costs: calls.slice(1), promise: "constant" }),
  ];
}

/** One project of one store: both legs, both together through the service, and what a batch costs at that size. */
async function chunkGrowth(sizes, folder) {
  const store = sqliteChunkStore({ file: join(folder, "chunks.db") });
  const embedders = madeUpEmbedders(DIMENSION);
  const search = createSearch({ store, embedders });
  await store.createProject({ ...newProject("p", DIMENSION), model: embedders.preferred });
  const costs = { words: [], meaning: [], hybrid: [], storing: [] };
  let stored = 0;
  const batch = (count) => {
    const from = stored;
    stored += count;
    return Array.from({ length: count }, (_, i) =>
      bareChunk({
        id: `c${from + i}`,
        text: textOf(from + i),
        position: from + i,
        vectors: [vectorOf(from + i, DIMENSION)],
      }),
    );
  };
  try {
    await store.createProject({ ...newProject("warm-up", DIMENSION), model: embedders.preferred });
    for (let i = 0; i < 3; i++) await store.upsert("warm-up", batch(250));
    stored = 0;
    for (const size of sizes) {
      costs.storing.push([await storingOne(store, size - stored, batch)]);
      const project = await store.project("p");
      costs.words.push(await cpuOf((i) => store.byWords("p", questionOf(i), { limit: 60 })));
      costs.meaning.push(await cpuOf((i) => store.byMeaning("p", vectorOf(-i - 1, DIMENSION), { limit: 60 })));
      costs.hybrid.push(await cpuOf((i) => search.hybrid(project, questionOf(i), { limit: 20 })));
    }
  } finally {
    await store.close();
  }
  const row = (name, leg, promise, note) =>
    grownRow({ name, of: "chunks of the project", sizes, costs: costs[leg], promise, ...(note ? { note } : {}) });
  return [
    row("words leg", "words", "linear"),
    row("meaning leg", "meaning", "linear", "every vector is looked at"),
    row("hybrid search", "hybrid", "linear", "embedding apart"),
    row("storing a chunk", "storing", "constant", "in batches of 250, the mean since the size before, merges included"),
  ];
}

async function storingOne(store, count, batch) {
  let ms = 0;
  for (let left = count; left > 0; left -= 250) {
    const chunks = batch(Math.min(250, left));
    const [cost] = await cpuOf(() => store.upsert("p", chunks), { rounds: 1, questions: 1, warmUp: 0 });
    ms += cost;
  }
  return ms / count;
}

await main(import.meta.url, bench);
