// How well a notebook answers without a language model: 240 paragraphs as text sources of one notebook, 1,190 questions
// with known answers; and how often it says so when the answer has been taken out of the notebook.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { main, percentile } from "./measure.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const corpora = join(process.env.BOOKWHEEL_SHARED ?? join(root, "..", "shared"), "corpora");
const signal = new AbortController().signal;

/** Notebooks on a store of their own; in a folder that goes away with them unless a file is given. */
export async function openNotebooks({ file } = {}) {
  const folder = file ? undefined : mkdtempSync(join(tmpdir(), "bookwheel-bench-"));
  const load = (path) => import(new URL(`../dist/shelves/${path}`, import.meta.url));
  const [{ createEmbedders }, { sqliteChunkStore }, { createSearch }, { localNotebooks }, { createReaderPool }] =
    await Promise.all([
      load("chunks/embedding/embedders.js"),
      load("chunks/stores/sqlite.js"),
      load("chunks/search.js"),
      load("notebooks/backends/local.js"),
      load("../ingest/reader-pool.js"),
    ]);
  const readers = createReaderPool();
  const embedders = await createEmbedders();
  const store = sqliteChunkStore({ file: file ?? join(folder, "chunks.db") });
  const refuse = () => Promise.reject(new Error("nothing is fetched here"));
  const open = (embedders) =>
    localNotebooks({
      store,
      embedders,
      search: createSearch({ store, embedders }),
      readers,
      fetcher: refuse,
    });
  return {
    backend: open(embedders),
    store,
    embedders,
    open,
    async close() {
      await readers.close();
      await store.close();
      await embedders.close();
      if (folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const lines = (folder, file) =>
  readFileSync(join(corpora, folder, file), "utf8")
    .trim()
    .split("\n");
const articleOf = (id) => id.split("-")[0];

function readSet(folder) {
  const answers = new Map(
    lines(folder, "qrels.tsv")
      .slice(1)
      .map((line) => line.split("\t").slice(0, 2)),
  );
  return {
    paragraphs: lines(folder, "corpus.jsonl").map((line) => JSON.parse(line)),
    questions: lines(folder, "queries.jsonl")
      .map((line) => JSON.parse(line))
      .map(({ _id, text, answers: gold }) => ({ text, gold, paragraph: answers.get(_id) })),
  };
}

async function fill(backend, name, paragraphs) {
  const { id } = await backend.create(name, signal);
  const sources = new Map();
  for (const { _id, title, text } of paragraphs) {
    const { source_id } = await backend.addSource(id, { source_type: "text", title: `${title} ${_id}`, text }, signal);
    sources.set(source_id, { paragraph: _id, text });
  }
  return { id, sources };
}

/** Asks every question and counts what came back. */
export async function measure(backend, { id, sources }, questions) {
  const seen = { gold: 0, first: 0, three: 0, excerpts: 0, verbatim: 0, refused: 0, chars: 0, ms: [], confidence: {} };
  for (const { text, gold, paragraph } of questions) {
    const started = performance.now();
    const { answer, citations, confidence } = await backend.ask(id, text, signal);
    seen.ms.push(performance.now() - started);
    const cited = citations.map(({ source_id }) => sources.get(source_id)?.paragraph);
    const right = gold.some((each) => answer.includes(each));
    seen.gold += right;
    seen.first += cited[0] === paragraph;
    seen.three += cited.slice(0, 3).includes(paragraph);
    seen.refused += citations.length === 0;
    seen.chars += answer.length;
    seen.confidence[confidence] ??= { asked: 0, right: 0 };
    const level = seen.confidence[confidence];
    level.asked++;
    level.right += right;
    for (const { source_id, excerpt } of citations) {
      seen.excerpts++;
      seen.verbatim += sources.get(source_id)?.text.includes(excerpt) ?? false;
    }
  }
  return seen;
}

const every = (list, n) => list.filter((_, i) => i % n === 0);
const row = (name, ours, goal) => ({
  name,
  ours,
  unit: "share",
  ...(goal === undefined ? {} : { goal: `≥ ${goal}`, met: ours >= goal }),
});

export async function bench({ quick = false, full = false } = {}) {
  if (!existsSync(join(corpora, "xquad-en"))) {
    console.log(
      `Skipped: ${join(corpora, "xquad-en")} is not there. Set BOOKWHEEL_SHARED to the folder that holds corpora/.`,
    );
    return [];
  }
  const rows = [];
  for (const language of full ? ["en", "de", "es", "ru", "zh", "ar"] : ["en"]) {
    const { paragraphs, questions } = readSet(`xquad-${language}`);
    const asked = quick ? every(questions, 8) : questions;
    const { backend, close } = await openNotebooks();
    try {
      const seen = await measure(backend, await fill(backend, language, paragraphs), asked);
      const share = (count) => count / asked.length;
      const english = language === "en";
      const of = `${language}, ${asked.length} questions`;
      rows.push(
        row(`gold string in the answer (${of})`, share(seen.gold), english ? 0.75 : undefined),
        row(`right paragraph cited first (${of})`, share(seen.first), english ? 0.85 : undefined),
        row(`right paragraph in the first three (${of})`, share(seen.three), english ? 0.95 : undefined),
        row(`excerpts verbatim in their source (${seen.excerpts})`, seen.verbatim / seen.excerpts, 1),
        row(`said to be unanswered though it is there (${of})`, share(seen.refused)),
        { name: `length of an answer (${of})`, ours: seen.chars / asked.length, unit: "characters" },
        {
          name: `ask, 240 sources (${of})`,
          ours: percentile(seen.ms, 50),
          unit: "ms p50",
          note: `p95 ${percentile(seen.ms, 95).toFixed(0)}`,
        },
        ...Object.entries(seen.confidence).map(([level, { asked, right }]) =>
          row(`gold in the answer where confidence is ${level} (${asked})`, right / asked),
        ),
      );
      // Two notebooks that each lack half of the articles: a question about the other half has no answer there.
      let refused = 0;
      let total = 0;
      for (const half of [0, 1]) {
        const notebook = await fill(
          backend,
          `half ${half}`,
          paragraphs.filter(({ _id }) => articleOf(_id) % 2 === half),
        );
        const others = every(
          asked.filter(({ paragraph }) => articleOf(paragraph) % 2 !== half),
          quick ? 1 : 2,
        );
        refused += (await measure(backend, notebook, others)).refused;
        total += others.length;
      }
      rows.push(row(`said to be unanswered where it is not there (${language}, ${total} questions)`, refused / total));
    } finally {
      await close();
    }
  }
  return rows;
}

await main(import.meta.url, bench);
