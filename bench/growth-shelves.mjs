// How the shelves grow: a library of highlights or documents fetched and searched, quotes checked, notebooks filled and
// asked. A part of growth.mjs.
import { join } from "node:path";
import { createQuotes } from "../dist/citations/quotes.js";
import { createReaderPool } from "../dist/ingest/reader-pool.js";
import { createSearch } from "../dist/shelves/chunks/search.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { localNotebooks } from "../dist/shelves/notebooks/backends/local.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { madeUpEmbedders, newProject, questionOf, textOf, wordOf } from "./made-up.mjs";
import { cpuOf, grownRow } from "./measure.mjs";
import { addBook } from "./verify-quote.mjs";

const signal = new AbortController().signal;
const DAY = "2026-01-01T00:00:00Z";
const nulls = (...names) => Object.fromEntries(names.map((name) => [name, null]));

const sourceOf = (id) => ({
  id,
  title: `Work ${wordOf(id % 5000)} ${wordOf(100 + (id % 900))}`,
  author: `Author ${wordOf(200 + (id % 300))}`,
  category: "books",
  highlight_count: 10,
  tags: [],
  updated_at: DAY,
  ...nulls("readable_title", "source", "cover_image_url", "source_url", "readwise_url", "unique_url"),
  ...nulls("document_note", "summary", "last_highlight_at"),
});
const highlightOf = (id, book) => ({
  id,
  text: textOf(id),
  book_id: book,
  updated_at: DAY,
  tags: [],
  is_favorite: false,
  is_discard: false,
  ...nulls("note", "location", "location_type", "color", "highlighted_at", "created_at"),
  ...nulls("url", "readwise_url", "external_id"),
});
const documentOf = (i) => ({
  id: `d${i}`,
  title: textOf(i, 8),
  author: `Author ${wordOf(200 + (i % 300))}`,
  summary: textOf(i + 5_000_000, 40),
  category: "article",
  location: "later",
  tags: {},
  word_count: 1000,
  reading_progress: 0,
  updated_at: DAY,
  saved_at: DAY,
  ...nulls("url", "source_url", "source", "site_name", "reading_time", "created_at", "published_date", "image_url"),
  ...nulls("notes", "parent_id", "first_opened_at", "last_opened_at", "last_moved_at", "content"),
});

/** Readwise with so many highlights or documents, answering at once, page by page. */
const madeUpReadwise = ({ highlights = 0, documents = 0 }) => ({
  async exported({ cursor, updatedAfter }) {
    const first = Number(cursor ?? 0);
    const last = updatedAfter ? first : Math.min(highlights / 10, first + 100);
    const sources = Array.from({ length: last - first }, (_, i) => ({
      source: sourceOf(first + i),
      external_id: null,
      is_deleted: false,
      highlights: Array.from({ length: 10 }, (_, h) => ({
        highlight: highlightOf((first + i) * 10 + h, first + i),
        is_deleted: false,
      })),
    }));
    return { sources, next: last < highlights / 10 && !updatedAfter ? String(last) : null };
  },
  async documents({ cursor, updatedAfter }) {
    const first = Number(cursor ?? 0);
    const last = updatedAfter ? first : Math.min(documents, first + 100);
    return {
      documents: Array.from({ length: last - first }, (_, i) => documentOf(first + i)),
      next: last < documents && !updatedAfter ? String(last) : null,
      count: documents,
    };
  },
});

const openShelf = (api) =>
  createReadwiseShelf({
    api: () => api,
    cache: { enabled: true, maxBytes: 512 * 1024 ** 2, ttlMs: 3_600_000 },
    store: memoryCacheStore,
  });

/** Opens a new shelf for every filling; the last one is searched. */
async function shelfGrowth(sizes, { kind, search }) {
  const costs = { filling: [], searching: [] };
  await filled(sizes[0]);
  for (const size of sizes) {
    const filling = [];
    let shelf;
    for (let round = 0; round < 3; round++) {
      await shelf?.close();
      shelf = openShelf(madeUpReadwise({ [kind]: size }));
      const before = process.cpuUsage();
      await complete(shelf);
      const { user, system } = process.cpuUsage(before);
      filling.push((user + system) / 1000);
    }
    costs.filling.push(filling);
    costs.searching.push(await cpuOf((i) => search(shelf.forKey("k"), questionOf(i))));
    await shelf.close();
  }
  return costs;

  async function filled(size) {
    const shelf = openShelf(madeUpReadwise({ [kind]: size }));
    await complete(shelf);
    await shelf.close();
  }
  async function complete(shelf) {
    while (!(await search(shelf.forKey("k"), "the")).complete) await new Promise((done) => setTimeout(done, 10));
  }
}

export async function highlightGrowth(sizes) {
  const { filling, searching } = await shelfGrowth(sizes, {
    kind: "highlights",
    search: (library, query) => library.searching.searchHighlights({ query, limit: 50 }, signal),
  });
  const note = "fetched, kept, indexed and first searched; making the answers of Readwise included";
  return [
    grownRow({ name: "search_highlights", of: "highlights", sizes, costs: searching, promise: "linear" }),
    grownRow({ name: "filling the Readwise cache", of: "highlights", sizes, costs: filling, promise: "linear", note }),
  ];
}

export async function documentGrowth(sizes) {
  const { searching } = await shelfGrowth(sizes, {
    kind: "documents",
    search: (library, query) => library.searching.searchDocuments({ query, limit: 50 }, signal),
  });
  return [grownRow({ name: "search_documents", of: "documents", sizes, costs: searching, promise: "linear" })];
}

