// How good the vectors are: nDCG@10 and recall@100 of meaning alone on SciFact, abstracts cut into windows with their
// title in front, best window a document, every vector compared. `node bench/window-quality.mjs` after a build.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(process.env.BOOKWHEEL_SHARED ?? join(root, "..", "shared"), "corpora", "scifact");
if (!existsSync(folder)) {
  console.log(`Skipped: ${folder} is not there. Set BOOKWHEEL_SHARED to the folder that holds corpora/.`);
  process.exit(0);
}

const embedders = await createEmbedders();
const embedder = embedders.preferred && embedders.get(embedders.preferred);
if (!embedder) throw new Error(embedders.unavailable);
const { dimension, weights_sha256 } = embedder.identity;

const corpus = lines("corpus.jsonl").map((line) => JSON.parse(line));
const relevant = judgements();
const queries = lines("queries.jsonl")
  .map((line) => JSON.parse(line))
  .filter(({ _id }) => relevant.has(_id));

const windows = corpus.map(({ title, text }) => embedder.windows(text, title));
const asked = await vectorsOf(
  queries.map(({ text }) => text),
  "query",
);

report("windows with title", windows, await vectorsOf(windows.flat(), "passage"));
if (process.argv.includes("--whole")) {
  const whole = corpus.map(({ title, text }) => [cutToFit(`${title}\n${text}`)]);
  report("one cut at the model's limit", whole, await vectorsOf(whole.flat(), "passage"));
}
await embedders.close();

function report(name, texts, vectors) {
  const owner = texts.flatMap((pieces, document) => pieces.map(() => document));
  let ndcg = 0;
  let recall = 0;
  for (const [q, { _id }] of queries.entries()) {
    const best = new Float32Array(corpus.length).fill(-2);
    const query = asked.subarray(q * dimension, (q + 1) * dimension);
    for (let w = 0; w < owner.length; w++) {
      let dot = 0;
      for (let i = 0, at = w * dimension; i < dimension; i++, at++) dot += query[i] * vectors[at];
      if (dot > best[owner[w]]) best[owner[w]] = dot;
    }
    const ranked = [...corpus.keys()].sort((a, b) => best[b] - best[a]).slice(0, 100);
    const gains = relevant.get(_id);
    const gainAt = (rank) => (gains.get(corpus[ranked[rank]]._id) ?? 0) / Math.log2(rank + 2);
    const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, 10);
    let dcg = 0;
    for (let rank = 0; rank < 10; rank++) dcg += gainAt(rank);
    ndcg += dcg / ideal.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
    recall += ranked.filter((document) => gains.has(corpus[document]._id)).length / gains.size;
  }
  const count = queries.length;
  console.log(
    `${name}: nDCG@10 ${(ndcg / count).toFixed(4)}, recall@100 ${(recall / count).toFixed(4)}, ` +
      `${(owner.length / corpus.length).toFixed(2)} vectors a document, ${count} queries`,
  );
}

/** Embedding takes minutes, so the vectors are kept; other texts or weights are other vectors. */
async function vectorsOf(texts, as) {
  const key = createHash("sha256")
    .update(JSON.stringify([weights_sha256, texts]))
    .digest("hex")
    .slice(0, 16);
  const file = join(root, ".cache", "bench", `vectors-${key}.bin`);
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }
  const vectors = new Float32Array(texts.length * dimension);
  const started = performance.now();
  for (let i = 0; i < texts.length; i += 100) {
    const batch = await embedder.embed(texts.slice(i, i + 100), { as });
    for (const [k, vector] of batch.entries()) vectors.set(vector, (i + k) * dimension);
    if (i % 2000 === 0)
      console.error(`${i} of ${texts.length} texts, ${Math.round((performance.now() - started) / 1000)} s`);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, vectors);
  return vectors;
}

function cutToFit(text) {
  let words = text.split(" ").slice(0, embedder.identity.max_tokens);
  while (embedder.countTokens(words.join(" ")) > embedder.identity.max_tokens) words = words.slice(0, -1);
  return words.join(" ");
}

function judgements() {
  const found = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, document, score] = line.split("\t");
    if (Number(score) <= 0) continue;
    if (!found.has(query)) found.set(query, new Map());
    found.get(query).set(document, Number(score));
  }
  return found;
}

function lines(name) {
  return readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean);
}
