// How each search grows from 1x to 10x to 100x of its data: an exponent of 1 is linear, 0 is constant. And the word index
// beside its peers from npm on the same texts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, readOnly } from "../dist/catalog/define-tool.js";
import { PROFILE_NAMES } from "../dist/catalog/profiles.js";
import { createCatalogServer } from "../dist/mcp/server.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { createWordIndex } from "../dist/text/word-index.js";
import { exponent, main, median, spread } from "./measure.mjs";

const DIMENSION = 64;
const QUERIES = ["w12 w40", "w3 w200", "w75", "w9 w18 w27", "w150 w151"];
/** Scans grow with what they scan; more than this is something else. */
const LINEAR = 1.1;

export async function bench({ quick = false } = {}) {
  const base = quick ? 200 : 1000;
  const sizes = [base, base * 10, base * 100];
  return [...(await wordIndex(sizes)), ...(await legs(sizes)), ...(await menus()), ...(await peers(sizes[1]))];
}

/** The same texts every time; words as frequent as in a language. */
function textOf(number) {
  let state = (number + 1) * 2654435761;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 40 }, () => `w${Math.floor(3000 ** next())}`).join(" ");
}

function vectorOf(number) {
  return Float32Array.from({ length: DIMENSION }, (_, i) => Math.sin((number + 1) * (i + 1) * 0.7));
}

/** Milliseconds of one question, the median of many. */
async function timeOf(ask, rounds = 40) {
  const times = [];
  for (let i = -5; i < rounds; i++) {
    const started = performance.now();
    await ask(i + 5);
    if (i >= 0) times.push(performance.now() - started);
  }
  return times;
}

function grown(name, sizes, times, goal, note) {
  const medians = times.map(median);
  const e = exponent(sizes, medians);
  const told = medians.map((ms) => `${ms.toFixed(3)} ms`).join(", ");
  return {
    name: `${name}, 1x to 100x`,
    ours: e,
    unit: "exponent",
    spread: spread(times.at(-1)),
    goal: `≤ ${goal}`,
    met: e <= goal,
    note: `${sizes.join(", ")}: ${told}${note ? `; ${note}` : ""}`,
  };
}

async function wordIndex(sizes) {
  const warmUp = createWordIndex([{ weight: 1, usual: 40 }]);
  for (let i = 0; i < 500; i++) warmUp.add([textOf(i)], "en");
  const index = createWordIndex([{ weight: 1, usual: 40 }]);
  const times = [];
  const adding = [];
  for (const size of sizes) {
    const started = performance.now();
    const before = index.size;
    while (index.size < size) index.add([textOf(index.size)], "en");
    adding.push((performance.now() - started) / (size - before));
    times.push(await timeOf((i) => index.search(QUERIES[i % QUERIES.length], { limit: 20, order: (a, b) => a - b })));
  }
  return [
    grown("highlight search", sizes, times, LINEAR),
    {
      name: "adding to the word index, at 100x beside 1x",
      ours: adding.at(-1) * 1000,
      unit: "µs",
      peer: adding[0] * 1000,
      peerName: "at 1x",
      ratio: adding.at(-1) / adding[0],
      goal: "≤ 3x",
      met: adding.at(-1) / adding[0] <= 3,
    },
  ];
}

async function legs(sizes) {
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-growth-"));
  const store = sqliteChunkStore({ file: join(folder, "shelf.db") });
  const model = { id: "bench", dimension: DIMENSION, pooling: "mean", max_tokens: 256, weights_sha256: null };
  await store.createProject({ id: "p", kind: "project", name: "p", description: null, model, hybrid_enabled: true });
  const none = {
    doc_id: null,
    start: null,
    end: null,
    citekey: null,
    title: null,
    section: null,
    page_span: null,
    page_labels: null,
    doi: null,
    url: null,
    year: null,
  };
  const words = [];
  const meaning = [];
  try {
    let stored = 0;
    for (const size of sizes) {
      while (stored < size) {
        const batch = Array.from({ length: Math.min(500, size - stored) }, (_, i) => ({
          ...none,
          id: `c${stored + i}`,
          text: textOf(stored + i),
          position: stored + i,
          section_path: [],
          tags: [],
          language: "en",
          metadata: {},
          vectors: [vectorOf(stored + i)],
        }));
        await store.upsert("p", batch);
        stored += batch.length;
      }
      words.push(await timeOf((i) => store.byWords("p", QUERIES[i % QUERIES.length], { limit: 60 })));
      meaning.push(await timeOf((i) => store.byMeaning("p", vectorOf(i * 37), { limit: 60 })));
    }
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    grown("words leg of a project", sizes, words, LINEAR),
    grown("meaning leg of a project", sizes, meaning, LINEAR, "exact scan"),
  ];
}

/** A list of tools is made once and then handed out: what is left grows with its length on the wire alone. */
async function menus() {
  const [{ z }, { createMcpHandler }] = await Promise.all([import("zod"), import("@modelcontextprotocol/server")]);
  const sizes = [5, 50, 500];
  const times = [];
  for (const size of sizes) {
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
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const list = async () =>
      (await handler.fetch(new Request("http://bench/mcp", { method: "POST", headers, body }))).text();
    times.push(await timeOf(list));
  }
  return [grown("tools/list", sizes, times, LINEAR)];
}

async function peers(size) {
  const texts = Array.from({ length: size }, (_, i) => textOf(i));
  const ours = createWordIndex([{ weight: 1, usual: 40 }]);
  for (const text of texts) ours.add([text], "en");
  const oursTimes = await timeOf((i) =>
    ours.search(QUERIES[i % QUERIES.length], { limit: 20, order: (a, b) => a - b }),
  );
  const rows = [];
  for (const [name, open] of Object.entries(PEERS)) {
    const search = await open(texts).catch((error) => error);
    if (search instanceof Error) {
      rows.push({
        name: `highlight search beside ${name}`,
        ours: median(oursTimes),
        unit: "ms",
        note: `${name} is not here: ${search.message.split("\n")[0]}`,
      });
      continue;
    }
    const times = await timeOf((i) => search(QUERIES[i % QUERIES.length]));
    rows.push({
      name: `highlight search beside ${name}`,
      ours: median(oursTimes),
      unit: "ms",
      peer: median(times),
      peerName: name,
      ratio: median(times) / median(oursTimes),
      spread: spread(oursTimes),
      note: `${size} texts${name === "FlexSearch" ? "; it stops at 20 hits and scores none" : ""}`,
    });
  }
  return rows;
}

const PEERS = {
  async MiniSearch(texts) {
    const { default: MiniSearch } = await import("minisearch");
    const index = new MiniSearch({ fields: ["text"] });
    index.addAll(texts.map((text, id) => ({ id, text })));
    return (query) => index.search(query).slice(0, 20);
  },
  async FlexSearch(texts) {
    const { Index } = await import("flexsearch");
    const index = new Index({ tokenize: "strict" });
    for (const [id, text] of texts.entries()) index.add(id, text);
    return (query) => index.search(query, { limit: 20, suggest: true });
  },
  async Orama(texts) {
    const { create, insertMultiple, search } = await import("@orama/orama");
    const index = create({ schema: { text: "string" } });
    await insertMultiple(
      index,
      texts.map((text) => ({ text })),
      1000,
    );
    return (query) => search(index, { term: query, limit: 20 });
  },
};

await main(import.meta.url, bench);