const CHUNK_CHARS = 900;
const CHUNKS_PER_BOOK = 100;
/** Sentences of ten words. */
function bookOf(number, chunks) {
  const sentences = [];
  for (let chars = 0, i = 0; chars < chunks * CHUNK_CHARS * 0.97; i++) {
    const sentence = `${textOf(number * 100_000 + i, 10)}.`;
    sentences.push(sentence);
    chars += sentence.length + 1;
  }
  return { id: `book-${number}`, citekey: `book${number}`, title: `Book ${number}`, text: sentences.join(" ") };
}

export async function quoteGrowth(sizes, folder) {
  const store = sqliteChunkStore({ file: join(folder, "quotes.db") });
  const costs = { there: [], absent: [] };
  try {
    await store.createProject(newProject("quotes", 8));
    let books = 0;
    for (const size of sizes) {
      for (; books < size / CHUNKS_PER_BOOK; books++) await addBook(store, bookOf(books, CHUNKS_PER_BOOK));
      const { verify } = createQuotes({ store });
      const check = async (quote, expected) => {
        const { verdict } = await verify("quotes", quote);
        if ((verdict === "absent") !== (expected === "absent")) throw new Error(`${verdict}, not ${expected}`);
      };
      // The first that is absent makes the fingerprints, once.
      await check(textOf(-1, 18), "absent");
      const quoted = (i) =>
        `${textOf(((i * 37) % books) * 100_000 + i, 10)}. ${textOf(((i * 37) % books) * 100_000 + i + 1, 10)}.`;
      costs.there.push(await cpuOf((i) => check(quoted(i), "exact"), { rounds: 3, warmUp: 3 }));
      costs.absent.push(await cpuOf((i) => check(textOf(-2 - i, 18), "absent"), { rounds: 3, warmUp: 3 }));
    }
  } finally {
    await store.close();
  }
  const row = (name, own) => grownRow({ name, of: "chunks", sizes, costs: own, promise: "linear" });
  return [row("verify_quote, a true quote", costs.there), row("verify_quote, a quote that is nowhere", costs.absent)];
}

function openNotebooks(file) {
  const store = sqliteChunkStore({ file });
  const embedders = madeUpEmbedders(384);
  const readers = createReaderPool();
  const notebooks = localNotebooks({
    store,
    embedders,
    search: createSearch({ store, embedders }),
    readers,
    fetcher: () => Promise.reject(new Error("nothing is fetched here")),
  });
  const close = async () => {
    await readers.close();
    await store.close();
  };
  return { close, notebooks };
}

/** `words` in sentences and paragraphs, with one fact nobody else has. */
function sourceText(number, words) {
  const sentences = Array.from({ length: Math.ceil(words / 12) }, (_, i) => {
    const text = textOf(number * 10_000 + i, 12);
    return `${text[0].toUpperCase()}${text.slice(1)}.${i % 6 === 5 ? "\n\n" : ""}`;
  });
  sentences.splice(5, 0, `The harbour of ${wordOf(20_000 + number)} was opened in the year ${1000 + number}.`);
  return sentences.join(" ");
}

/** A question in a notebook of more and more sources, and what one of them costs, the mean since the size before. */
export async function notebookGrowth(sizes, folder) {
  const { close, notebooks } = openNotebooks(join(folder, "notebooks.db"));
  const costs = { asking: [], adding: [] };
  let number = 0;
  const adding = async (id, count) => {
    let ms = 0;
    for (let i = 0; i < count; i++, number++) {
      const source = { source_type: "text", title: `Source ${number}`, text: sourceText(number, 5000) };
      const once = { rounds: 1, questions: 1, warmUp: 0 };
      const [cost] = await cpuOf(() => notebooks.addSource(id, source, signal), once);
      ms += cost;
    }
    return ms / count;
  };
  try {
    const warmUp = await notebooks.create("warm-up", signal);
    await adding(warmUp.id, 3);
    const { id } = await notebooks.create("growing", signal);
    number = 0;
    for (const size of sizes) {
      costs.adding.push([await adding(id, size - number)]);
      const question = (i) => `When was the harbour of ${wordOf(20_000 + ((i * 7) % number))} opened?`;
      costs.asking.push(await cpuOf((i) => notebooks.ask(id, question(i), signal), { rounds: 3, warmUp: 5 }));
    }
  } finally {
    await close();
  }
  const of = "sources of 5,000 words";
  return [
    grownRow({ name: "ask", of, sizes, costs: costs.asking, promise: "linear", note: "embedding apart" }),
    grownRow({ name: "add_source", of, sizes, costs: costs.adding, promise: "constant", note: "embedding apart" }),
  ];
}

export async function sourceGrowth(sizes, folder) {
  const { close, notebooks } = openNotebooks(join(folder, "sources.db"));
  const costs = [];
  try {
    let number = 0;
    for (const size of sizes) {
      const { id } = await notebooks.create(`of ${size}`, signal);
      const add = () => {
        number++;
        const source = { source_type: "text", title: `Source ${number}`, text: sourceText(number, size) };
        return notebooks.addSource(id, source, signal);
      };
      costs.push(await cpuOf(add, { rounds: 3, questions: size === sizes.at(-1) ? 1 : 4, warmUp: 2 }));
    }
  } finally {
    await close();
  }
  return [
    grownRow({ name: "add_source", of: "words of the text", sizes, costs, promise: "linear", note: "embedding apart" }),
  ];
}
