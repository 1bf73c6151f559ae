// What search_highlights costs on a made-up library of 50,000 highlights in 3,000 sources: warm, against a linear
// substring scan of the parsed export and against MiniSearch, in turn on the same data; cold, in upstream requests; and
// the memory of the whole server that holds and searches it.
//
//   npm run build && node bench/readwise-search.mjs [--quick | --full]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import MiniSearch from "minisearch";
import { callTool } from "../dist/catalog/call-tool.js";
import { httpReadwise } from "../dist/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { searchHighlights } from "../dist/shelves/readwise/tools/search-highlights.js";
import { main, median, percentile, spread } from "./measure.mjs";
import { exportsOf, KEY, memoryOf, startSimulator, whileServing } from "./readwise-server.mjs";

/** The most expensive query: words that stand in most texts. Not part of the mix above; a row of its own. */
const COMMON = {
  "lone little word": ["the", "of", "is", "a", "and", "in"],
  "little words": ["of the", "in the", "it is", "to the"],
  "quoted little words": ['"of the"', '"in the"', '"it is"', '"is the"', '"of a"'],
};
const LIMIT = 50;
const MIB = 2 ** 20;
const ROUNDS = 3;
/** Rounds that are not counted, until the compiler has seen all of a side; every side gets as many. */
const WARM_UP = 3;

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false, full = false } = {}) {
  const [sources, highlights] = quick ? [600, 10_000] : [3_000, 50_000];
  const simulator = await startSimulator(sources, highlights);
  try {
    const { url } = simulator;
    const rows = await searchRows(url, simulator, quick ? 60 : full ? 300 : 150);
    rows.push(...(await memoryRows(url, quick)));
    return rows;
  } finally {
    simulator.child.kill();
  }
}

async function searchRows(url, simulator, queryCount) {
  const [queries, unheard] = await questions(url, queryCount);
  const readwise = createReadwiseShelf({
    api: httpReadwise({ baseUrl: url, timeoutMs: 60_000 }),
    cache: { enabled: true, maxBytes: 128 * MIB, ttlMs: 3_600_000 },
    store: memoryCacheStore,
  });
  const ask = async (query) => {
    const context = {
      services: { readwise },
      caller: { readwiseKey: KEY },
      signal: new AbortController().signal,
      progress() {},
    };
    const outcome = await callTool(searchHighlights, { query, limit: LIMIT }, context);
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.data;
  };
  const before = await exportsOf(simulator);
  await Promise.all(Array.from({ length: 50 }, () => ask("memory")));
  const requests = (await exportsOf(simulator)) - before;
  const { best: ours, cpu } = await timesOf(queries, ({ text }) => ask(text));
  const common = Object.entries(COMMON).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })));
  const { cpu: commonCpu } = await timesOf(common, ({ text }) => ask(text));
  const { best: once } = await timesOf(unheard, ({ text }) => ask(text), { warmUp: 0, rounds: 1 });
  await readwise.close();

  // Only now, so that millions of small objects do not weigh on our garbage collection: the server never has them.
  const exported = await parsedExport(url);
  const passages = passagesOf(exported);
  const { best: scan } = await timesOf(queries, ({ plain }) => linearScan(passages, plain));
  const mini = miniSearch(passages);
  const { best: minis } = await timesOf(queries, ({ plain, options }) => mini.search(plain, options).slice(0, LIMIT));

  const note = `${passages.length} highlights in ${exported.length} sources, ${queries.length} queries, each's best of ${ROUNDS}`;
  const [p50, p99] = [median(ours), percentile(ours, 99)];
  const row = (peer, peerName, goal, met) => ({
    name: "warm search_highlights",
    ours: p50,
    unit: "ms p50",
    peer,
    peerName,
    ratio: peer / p50,
    spread: spread(ours),
    goal,
    met,
    note,
  });
  return [
    row(median(scan), "linear scan", "≥ 50x faster", median(scan) / p50 >= 50),
    row(median(minis), "MiniSearch", "at least as fast", median(minis) >= p50),
    {
      name: "warm search_highlights",
      ours: p99,
      unit: "ms p99",
      ratio: p99 / p50,
      goal: "< 5x p50",
      met: p99 < 5 * p50,
    },
    ...byKind(queries, cpu, median(cpu)),
    ...byKind(common, commonCpu, median(cpu)),
    {
      name: "warm search_highlights, words not asked for before",
      ours: median(once),
      unit: "ms p50",
      ratio: median(once) / p50,
      note: `${unheard.length} queries, each asked once; ratio to the p50 above`,
    },
    {
      name: "cold search, 50 callers at once",
      ours: requests,
      unit: "requests",
      limit: before,
      limitName: "pages",
      share: requests / before,
      goal: "≤ pages",
      met: requests <= before,
    },
  ];
}

/** The queries, and others whose words none of them has: nothing that is remembered of a query can help with these. */
async function questions(url, count) {
  const passages = passagesOf(await parsedExport(url));
  const queries = makeQueries(passages, count);
  const heard = new Set(queries.flatMap(({ plain }) => plain.split(" ")));
  const unheard = makeQueries(passages.slice(7), count * 4)
    .filter(({ plain }) => !plain.split(" ").some((word) => heard.has(word)))
    .slice(0, count);
  return [queries, unheard];
}

const passagesOf = (exported) => exported.flatMap((book) => book.highlights.map((highlight) => ({ highlight, book })));

