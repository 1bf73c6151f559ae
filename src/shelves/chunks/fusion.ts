import { readsBoth } from "../../text/model-languages.js";
import type { MeaningHit, WordHit } from "./chunk-store.js";

/** Where a chunk stood in each list, ranks from 1. */
export interface Evidence {
  words: { rank: number; bm25: number; coverage: number } | null;
  meaning: { rank: number; similarity: number } | null;
}
export interface Ranked extends Evidence {
  id: string;
  /** In [0,1]. */
  score: number;
}

interface FuseOptions {
  meaningWeight: number;
  /** How many hits a list holds at most. */
  depth: number;
  /** The cosine of unrelated texts. */
  floor?: number;
}

/**
 * Fuses two lists, by the share of the query's weight that a chunk's words cover and by the similarity of meaning. The order
 * normalises each list by its best hit: even the best passage covers only a third of a long question's words, so without
 * that, meaning alone would decide. The score is the plain sum. It is absolute: a poor match scores low even where it is
 * the best.
 */
export function fuse(words: readonly WordHit[], meaning: readonly MeaningHit[], options: FuseOptions): Ranked[] {
  const found = new Map<string, Evidence>();
  const evidenceOf = (id: string) => {
    const known = found.get(id) ?? { words: null, meaning: null };
    found.set(id, known);
    return known;
  };
  words.forEach(({ id, bm25, coverage }, index) => {
    evidenceOf(id).words = { rank: index + 1, bm25, coverage };
  });
  meaning.forEach(({ id, similarity }, index) => {
    evidenceOf(id).meaning = { rank: index + 1, similarity };
  });
  const worth = worthOf(words, meaning, options);
  return [...found]
    .map(([id, evidence]) => ({ id, evidence, ...worth(evidence) }))
    .sort((a, b) => b.order - a.order || (a.id < b.id ? -1 : 1))
    .map(({ id, score, evidence }) => ({ id, score, ...evidence }));
}

function worthOf(
  words: readonly WordHit[],
  meaning: readonly MeaningHit[],
  { meaningWeight: weight, depth, floor = 0 }: FuseOptions,
) {
  // A chunk that is not in a full list is given the value of that list's last hit.
  const notCovered = words.length < depth ? 0 : (words.at(-1)?.coverage ?? 0);
  const notNear = meaning.length < depth ? 0 : (meaning.at(-1)?.similarity ?? 0);
  const scale = (best: number | undefined) => (best !== undefined && best > 0 ? best ** weight : 1);
  const covered = scale(words[0]?.coverage);
  const above = (similarity: number) => clamp((similarity - floor) / (1 - floor));
  const nearest = scale(meaning[0] && above(meaning[0].similarity));
  return (evidence: Evidence): { score: number; order: number } => {
    const near = above(evidence.meaning?.similarity ?? notNear);
    return {
      score: clamp((1 - weight) * (evidence.words?.coverage ?? 0) + weight * near),
      order: ((1 - weight) * (evidence.words?.coverage ?? notCovered)) / covered + (weight * near) / nearest,
    };
  };
}

export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** How much meaning counts beside words: as much as they do where the model reads both languages, less where it does not. */
export function meaningWeight(model: string, queryLanguage: string | null, textLanguage: string): number {
  return 0.5 * readsBoth(model, queryLanguage, textLanguage);
}
