// How good the answers are: nDCG@10 and recall@100 of words, meaning and both, asked through the service, on SciFact and
// XQuAD in six languages. After a build: node bench/chunks-quality.mjs [--quick]; quick is XQuAD in English alone.
//
// Nothing here is tuned on these questions: weights follow from the model's language, BM25 has its textbook parameters.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { createRetrieval } from "../dist/shelves/chunks/retrieval.js";
import { createSearch } from "../dist/shelves/chunks/search.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { main } from "./measure.mjs";

const GOALS = {
  scifact: { words: 0.675, meaning: 0.68, hybrid: 0.74 },
  "xquad-en": { hybrid: 0.975 },
};
const MOST_BELOW_WORDS = 0.005;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const corpora = join(process.env.BOOKWHEEL_SHARED ?? join(root, "..", "shared"), "corpora");
const SETS = ["scifact", "xquad-en", "xquad-de", "xquad-es", "xquad-ru", "xquad-zh", "xquad-ar"];
const remembered = new Map();

/** Rows of the results table; none, with a line that says why, where the corpora are not there. */
export async function bench({ quick = false } = {}) {
  if (!existsSync(corpora)) {
    console.log(`Skipped: ${corpora} is not there. Set BOOKWHEEL_SHARED to the folder that holds corpora/.`);
    return [];
  }
  const embedders = await createEmbedders();
  const model = embedders.preferred && embedders.get(embedders.preferred);
  if (!model) throw new Error(embedders.unavailable);
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-quality-"));
  try {
    const rows = [];
    for (const set of quick ? ["xquad-en"] : SETS) rows.push(...(await judge(set, { embedders, model, folder })));
    return rows;
  } finally {
    await embedders.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(set, { embedders, model, folder }) {
  const cached = cachedEmbedders(embedders, model);
  const corpus = lines(set, "corpus.jsonl").map((line) => JSON.parse(line));
  const relevant = judgements(set);
  const queries = lines(set, "queries.jsonl")
    .map((line) => JSON.parse(line))
    .filter(({ _id }) => relevant.has(String(_id)));
  await remember(
    model,
    corpus.flatMap(({ title, text }) => model.windows(text, title ?? "")),
    "passage",
  );
  await remember(
    model,
    queries.map(({ text }) => text),
    "query",
  );

  const store = sqliteChunkStore({ file: join(folder, `${set}.db`) });
  const retrieval = createRetrieval({ store, embedders: cached });
  await retrieval.createProject({ project: set });
  for (let start = 0; start < corpus.length; start += 100)
    await retrieval.store(
      set,
      corpus
        .slice(start, start + 100)
        .map(({ _id, title, text }) => ({ id: String(_id), text, metadata: { source: { title } } })),
    );
  const project = await store.project(set);
  const search = createSearch({ store, embedders: cached });
  const legs = { words: [], meaning: [], hybrid: [], tool: [] };
  for (const { _id, text } of queries) {
    const gains = relevant.get(String(_id));
    const ids = (hits) => hits.map(({ id }) => id);
    legs.words.push(scores(ids((await search.words(project, text, { limit: 100 })).hits), gains));
    legs.meaning.push(scores(ids((await search.meaning(project, text, { limit: 100 })).hits), gains));
    legs.hybrid.push(scores(ids((await search.hybrid(project, text, { limit: 100 })).hits), gains));
    legs.tool.push(scores(ids((await retrieval.hybrid(set, text, { top_k: 20 })).items), gains));
  }
  const mean = (leg, part) => legs[leg].reduce((sum, score) => sum + score[part], 0) / queries.length;
  const wordsAlone = mean("words", "ndcg");
  const rows = Object.keys(legs).map((leg) => {
    const ours = mean(leg, "ndcg");
    const goal = leg === "tool" ? wordsAlone - MOST_BELOW_WORDS : GOALS[set]?.[leg];
    return {
      name: `${set}: ${leg === "tool" ? "query_hybrid, top 20" : leg}`,
      ours,
      unit: "nDCG@10",
      note: `recall@${leg === "tool" ? 20 : 100} ${mean(leg, "recall").toFixed(4)}`,
      ...(goal === undefined ? {} : { goal: `≥ ${goal.toFixed(4)}`, met: ours >= goal }),
    };
  });
  await retrieval.close();
  await store.close();
  return rows;
}

function scores(ids, gains) {
  let dcg = 0;
  for (const [rank, id] of ids.slice(0, 10).entries()) dcg += (gains.get(id) ?? 0) / Math.log2(rank + 2);
  const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, 10);
  const best = ideal.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  return { ndcg: dcg / best, recall: ids.filter((id) => gains.has(id)).length / gains.size };
}

/** The real embedder, with the vectors of the sets' own texts at hand. */
function cachedEmbedders(embedders, model) {
  const embedder = {
    identity: model.identity,
    windows: (text, prefix) => model.windows(text, prefix),
    countTokens: (text) => model.countTokens(text),
    embed: async (texts, options) =>
      Promise.all(texts.map(async (text) => remembered.get(text) ?? (await model.embed([text], options))[0])),
    close: async () => {},
  };
  return {
    ...embedders,
    preferred: model.identity,
    unavailable: undefined,
    get: () => embedder,
    list: () => [model.identity],
    close: async () => {},
  };
}

/** Embedding takes minutes, so the vectors are kept; other texts or weights are other vectors. */
async function remember(model, texts, as) {
  const { dimension, weights_sha256 } = model.identity;
  const key = createHash("sha256")
    .update(JSON.stringify([weights_sha256, texts]))
    .digest("hex")
    .slice(0, 16);
  const file = join(root, ".cache", "bench", `vectors-${key}.bin`);
  if (!existsSync(file)) {
    const vectors = new Float32Array(texts.length * dimension);
    for (let i = 0; i < texts.length; i += 100) {
      const batch = await model.embed(texts.slice(i, i + 100), { as });
      for (const [k, vector] of batch.entries()) vectors.set(vector, (i + k) * dimension);
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, vectors);
  }
  const bytes = readFileSync(file);
  const vectors = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  for (const [i, text] of texts.entries()) remembered.set(text, vectors.subarray(i * dimension, (i + 1) * dimension));
}

function judgements(set) {
  const found = new Map();
  for (const line of lines(set, "qrels.tsv").slice(1)) {
    const [query, document, score] = line.split("\t");
    if (Number(score) <= 0) continue;
    if (!found.has(query)) found.set(query, new Map());
    found.get(query).set(document, Number(score));
  }
  return found;
}

function lines(set, name) {
  return readFileSync(join(corpora, set, name), "utf8")
    .split("\n")
    .filter(Boolean);
}

await main(import.meta.url, bench);