/**
 * Each query's best of a few rounds, in milliseconds passed and in milliseconds of the processor: what another process
 * on the machine takes away is not the search's.
 */
async function timesOf(queries, side, { warmUp = WARM_UP, rounds = ROUNDS } = {}) {
  for (let round = 0; round < warmUp; round++) for (const query of queries) await side(query);
  const best = queries.map(() => Number.POSITIVE_INFINITY);
  const cpu = [...best];
  for (let round = 0; round < rounds; round++)
    for (const [i, query] of queries.entries()) {
      const used = process.cpuUsage();
      const started = performance.now();
      await side(query);
      best[i] = Math.min(best[i], performance.now() - started);
      const { user, system } = process.cpuUsage(used);
      cpu[i] = Math.min(cpu[i], (user + system) / 1000);
    }
  return { best, cpu };
}

/** Where the slow ones are: the slowest of each kind of query against all queries' median, in time of the processor. */
function byKind(queries, cpu, typical) {
  return [...new Set(queries.map(({ kind }) => kind))].map((kind) => {
    const own = cpu.filter((_, i) => queries[i].kind === kind);
    const worst = percentile(own, 99);
    return {
      name: `warm search_highlights, ${kind}`,
      ours: worst,
      unit: "CPU ms p99",
      ratio: worst / typical,
      note: `p50 ${median(own).toFixed(2)} ms; ratio to the p50 of all kinds`,
    };
  });
}

/** The real program with every shelf, asked over HTTP by the official client. */
async function memoryRows(url, quick) {
  const home = mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const words = ["memory", "garden", "the reader", "attention", "water", "mind", "a house", "stones"];
  try {
    const { VmRSS: now, VmHWM: peak } = await whileServing(
      { url, home, settings: { CACHE_MAX_SIZE_MB: "128" } },
      async (call, pid) => {
        for (let i = 0; i < (quick ? 100 : 400); i++)
          await call("search_highlights", { query: words[i % words.length], limit: LIMIT });
        return memoryOf(pid);
      },
    );
    const row = (name, bytes) => ({
      name,
      ours: bytes / MIB,
      unit: "MiB RSS",
      limit: 256,
      limitName: "MiB",
      share: bytes / MIB / 256,
      goal: "< 256 MiB",
      met: bytes < 256 * MIB,
    });
    return [row("whole server with the library cached and searched", now), row("the same, at its peak", peak)];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function parsedExport(url) {
  const books = [];
  let query = "";
  while (query !== null) {
    const response = await fetch(`${url}/api/v2/export/${query}`, { headers: { authorization: `Token ${KEY}` } });
    const page = await response.json();
    books.push(...page.results);
    query = page.nextPageCursor === null ? null : `?pageCursor=${page.nextPageCursor}`;
  }
  return books;
}

/** What people type: words that stand somewhere, alone or in a row, quoted, unfinished or mistyped. */
const KINDS = {
  "one word": (words) => ({ text: words[0], plain: words[0] }),
  "two words": (words) => ({ text: words.slice(0, 2).join(" "), plain: words.slice(0, 2).join(" ") }),
  "three words": (words) => ({ text: words.slice(0, 3).join(" "), plain: words.slice(0, 3).join(" ") }),
  "quoted phrase": (words) => ({ text: `"${words.slice(0, 3).join(" ")}"`, plain: words.slice(0, 3).join(" ") }),
  "beginning of a word": (words) => ({
    text: `${words[0].slice(0, 5)}*`,
    plain: words[0].slice(0, 5),
    options: { prefix: true },
  }),
  "mistyped word": (words) => ({
    text: `${words[0].slice(0, 2)}${words[0].slice(3)}`,
    plain: `${words[0].slice(0, 2)}${words[0].slice(3)}`,
    options: { fuzzy: 1 },
  }),
};

function makeQueries(passages, count) {
  const kinds = Object.entries(KINDS);
  const queries = [];
  for (let i = 0; queries.length < count; i += Math.max(1, Math.floor(passages.length / count))) {
    const { text } = passages[(i * 31) % passages.length].highlight;
    const words = text
      .split(/\s+/)
      .map((word) => word.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase())
      .filter(Boolean);
    const from = words.findIndex((word, at) => word.length >= 5 && at + 3 <= words.length);
    const [kind, make] = kinds[queries.length % kinds.length];
    if (from >= 0) queries.push({ kind, ...make(words.slice(from)) });
    else i++;
  }
  return queries;
}

function linearScan(passages, query) {
  const needle = query.toLowerCase();
  const found = [];
  for (const { highlight, book } of passages)
    if (
      highlight.text.toLowerCase().includes(needle) ||
      (highlight.note ?? "").toLowerCase().includes(needle) ||
      (book.title ?? "").toLowerCase().includes(needle)
    )
      found.push(highlight);
  return found.slice(0, LIMIT);
}

function miniSearch(passages) {
  const mini = new MiniSearch({
    fields: ["text", "note", "title", "author", "tags"],
    storeFields: ["text", "note", "title"],
  });
  mini.addAll(
    passages.map(({ highlight, book }) => ({
      id: highlight.id,
      text: highlight.text,
      note: highlight.note ?? "",
      title: book.title ?? "",
      author: book.author ?? "",
      tags: highlight.tags.map((tag) => tag.name).join(" "),
    })),
  );
  return mini;
}

await main(import.meta.url, bench);
