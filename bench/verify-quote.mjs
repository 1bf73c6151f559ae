// How often verify_quote is right, and how long it takes among 100,000 chunks (--quick 5,000).
//
//   npm run build && node bench/verify-quote.mjs [--quick]
//
// The quotes come from real books of the shared corpora; the rest of the project is text made of their words. CPU time is
// shown beside the clock: on a busy machine the clock also counts the others' work. Beside it, in turn, the least a check
// could do: looking for the quote's letters in all texts, kept in memory in small letters, which finds verbatim quotes only.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQuotes } from "../dist/citations/quotes.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { bareChunk } from "../tests/support/bare-chunk.mjs";
import { missingRow, shared } from "./judged.mjs";
import { newProject } from "./made-up.mjs";
import { main, median, percentile, spread } from "./measure.mjs";
import { cutChunks, cutPages, filler, loadBooks, makeCases } from "./quote-cases.mjs";

const PROJECT = "quotes";
const CHUNK_CHARS = 900;
const SEED = 1;
const documents = join(shared, "corpora", "documents");

export async function bench({ quick = false } = {}) {
  if (!existsSync(documents)) return [missingRow("the folder of books")];
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-quotes-"));
  const store = sqliteChunkStore({ file: join(folder, "store.db") });
  try {
    const { books, heldOut } = loadBooks(documents);
    const texts = [];
    await store.createProject(newProject(PROJECT, 8));
    for (const book of booksOf(books, quick ? 5_000 : 100_000)) {
      await addBook(store, book);
      texts.push(plain(book.text));
    }
    const rss = process.memoryUsage.rss();
    const cases = makeCases({ books, heldOut, count: quick ? 120 : 1000, seed: SEED });
    const seen = await check(store, cases, texts);
    return rowsOf(seen, {
      of: `${cases.length} quotes, ${await store.count(PROJECT)} chunks`,
      mib: (process.memoryUsage.rss() - rss) / 1024 ** 2,
    });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The books, and made-up ones until there are as many chunks as wanted. */
export function* booksOf(books, wanted) {
  yield* books;
  const chars = wanted * CHUNK_CHARS - books.reduce((sum, { text }) => sum + text.length, 0);
  let n = 0;
  for (const text of filler({ books, seed: SEED, chars: Math.max(0, chars) * 0.99 })) {
    yield { id: `filler-${n}`, citekey: `filler${n}`, title: `Filler ${n}`, text };
    n++;
  }
}

const ALIKE = Float32Array.from({ length: 8 }, (_, i) => (i === 0 ? 1 : 0));

export async function addBook(
  store,
  { id, citekey, title, text, csl = null },
  { project = PROJECT, vector = () => ALIKE } = {},
) {
  const now = new Date().toISOString();
  const chunks = cutChunks(text, CHUNK_CHARS).map(([start, end], position) =>
    bareChunk({
      id: `${id}-${position}`,
      text: text.slice(start, end),
      doc_id: id,
      position,
      start,
      end,
      citekey,
      title,
      vectors: [vector()],
    }),
  );
  const record = {
    id,
    citekey,
    title,
    text,
    kind: "text",
    origin: null,
    sha256: id,
    chunk_count: chunks.length,
    char_count: text.length,
    language: "en",
    csl,
    added_at: now,
    updated_at: now,
    extra: {},
    pages: cutPages(text),
    headings: [],
    edits: [],
  };
  await store.replaceDocument(project, record, chunks);
  return chunks.length;
}

const plain = (text) => text.replace(/\s+/g, " ").toLowerCase();

function scan(texts, letters) {
  const started = performance.now();
  texts.some((text) => text.includes(letters));
  return performance.now() - started;
}

async function check(store, cases, texts) {
  const { verify } = createQuotes({ store });
  const seen = [];
  for (const [i, { kind, quote, source, expected, from }] of cases.entries()) {
    const began = performance.now();
    const before = process.cpuUsage();
    const { verdict, matches } = await verify(PROJECT, quote, { source });
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(before);
    const placed =
      !from ||
      matches.some((match) => match.doc_id === from.doc_id && match.start < from.end && match.end > from.start);
    seen.push({
      kind,
      ms,
      cpu: (user + system) / 1000,
      // A few are enough to know, and all of them would take longer than the checks. Seven goes through all kinds.
      scan: i % 7 === 0 ? scan(texts, plain(quote)) : undefined,
      right: verdict === expected && placed,
      verbatim: verdict === "exact" || verdict === "normalised",
    });
  }
  return seen;
}

function rowsOf(seen, { of, mib }) {
  const pick = (list, field) => list.map((each) => each[field]);
  const share = (list) => list.filter(({ right }) => right).length / list.length;
  const p50 = median(pick(seen, "ms"));
  const letters = median(pick(seen, "scan").filter((ms) => ms !== undefined));
  const invented = seen.filter(({ kind, verbatim }) => kind === "invented" && verbatim).length;
  const kinds = [...new Set(pick(seen, "kind"))];
  return [
    { name: `right verdicts (${of})`, ours: share(seen), unit: "share", goal: "≥ 0.99", met: share(seen) >= 0.99 },
    { name: "invented quotes called verbatim", ours: invented, unit: "quotes", goal: "0", met: invented === 0 },
    {
      name: "a quote",
      ours: p50,
      unit: "ms p50",
      limit: letters,
      limitName: "a search for its letters",
      share: letters / p50,
      spread: spread(pick(seen, "ms")),
      goal: "< 50",
      met: p50 < 50,
      note: `${median(pick(seen, "cpu")).toFixed(1)} ms of CPU`,
    },
    { name: "a quote", ours: percentile(pick(seen, "ms"), 95), unit: "ms p95" },
    { name: "the slowest quote", ours: Math.max(...pick(seen, "ms")), unit: "ms", note: "fingerprints are made then" },
    ...kinds.map((kind) => {
      const own = seen.filter((each) => each.kind === kind);
      return {
        name: `right verdicts: ${kind.replaceAll("_", " ")}`,
        ours: share(own),
        unit: "share",
        note: `${own.length} quotes, p50 ${median(pick(own, "ms")).toFixed(1)} ms, p95 ${percentile(pick(own, "ms"), 95).toFixed(1)} ms`,
      };
    }),
    { name: "memory taken by checking", ours: mib, unit: "MiB RSS" },
  ];
}

await main(import.meta.url, bench);
