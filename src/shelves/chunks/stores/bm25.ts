/** Okapi BM25 with Lucene's non-negative idf, from one project's statistics: no score depends on another project. */
export const K1 = 1.2;
export const B = 0.75;

export function idf(documents: number, withTerm: number): number {
  return Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5));
}

/** Weight of `tf` occurrences in a text of `length` terms, before idf; grows from 0 towards `SATURATION`. */
export function saturation(tf: number, length: number, averageLength: number): number {
  return (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / averageLength));
}
export const SATURATION = K1 + 1;
