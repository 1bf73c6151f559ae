// Another embedding model from a folder beside the one in the box, asked through the service on XQuAD: in each language,
// and English questions over the texts of the others, which only a multilingual model can answer by meaning.
//
//   npm run build && BOOKWHEEL_EMBED_MODEL_DIR=DIR node bench/own-model.mjs [--only=zh,en]
//
// The folder is one that `bookwheel model add` has fetched, or any of that layout. Without it there is one row that says so.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { createRetrieval } from "../dist/shelves/chunks/retrieval.js";
import { createSearch } from "../dist/shelves/chunks/search.js";
import { sqliteChunkStore } from "../dist/shelves/chunks/stores/sqlite.js";
import { judgedSets, missingRow, readSet, scores } from "./judged.mjs";
import { main } from "./measure.mjs";

const FOLDER = process.env.BOOKWHEEL_EMBED_MODEL_DIR;
const BUILT_IN = "all-MiniLM-L6-v2";

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench({ quick = false } = {}) {
  if (!FOLDER)
    return [
      {
        name: "skipped",
        unit: "",
        note: "no other model: set BOOKWHEEL_EMBED_MODEL_DIR to its folder ('bookwheel model add' fetches one)",
      },
    ];
  const asked = process.argv.find((each) => each.startsWith("--only="))?.slice("--only=".length);
  const languages = judgedSets()
    .filter((set) => set.startsWith("xquad-"))
    .map((set) => set.slice("xquad-".length))
    .filter((language) => (asked ? asked.split(",").includes(language) : !quick || language === "en"));
  if (languages.length === 0) return [missingRow("XQuAD")];
  const folder = mkdtempSync(join(tmpdir(), "bookwheel-own-model-"));
  const embedders = await createEmbedders({ ownDir: FOLDER });
  try {
    const rows = [];
    for (const language of languages) rows.push(...(await rowsOf(language, embedders, folder)));
    return rows;
  } finally {
    await embedders.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsOf(language, embedders, folder) {
  const { corpus, queries } = readSet(`xquad-${language}`);
  const own = embedders.preferred;
  const models = [own, embedders.list().find(({ id }) => id === BUILT_IN)].filter(Boolean);
  const results = [];
  for (const identity of models) {
    const model = embedders.get(identity);
    const only = { ...embedders, preferred: identity, get: () => model, list: () => [identity], close: async () => {} };
    const store = sqliteChunkStore({ file: join(folder, `${language}-${results.length}.db`) });
    const retrieval = createRetrieval({ store, embedders: only });
    await retrieval.createProject({ project: "x" });
    const began = performance.now();
    for (let start = 0; start < corpus.length; start += 10)
      await retrieval.store(
        "x",
        corpus.slice(start, start + 10).map(({ id, text }) => ({ id, text, metadata: {} })),
      );
    const seconds = (performance.now() - began) / 1000;
    const project = await store.project("x");
    const search = createSearch({ store, embedders: only });
    const meaning = await meanOf(queries, async (text) => (await search.meaning(project, text, { limit: 100 })).hits);
    const hybrid = await meanOf(queries, async (text) => (await retrieval.hybrid("x", text, { top_k: 20 })).items);
    const foreign = language === "en" ? [] : readSet("xquad-en").queries;
    const across = await meanOf(foreign, async (text) => (await search.meaning(project, text, { limit: 100 })).hits);
    results.push({ meaning, hybrid, across, chars: corpus.reduce((sum, { text }) => sum + text.length, 0) / seconds });
    await retrieval.close();
    await store.close();
  }
  const [ours, peer] = results;
  const row = (name, part, unit) => ({
    name,
    unit,
    ours: ours[part],
    ...(peer ? { peer: peer[part], peerName: BUILT_IN, ratio: ours[part] / peer[part] } : {}),
    note: `${own.id}, ${own.dimension} dimensions, ${own.pooling} pooling, ${queries.length} questions over ${corpus.length} texts`,
  });
  return [
    row(`xquad-${language}: meaning`, "meaning", "nDCG@10"),
    row(`xquad-${language}: query_hybrid, top 20`, "hybrid", "nDCG@10"),
    ...(language === "en" ? [] : [row(`English questions, texts in ${language}: meaning`, "across", "nDCG@10")]),
    row(`xquad-${language}: stored`, "chars", "characters/s"),
  ];
}

async function meanOf(queries, ask) {
  let sum = 0;
  for (const { text, gains } of queries)
    sum += scores(
      (await ask(text)).map(({ id }) => id),
      gains,
    ).ndcg;
  return queries.length ? sum / queries.length : 0;
}

await main(import.meta.url, bench);
