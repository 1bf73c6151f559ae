// How reading in grows: passages embedded, a long text cut into windows, a book of more and more pages, more and more
// books. A part of growth.mjs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { ingest } from "./ingest-process.mjs";
import { textOf } from "./made-up.mjs";
import { pdfOf } from "./made-up-pdf.mjs";
import { cpuOf, grownRow } from "./measure.mjs";

const ROUNDS = 5;
const WORDS = 12;
/** Other processes do the work, so it is measured by the clock. */
const unit = "ms";

export async function embeddingGrowth(passages, words) {
  const embedders = await createEmbedders();
  const embedder = embedders.preferred && embedders.get(embedders.preferred);
  if (!embedder) throw new Error(embedders.unavailable);
  let embedding;
  const cutting = [];
  try {
    await embedder.embed(["loaded"]);
    const texts = Array.from({ length: passages.at(-1) }, (_, i) => textOf(i, WORDS));
    embedding = await inRounds(passages, (size) => embedder.embed(texts.slice(0, size)));
    for (const size of words) {
      const text = textOf(1, size);
      const once = { rounds: ROUNDS, questions: Math.ceil(words.at(-1) / size / 10), warmUp: 2 };
      cutting.push(await cpuOf(() => embedder.windows([{ text, prefix: "Title" }]), once));
    }
  } finally {
    await embedders.close();
  }
  return [
    grownRow({
      name: "embedding",
      of: `passages of ${WORDS} words`,
      sizes: passages,
      costs: embedding,
      promise: "linear",
      unit,
    }),
    grownRow({
      name: "cutting into windows",
      of: "words of the text",
      sizes: words,
      costs: cutting,
      promise: "linear",
    }),
  ];
}

/** Without the model: reading, cutting, storing. */
export async function ingestGrowth(pages, books, folder) {
  const sizes = (name, list, fill) =>
    list.map((size) => {
      const files = join(folder, `${name}-${size}`);
      mkdirSync(files);
      fill(files, size);
      return files;
    });
  const write = (files, number, count) =>
    writeFileSync(join(files, `book-${number}.pdf`), pdfOf(number, { pages: count, pictureBytes: 1000 }));
  const costsOf = (folders) => inRounds(folders, async (files) => (await ingest(folder, files, [])).summary);
  const byPages = sizes("pages", pages, (files, size) => write(files, 1, size));
  const byBooks = sizes("books", books, (files, size) => {
    for (let number = 0; number < size; number++) write(files, number, 2);
  });
  const note = "embedding apart";
  return [
    grownRow({
      name: "ingest",
      of: "pages of a PDF",
      sizes: pages,
      costs: await costsOf(byPages),
      promise: "linear",
      unit,
      note,
    }),
    grownRow({
      name: "ingest",
      of: "PDFs of two pages",
      sizes: books,
      costs: await costsOf(byBooks),
      promise: "linear",
      unit,
      note,
    }),
  ];
}

/**
 * Milliseconds by the clock, or as many as the work itself says; all sizes in turn, so that a noisy moment falls on each
 * of them.
 */
async function inRounds(sizes, work) {
  const costs = sizes.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, size] of sizes.entries()) {
      const began = performance.now();
      const measured = await work(size);
      costs[i].push(measured?.seconds === undefined ? performance.now() - began : measured.seconds * 1000);
    }
  return costs;
}
