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
/**
 * One list of two: the sum of how much of the query's weight a chunk's words cover and how near its meaning is. Both are
 * absolute, so a poor match scores low even where it is the best there is.
 */
export function fuse(
  words: readonly WordHit[],
  meaning: readonly MeaningHit[],
  options: { meaningWeight: number; depth: number },
): Ranked[] {
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
  const score = weightedSum(meaning, options);
  return [...found]
    .map(([id, evidence]) => ({ id, score: score(evidence), ...evidence }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function weightedSum(
  meaning: readonly MeaningHit[],
  { meaningWeight, depth }: { meaningWeight: number; depth: number },
) {
  // A chunk beyond the end of a full list is at most as near as its last one.
  const beyond = meaning.length < depth ? 0 : (meaning.at(-1)?.similarity ?? 0);
  return (evidence: Evidence): number => {
    const near = clamp(evidence.meaning?.similarity ?? beyond);
    return clamp((1 - meaningWeight) * (evidence.words?.coverage ?? 0) + meaningWeight * near);
  };
}

export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** How much meaning counts beside words: as much as they do where the model reads both languages, less where it does not. */
export function meaningWeight(model: string, queryLanguage: string | null, textLanguage: string): number {
  return 0.5 * readsBoth(model, queryLanguage, textLanguage);
}
