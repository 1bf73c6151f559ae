// How often check_draft is right about drafts of known kinds, and how long a long draft takes among 100,000 chunks (--quick 5,000).
//
//   npm run build && node bench/check-draft.mjs [--quick]
//
// Six drafts in six ways of writing: true, altered by a word, wrong work, wrong page, stitched, invented, translated, missing from
// the bibliography, uncited. The words come from real books of the shared corpora. The long draft is 20,000 words with 200 quotations.
// While it is checked, a timer of 10 ms says how long the process was deaf: that is what a page beside it would feel.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDrafts } from "../dist/citations/draft/drafts.js";
import { createQuotes } from "../dist/citations/quotes.js";
import { createSearch } from "../dist/shelves/chunks/search.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { cslOf, makeDrafts, WORKS } from "./draft-cases.mjs";
import { missingRow, shared } from "./judged.mjs";
import { newProject } from "./made-up.mjs";
import { main } from "./measure.mjs";
import { loadBooks } from "./quote-cases.mjs";
import { addBook, booksOf } from "./verify-quote.mjs";

const PROJECT = "quotes";
const documents = join(shared, "corpora", "documents");
const NO_MODELS = {
  preferred: undefined,
  unavailable: undefined,
  get: () => undefined,
  list: () => [],
  close: async () => {},
};

export async function bench({ quick = false } = {}) {
  if (!existsSync(documents)) return [missingRow("the folder of books")];
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-drafts-"));
  const store = sqliteChunkStore({ file: join(folder, "store.db") });
  try {
    const { books, heldOut } = loadBooks(documents);
    await store.createProject(newProject(PROJECT, 8));
    for (const book of booksOf(books, quick ? 5_000 : 100_000)) await addBook(store, withRecord(book));
    const checker = createDrafts({
      quotes: createQuotes({ store }),
      store,
      search: createSearch({ store, embedders: NO_MODELS }),
    });
    const drafts = makeDrafts({ books, heldOut, count: 36, seed: Number(process.env.DRAFTS_SEED ?? 5) });
    if (process.env.DRAFTS_TO) keep(drafts, books, process.env.DRAFTS_TO);
    const seen = [];
    const cold = await long(checker, makeDrafts({ books, heldOut, count: 200, seed: 9 })[0]);
    const warm = await long(checker, makeDrafts({ books, heldOut, count: 200, seed: 11 })[0]);
    const began = performance.now();
    for (const draft of drafts) seen.push(...(await judged(checker, draft)));
    const ms = performance.now() - began;
    return rowsOf(seen, { ms, cold, warm, drafts: drafts.length, chunks: await store.count(PROJECT) });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const withRecord = (book) =>
  WORKS[book.citekey] ? { ...book, title: cslOf(book.citekey).title, csl: cslOf(book.citekey) } : book;

async function judged(checker, { name, text, items }) {
  const { findings } = await checker.check(text, { projects: [PROJECT] });
  return items.map((item) => {
    const here = findings.filter(({ line }) => line >= item.line && line <= item.lastLine);
    const noted = findings.filter(({ line }) => item.noteLine !== undefined && line === item.noteLine);
    const of = item.citation
      ? [...here, ...noted].filter(({ kind }) => kind === "citation")
      : here.filter(({ kind }) => kind === "quotation");
    const verdicts = of.map(({ verdict }) => verdict);
    const right = verdicts.some((verdict) => item.expected.includes(verdict));
    if (!right && process.env.SHOW_WRONG)
      console.error(name, item.kind, verdicts, item.text.slice(0, 90), item.key, item.page);
    return { name, kind: item.kind, right };
  });
}

/** Twenty thousand words around two hundred quotations. */
async function long(checker, draft) {
  const words = draft.text.split(/\s+/).length;
  const filler = `${"Between one quotation and the next somebody has to think aloud about what it means here. ".repeat(Math.ceil((20_000 - words) / 200 / 16))}\n\n`;
  const text = draft.text
    .split("\n\n")
    .map((paragraph) => `${paragraph}\n\n${filler}`)
    .join("");
  let deaf = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    deaf = Math.max(deaf, now - last - 10);
    last = now;
  }, 10);
  const began = performance.now();
  const before = process.cpuUsage();
  const report = await checker.check(text, { projects: [PROJECT] });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  clearInterval(timer);
  return { seconds, cpu: (user + system) / 1e6, words: report.words, deaf };
}

function rowsOf(seen, { ms, cold, warm, drafts, chunks }) {
  const share = (list) => list.filter(({ right }) => right).length / list.length;
  const kinds = [...new Set(seen.map(({ kind }) => kind))];
  const names = [...new Set(seen.map(({ name }) => name))];
  const among = `${chunks} chunks`;
  return [
    {
      name: `right verdicts (${drafts} drafts, ${seen.length} quotations and citations)`,
      ours: share(seen),
      unit: "share",
      goal: "≥ 0.97",
      met: share(seen) >= 0.97,
    },
    ...kinds.map((kind) => ({
      name: `right: ${kind.replaceAll("_", " ")}`,
      ours: share(seen.filter((each) => each.kind === kind)),
      unit: "share",
    })),
    ...names.map((name) => ({
      name: `right: ${name}`,
      ours: share(seen.filter((each) => each.name === name)),
      unit: "share",
    })),
    { name: `one quotation of these drafts (${among})`, ours: ms / seen.length, unit: "ms" },
    {
      name: `a draft of ${cold.words} words, 200 quotations, first check of a process (${among})`,
      ours: cold.seconds,
      unit: "s",
    },
    {
      name: `another such draft after it (${among})`,
      ours: warm.seconds,
      unit: "s",
    },
    { name: `processor time of that (${among})`, ours: warm.cpu, unit: "s CPU", goal: "≤ 10", met: warm.cpu <= 10 },
    { name: "longest the process was deaf meanwhile, second draft", ours: warm.deaf, unit: "ms" },
  ];
}

/** The drafts and their sources as files, for a look or for another program. */
function keep(drafts, books, folder) {
  mkdirSync(join(folder, "sources"), { recursive: true });
  drafts.forEach(({ name, text, items }, i) => {
    writeFileSync(join(folder, `draft-${i + 1}.${name === "LaTeX" ? "tex" : "md"}`), text);
    writeFileSync(join(folder, `draft-${i + 1}.json`), JSON.stringify({ name, items }, null, 1));
  });
  for (const { citekey, text } of books) writeFileSync(join(folder, "sources", `${citekey}.txt`), text);
}

await main(import.meta.url, bench);
