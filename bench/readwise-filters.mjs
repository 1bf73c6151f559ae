// What lists and searches by filter cost on a made-up library of 50,000 highlights and 10,000 documents, warm, against
// MiniSearch with the same filters as functions over the same records.
//
//   npm run build && node bench/readwise-filters.mjs [--quick | --full]
import { performance } from "node:perf_hooks";
import MiniSearch from "minisearch";
import { callTool } from "../dist/catalog/call-tool.js";
import { generateLibrary } from "../dist/sandbox/readwise/generate.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { httpReadwise } from "../dist/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { listDocuments } from "../dist/shelves/readwise/tools/list-documents.js";
import { listHighlights } from "../dist/shelves/readwise/tools/list-highlights.js";
import { searchHighlights } from "../dist/shelves/readwise/tools/search-highlights.js";
import { main, median, spread } from "./measure.mjs";

const KEY = "bench";
const JANUARY = Date.UTC(2025, 0, 1);

/** The same question to both: our filter, and a function over MiniSearch's stored fields. */
const HIGHLIGHT_CASES = [
  { filter: "is:favorite has:note", test: ({ favorite, note }) => favorite && note },
  {
    filter: "color:blue,green after:2025",
    test: ({ color, at }) => (color === "blue" || color === "green") && at >= JANUARY,
  },
  { filter: "untagged category:books", test: ({ tags, category }) => tags.length === 0 && category === "books" },
];
const DOCUMENT_CASES = [
  { filter: "untagged location:later", test: ({ tags, location }) => tags.length === 0 && location === "later" },
  { filter: "progress:>0.5 site:youtube", test: ({ progress, site }) => progress > 0.5 && site === "YouTube" },
];

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  const [sources, highlights, documents] = quick ? [600, 10_000, 2_000] : [3_000, 50_000, 10_000];
  const library = generateLibrary({ seed: "bench", sources, highlights, documents });
  const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library }, limits: false });
  const readwise = createReadwiseShelf({
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 60_000 }),
    cache: { enabled: true, maxBytes: 512 * 2 ** 20, ttlMs: 3_600_000 },
    store: memoryCacheStore,
  });
  const ask = async (tool, args) => {
    const context = {
      services: { readwise },
      caller: { readwiseKey: KEY },
      signal: new AbortController().signal,
      progress() {},
    };
    const outcome = await callTool(tool, args, context);
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.data;
  };
  try {
    const note = `${highlights} highlights, ${documents} documents`;
    const marks = [...library.highlights.values()]
      .filter((each) => !each.is_deleted)
      .map((each) => markOf(library, each));
    const texts = [...library.documents.values()].filter((each) => each.parent_id === null).map(documentOf);
    const [mini, miniDocuments] = [indexOf(marks, ["text", "note"]), indexOf(texts, ["title", "author"])];
    const rounds = quick ? 10 : 20;
    const rows = [];
    for (const { filter, test } of HIGHLIGHT_CASES) {
      const peer = () => mini.search(MiniSearch.wildcard, { filter: test });
      const { count } = await ask(listHighlights, { filter });
      if (count !== peer().length) throw new Error(`${filter}: ${count} is not ${peer().length}`);
      rows.push(await against(`list_highlights ${filter}`, () => ask(listHighlights, { filter }), peer, rounds, note));
    }
    for (const { filter, test } of HIGHLIGHT_CASES.slice(0, 2)) {
      const peer = () => mini.search("memory", { filter: test, prefix: false }).slice(0, 20);
      rows.push(
        await against(
          `search_highlights memory, ${filter}`,
          () => ask(searchHighlights, { query: "memory", filter }),
          peer,
          rounds,
          note,
        ),
      );
    }
    for (const { filter, test } of DOCUMENT_CASES) {
      const peer = () => miniDocuments.search(MiniSearch.wildcard, { filter: test });
      const { count } = await ask(listDocuments, { filter });
      if (count !== peer().length) throw new Error(`${filter}: ${count} is not ${peer().length}`);
      rows.push(await against(`list_documents ${filter}`, () => ask(listDocuments, { filter }), peer, rounds, note));
    }
    return rows;
  } finally {
    await readwise.close();
    await sandbox.close();
  }
}

async function against(name, ours, peer, rounds, note) {
  const [own, other] = [[], []];
  // In turn, so that whatever else the machine does hits both.
  for (let round = -3; round < rounds; round++) {
    const [a, b] = [await timed(ours), await timed(peer)];
    if (round < 0) continue;
    own.push(a);
    other.push(b);
  }
  const [p50, theirs] = [median(own), median(other)];
  return {
    name: `warm ${name}`,
    ours: p50,
    unit: "ms p50",
    peer: theirs,
    peerName: "MiniSearch, same filter",
    ratio: theirs / p50,
    spread: spread(own),
    goal: "at least as fast",
    met: theirs >= p50,
    note,
  };
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function indexOf(records, fields) {
  const mini = new MiniSearch({ fields, storeFields: Object.keys(records[0]) });
  mini.addAll(records);
  return mini;
}

function markOf(library, { id, book_id, text, note, color, highlighted_at, tags, is_favorite }) {
  const book = library.books.get(book_id);
  return {
    id,
    text,
    note: note?.trim() ?? "",
    color,
    at: highlighted_at ?? Number.NaN,
    tags: tags.map(({ name }) => name),
    favorite: is_favorite,
    category: book.category,
  };
}

const documentOf = ({ id, title, author, tags, location, reading_progress, site_name }) => ({
  id,
  title: title ?? "",
  author: author ?? "",
  tags: Object.keys(tags ?? {}),
  location,
  progress: reading_progress,
  site: site_name,
});

main(import.meta.url, bench);
