// How often verify_quote is right, and how long it takes among 100,000 chunks.
//
//   npm run build && node bench/verify-quote.mjs [--cases 1000] [--chunks 100000] [--seed 1] [--store FILE]
//
// The quotes come from real books of the shared corpora; the rest of the project is text made of their words.
// CPU time is told beside the clock: on a busy machine the clock also counts the others' work.
// With --store the project is kept in FILE and used again.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createQuotes } from "../dist/citations/quotes.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { cutChunks, cutPages, filler, loadBooks, makeCases } from "./quote-cases.mjs";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    chunks: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    store: { type: "string" },
  },
});
const shared = process.env.BOOKWHEEL_SHARED ?? join(import.meta.dirname, "../../shared");
const documents = join(shared, "corpora/documents");
if (!existsSync(documents)) {
  console.log(`skipped: ${documents} is missing; set BOOKWHEEL_SHARED`);
  process.exit(0);
}

const PROJECT = "quotes";
const CHUNK_CHARS = 900;
const seed = Number(values.seed);
const wanted = Number(values.chunks);
const { books, heldOut } = loadBooks(documents);

const folder = values.store ? undefined : mkdtempSync(join(tmpdir(), "bookwheel-quotes-"));
const store = sqliteChunkStore({ file: values.store ?? join(folder, "store.db") });
try {
  if (!(await store.project(PROJECT))) await fill();
  const count = await store.count(PROJECT);
  const list = await store.documents(PROJECT);
  console.log(`${count} chunks in ${list.length} documents`);
  await run();
} finally {
  await store.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

async function fill() {
  const model = { id: "none", dimension: 8, pooling: "mean", max_tokens: 256, weights_sha256: null };
  await store.createProject({
    id: PROJECT,
    kind: "project",
    name: PROJECT,
    description: null,
    model,
    hybrid_enabled: true,
  });
  const began = performance.now();
  let chunks = 0;
  for (const book of books) chunks += await add(book);
  let n = 0;
  for (const text of filler({ books, seed, chars: Math.max(0, wanted - chunks) * CHUNK_CHARS * 0.99 })) {
    chunks += await add({ id: `filler-${n}`, citekey: `filler${n}`, title: `Filler ${n}`, text });
    n++;
  }
  console.log(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function add({ id, citekey, title, text }) {
  const now = new Date().toISOString();
  const vector = Float32Array.from({ length: 8 }, (_, i) => (i === 0 ? 1 : 0));
  const chunks = cutChunks(text, CHUNK_CHARS).map(([start, end], position) => ({
    id: `${id}-${position}`,
    text: text.slice(start, end),
    doc_id: id,
    position,
    start,
    end,
    citekey,
    title,
    section: null,
    section_path: [],
    page_span: null,
    page_labels: null,
    doi: null,
    url: null,
    year: null,
    tags: [],
    language: "en",
    metadata: {},
    vectors: [vector],
  }));
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
    csl: null,
    added_at: now,
    updated_at: now,
    extra: {},
    pages: cutPages(text),
    headings: [],
    edits: [],
  };
  await store.replaceDocument(PROJECT, record, chunks);
  return chunks.length;
}

async function run() {
  const cases = makeCases({ books, heldOut, count: Number(values.cases), seed });
  const { verify } = createQuotes({ store });
  const kinds = new Map();
  const all = [];
  const allCpu = [];
  const wrong = [];
  let inventedVerbatim = 0;
  for (const { kind, quote, source, expected, from } of cases) {
    const began = performance.now();
    const before = process.cpuUsage();
    const { verdict, matches } = await verify(PROJECT, quote, { source });
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1000;
    const placed =
      !from ||
      matches.some((match) => match.doc_id === from.doc_id && match.start < from.end && match.end > from.start);
    const right = verdict === expected && placed;
    if (!right) wrong.push({ kind, expected, verdict, placed, quote });
    if (kind === "invented" && (verdict === "exact" || verdict === "normalised")) inventedVerbatim++;
    const entry = kinds.get(kind) ?? { cases: 0, right: 0, ms: [], cpu: [] };
    entry.cases++;
    entry.right += right ? 1 : 0;
    entry.ms.push(ms);
    entry.cpu.push(cpu);
    kinds.set(kind, entry);
    all.push(ms);
    allCpu.push(cpu);
  }
  const row = (name, { cases: n, right, ms, cpu }) => ({
    kind: name,
    cases: n,
    right: (right / n).toFixed(3),
    p50_ms: at(ms, 0.5),
    p95_ms: at(ms, 0.95),
    max_ms: at(ms, 1),
    p50_cpu_ms: at(cpu, 0.5),
  });
  const total = { cases: cases.length, right: cases.length - wrong.length, ms: all, cpu: allCpu };
  console.table([...[...kinds].map(([name, entry]) => row(name, entry)), row("all", total)]);
  console.log(`invented quotes called verbatim: ${inventedVerbatim}`);
  console.log(`RSS ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);
  for (const each of wrong.slice(0, 20)) console.log(JSON.stringify(each));
}

function at(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1));
}
