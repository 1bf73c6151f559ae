// What finding highlights by meaning costs on a made-up library of 50,000: a warm search beside one by words alone, the
// memory of the server with its model, how quickly vectors are made in the background, and what a call notices of it.
//
//   npm run build && node bench/highlights-meaning.mjs [--quick]
//
// The searched vectors are made up, since the model takes minutes for the real ones and a search takes the same time
// for any; those of the queries, and all that the rate of the background is measured with, are the model's own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "../dist/catalog/call-tool.js";
import { unitOf } from "../dist/kernel/vector.js";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { createDotKernel } from "../dist/shelves/chunks/stores/sqlite/dot-kernel.js";
import { sqliteMeaningStore } from "../dist/shelves/chunks/stores/sqlite-meaning.js";
import { httpReadwise } from "../dist/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { createMeaning } from "../dist/shelves/readwise/meaning/meaning.js";
import { searchHighlights } from "../dist/shelves/readwise/tools/search-highlights.js";
import { main, median, percentile, spread } from "./measure.mjs";
import { openRawModel } from "./raw-model.mjs";
import { KEY, memoryOf, startSimulator, whileServing } from "./readwise-server.mjs";

const MIB = 2 ** 20;
const MAX_MIB = 320;
const ROUNDS = 7;
const QUERIES = [
  "a garden in winter",
  "how attention is trained",
  "memory and forgetting",
  "what the sea teaches",
  "the price of solitude",
  "letters to a friend",
  "why we read at night",
  "work that is worth doing",
  "stones and rivers",
  "the mind of a child",
  "walking as thinking",
  "a house by the road",
  "silence between two people",
  "the use of idle hours",
  "courage of small things",
  "maps of unknown places",
];
/** Between calls, on both sides: after a longer pause a call takes longer. */
const PAUSE_MS = 100;
const MAX_CALLS = 400;
/** Never asked before: each has a number of its own. */
const fresh = (i) => `${QUERIES[i % QUERIES.length]} ${i}`;

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  const sizes = quick
    ? { sources: 600, highlights: 10_000, embedded: 300 }
    : { sources: 3_000, highlights: 50_000, embedded: 3_000 };
  const home = mkdtempSync(join(tmpdir(), "bookwheel-meaning-"));
  const large = await startSimulator(sizes.sources, sizes.highlights);
  const small = await startSimulator(Math.ceil(sizes.embedded / 15), sizes.embedded);
  try {
    return [
      ...(await searchRows(large.url, home)),
      ...(await memoryRows(large.url, home)),
      ...(await backgroundRows(small.url, home, sizes.embedded)),
    ];
  } finally {
    for (const { child } of [large, small]) child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

function openSide(url, meaning) {
  const readwise = createReadwiseShelf({
    api: httpReadwise({ baseUrl: url, timeoutMs: 60_000 }),
    cache: { enabled: true, maxBytes: 128 * MIB, ttlMs: 3_600_000 },
    store: memoryCacheStore,
    ...(meaning ? { meaning } : {}),
  });
  const context = {
    services: { readwise },
    caller: { readwiseKey: KEY },
    signal: new AbortController().signal,
    progress() {},
  };
  return {
    async ask(query) {
      const outcome = await callTool(searchHighlights, { query, limit: 20 }, context);
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.data;
    },
    async time(query) {
      const began = performance.now();
      await this.ask(query);
      return performance.now() - began;
    },
    close: () => readwise.close(),
  };
}

/** The real model for queries, random vectors for passages. */
function halfReal(embedders) {
  const model = embedders.get(embedders.preferred);
  const { dimension } = model.identity;
  const random = () => unitOf(Float32Array.from({ length: dimension }, () => Math.random() - 0.5));
  const embedder = {
    ...model,
    identity: model.identity,
    windows: async (passages) => passages.map(({ text, prefix }) => [`${prefix}\n${text}`]),
    embed: async (texts, options) => (options?.as === "query" ? model.embed(texts, options) : texts.map(random)),
  };
  return {
    preferred: model.identity,
    unavailable: undefined,
    get: () => embedder,
    list: () => [model.identity],
    close: async () => {},
  };
}

const meaningOver = (embedders, home) =>
  createMeaning({
    embedders,
    store: sqliteMeaningStore({ file: join(home, "meaning.db"), maxBytes: 512 * MIB }),
    kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
  });

async function searchRows(url, home) {
  const embedders = await createEmbedders();
  const meaning = meaningOver(halfReal(embedders), home);
  const [words, both] = [openSide(url), openSide(url, meaning)];
  try {
    await words.ask("memory");
    await both.ask("memory");
    await meaning.settled();
    const { by_meaning, searched } = await both.ask("memory");
    if (by_meaning < searched) throw new Error(`only ${by_meaning} of ${searched} are covered`);
    const times = { words: [], both: [], newWords: [], newBoth: [], model: [] };
    for (let round = -3; round < ROUNDS; round++)
      for (const [i, query] of QUERIES.entries()) {
        const values = {
          words: await words.time(query),
          both: await both.time(query),
          newWords: await words.time(fresh((round + 3) * QUERIES.length + i)),
          newBoth: await both.time(fresh((round + 3) * QUERIES.length + i)),
          model: await timeOfModel(embedders, fresh(10_000 + (round + 3) * QUERIES.length + i)),
        };
        if (round >= 0) for (const [side, value] of Object.entries(values)) times[side].push(value);
      }
    const note = `${searched} highlights, ${QUERIES.length} queries, ${ROUNDS} rounds in turn`;
    const ratio = median(times.both) / median(times.words);
    const own = median(times.newBoth) - median(times.newWords) - median(times.model);
    return [
      {
        name: "warm search_highlights by words and meaning",
        ours: median(times.both),
        unit: "ms p50",
        peer: median(times.words),
        peerName: "words alone",
        ratio,
        spread: spread(times.both),
        goal: "≤ 2x words alone",
        met: ratio <= 2,
        note,
      },
      {
        name: "search_highlights by words and meaning, a query not asked before",
        ours: median(times.newBoth),
        unit: "ms p50",
        peer: median(times.newWords),
        peerName: "words alone",
        ratio: median(times.newBoth) / median(times.newWords),
        limit: median(times.model),
        limitName: "embedding the query",
        share: median(times.model) / median(times.newBoth),
        note: `${note}; ${own.toFixed(1)} ms beside words and model`,
      },
    ];
  } finally {
    await words.close();
    await both.close();
    await embedders.close();
  }
}

/** A search embeds two wordings of a query. */
async function timeOfModel(embedders, query) {
  const began = performance.now();
  await embedders.get(embedders.preferred).embed([query, `${query} again`], { as: "query" });
  return performance.now() - began;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const childrenOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );

/** The whole server, with the vectors that were kept above. */
async function memoryRows(url, home) {
  const { all, last } = await whileServing({ url, home }, async (call, pid) => {
    let last;
    for (let i = 0; i < 200; i++)
      last = await call("search_highlights", { query: i % 2 ? fresh(i) : QUERIES[(i / 2) % QUERIES.length] });
    return { last, all: [pid, ...childrenOf(pid)].map(memoryOf) };
  });
  const sum = (name) => all.reduce((total, each) => total + each[name], 0);
  const note = `${last.by_meaning} of ${last.searched} by meaning; server ${Math.round(all[0].VmRSS / MIB)} MiB, the rest is the model's process`;
  const row = (name, bytes) => ({
    name,
    ours: bytes / MIB,
    unit: "MiB RSS",
    limit: MAX_MIB,
    limitName: "MiB",
    share: bytes / MIB / MAX_MIB,
    goal: `< ${MAX_MIB} MiB`,
    met: bytes < MAX_MIB * MIB,
    note,
  });
  return [
    row("server and model with the library searched by meaning", sum("VmRSS")),
    row("the same, each process at its peak", sum("VmHWM")),
  ];
}

async function backgroundRows(url, home, expected) {
  const embedders = await createEmbedders();
  const model = embedders.get(embedders.preferred);
  const made = [];
  const watched = {
    ...embedders,
    preferred: model.identity,
    get: () => ({
      ...model,
      identity: model.identity,
      embed(texts, options) {
        if (options?.as === "background") made.push(...texts);
        return model.embed(texts, options);
      },
    }),
    close: async () => {},
  };
  const meaning = meaningOver(watched, mkdtempSync(join(home, "background-")));
  const side = openSide(url, meaning);
  const raw = await openRawModel();
  try {
    await side.ask("memory");
    const began = performance.now();
    let working = true;
    const done = meaning.settled().then(() => {
      working = false;
    });
    // First undisturbed, for the rate; then beside calls.
    while (made.length < expected) await pause(20);
    const [ms, alone] = [performance.now() - began, made.slice()];
    const during = { warm: [], fresh: [] };
    for (let i = 0; working; i++) {
      during.warm.push(await side.time(QUERIES[0]));
      during.fresh.push(await side.time(fresh(i)));
      await pause(PAUSE_MS);
    }
    await done;
    const { searched } = await side.ask("memory");
    const after = { warm: [], fresh: [], model: [] };
    for (let i = 0; i < Math.min(MAX_CALLS, during.warm.length); i++) {
      after.warm.push(await side.time(QUERIES[0]));
      after.fresh.push(await side.time(fresh(50_000 + i)));
      after.model.push(await timeOfModel(embedders, fresh(90_000 + i)));
      await pause(PAUSE_MS);
    }
    const bare = await raw.run(alone);
    const rate = (time) => alone.length / (made.length / searched) / (time / 1000);
    const own = median(after.model);
    const rowOf = (name, part, p) => {
      const [withIt, without] = [percentile(during[part], p), percentile(after[part], p)];
      return {
        name,
        ours: withIt,
        unit: `ms p${p}`,
        peer: without,
        peerName: "nothing else to do",
        ratio: withIt / without,
        ...(p === 50
          ? { goal: `slower by less than embedding a query takes (${own.toFixed(1)} ms)`, met: withIt - without <= own }
          : {}),
        note: `${during[part].length} calls`,
      };
    };
    return [
      {
        name: "vectors of highlights made in the background",
        ours: rate(ms),
        unit: "highlights/s",
        limit: rate(bare),
        limitName: "the bare model",
        share: bare / ms,
        goal: "≥ 0.8 of the bare model",
        met: bare / ms >= 0.8,
        note: `${alone.length} vectors, ${(made.length / searched).toFixed(1)} per highlight`,
      },
      rowOf("a search meanwhile, asked before", "warm", 50),
      rowOf("a search meanwhile, asked before", "warm", 99),
      rowOf("a search meanwhile, a new query", "fresh", 50),
      rowOf("a search meanwhile, a new query", "fresh", 99),
    ];
  } finally {
    raw.close();
    await side.close();
    await embedders.close();
  }
}

await main(import.meta.url, bench);
