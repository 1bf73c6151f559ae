/** How well the best hit of a search fits what was asked for. */
export const BEST_MATCHES = ["good", "weak", "none"] as const;
export type BestMatch = (typeof BEST_MATCHES)[number];

/** With `none` no more than these are shown. */
export const NEAREST_SHOWN = 3;

export interface Evidence {
  /** Share of the query's words that are in the hit, by weight, in [0,1]; guesses do not count. */
  words: number;
  /** Cosine of the meanings, or null where it is not known. */
  similarity: number | null;
}

/**
 * Cosines of the built-in model. On the demo library the right highlight in other words is at .33 or more in 19 of 20
 * cases where it comes first, and the nearest to something that is not there is below .29 in 8 of 10.
 */
const GOOD_SIMILARITY = 0.33;
const WEAK_SIMILARITY = 0.29;
const GOOD_WORDS = 0.8;
/** More than half: one of two words stands in many a long passage. */
const WEAK_WORDS = 0.55;
/** Without a cosine only the share of words can be judged. */
const SOME_WORDS = 0.05;

/** Models whose cosines of unrelated texts are high: these thresholds are not valid for them. */
const CROWDED = /(^|[^a-z])(e5|bge|gte|gemma|embeddinggemma|qwen|nomic|jina|ada|voyage)|text-embedding/i;

/** Of these unrelated texts have cosines of about .7, of the other crowded ones of about .4. */
const MOST_CROWDED = /(^|[^a-z])(e5|gte|ada)/i;

/** Where a ranking by words and meaning has to begin to count cosines; with the less crowded ones plain cosines rank better. */
export const crowdedFloor = (model: string): number => (MOST_CROWDED.test(model) ? 0.7 : 0);

/** A cosine on the scale of the built-in model, about 0 for unrelated texts, so that it can be weighed against words. */
export function comparableSimilarity(model: string, cosine: number): number {
  const floor = crowdedFloor(model) || (CROWDED.test(model) ? 0.4 : 0);
  return (cosine - floor) / (1 - floor);
}

/** A cosine scaled by how well the model reads the languages; null if the thresholds are not valid for the model. */
export function tellingSimilarity(model: string, cosine: number | undefined, reads: number): number | null {
  return cosine === undefined || reads === 0 || CROWDED.test(model) ? null : cosine * reads;
}

/** Judged by the best of each kind of evidence among the first hits. */
export function bestMatchOf(hits: readonly Evidence[]): BestMatch {
  let best: BestMatch = "none";
  for (const { words, similarity } of hits) {
    if (words >= GOOD_WORDS || (similarity !== null && similarity >= GOOD_SIMILARITY)) return "good";
    const some = similarity === null ? SOME_WORDS : WEAK_WORDS;
    if (words >= some || (similarity !== null && similarity >= WEAK_SIMILARITY)) best = "weak";
  }
  return best;
}
