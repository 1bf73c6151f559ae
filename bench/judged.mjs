// Texts with known answers, read where they lie, and how good a ranking of them is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const shared = process.env.BOOKWHEEL_SHARED ?? join(root, "..", "shared");
const corpora = join(shared, "corpora");

/** A row that says why there are no figures. */
export const missingRow = (what) => ({
  name: "skipped",
  unit: "",
  note: `${what} is not here; set BOOKWHEEL_SHARED to the folder that holds corpora/`,
});

/** The names of all sets that have judgements; none where the corpora are not there. */
export function judgedSets() {
  if (!existsSync(corpora)) return [];
  return readdirSync(corpora)
    .filter((name) => existsSync(join(corpora, name, "qrels.tsv")))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}
const rank = (name) => (name.startsWith("xquad-") ? (name === "xquad-en" ? 1 : 2) : 0);

/** `{ corpus: [{ id, title, text }], queries: [{ text, gains }] }`, gains by id of the text. */
export function readSet(name) {
  const lines = (file) =>
    readFileSync(join(corpora, name, file), "utf8")
      .split("\n")
      .filter(Boolean);
  const judged = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, id, score] = line.split("\t");
    if (Number(score) <= 0) continue;
    if (!judged.has(query)) judged.set(query, new Map());
    judged.get(query).set(id, Number(score));
  }
  return {
    corpus: lines("corpus.jsonl").map((line) => {
      const { _id, title, text } = JSON.parse(line);
      return { id: String(_id), title: title ?? "", text };
    }),
    queries: lines("queries.jsonl")
      .map((line) => JSON.parse(line))
      .filter(({ _id }) => judged.has(String(_id)))
      .map(({ _id, text }) => ({ text, gains: judged.get(String(_id)) })),
  };
}

/** nDCG@10, and the share of the right texts that were found at all. */
export function scores(ids, gains) {
  let dcg = 0;
  for (const [place, id] of ids.slice(0, 10).entries()) dcg += (gains.get(id) ?? 0) / Math.log2(place + 2);
  const ideal = [...gains.values()].sort((a, b) => b - a).slice(0, 10);
  const best = ideal.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
  return { ndcg: dcg / best, recall: ids.filter((id) => gains.has(id)).length / gains.size };
}
