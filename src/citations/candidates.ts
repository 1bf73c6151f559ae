import type { ChunkStore, StoredChunk } from "../shelves/chunks/chunk-store.js";
import { normalise } from "./normalise.js";
import type { Quote } from "./quote.js";

export interface Candidate {
  chunk: StoredChunk;
  /** How many three-word runs of the quote it contains. */
  score: number;
}
const QUERY_WORDS = 6;
const WORD_HITS = 40;

/** Searches for any of the quote's longest words. Length approximates rarity: the port does not give word frequencies. */
export async function byRareWords(
  store: ChunkStore,
  project: string,
  quote: Quote,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const query = rareWords(quote);
  if (!query.trim()) return [];
  const hits = await store.byWords(project, query, { limit: WORD_HITS, signal });
  return ranked(quote, await store.chunks(project, { ids: hits.map(({ id }) => id) }));
}

export function rareWords(quote: Quote, count = QUERY_WORDS): string {
  if (quote.unspaced) return quote.keys.slice(0, 4 * count).join("");
  return [...new Set(quote.keys.filter((key) => /[\p{L}\p{N}]/u.test(key)))]
    .sort((a, b) => b.length - a.length)
    .slice(0, count)
    .map(plainWord)
    .join(" ");
}

/** Removes what a query would read as syntax. */
function plainWord(key: string): string {
  return key.replace(/["*“”„«»]/g, " ");
}

/** Ranks chunks by how many three-word runs of the quote they contain. */
function ranked(quote: Quote, chunks: readonly StoredChunk[]): Candidate[] {
  const stretches = stretchesOf(quote);
  const scored = chunks.map((chunk) => {
    const text = normalise(chunk.text).text;
    return { chunk, score: stretches.reduce((sum, stretch) => sum + (text.includes(stretch) ? 1 : 0), 0) };
  });
  return scored.sort((a, b) => b.score - a.score);
}

function stretchesOf({ normal, unspaced }: Quote): string[] {
  if (unspaced)
    return Array.from({ length: Math.min(100, Math.max(1, normal.length - 3)) }, (_, i) => normal.slice(i, i + 4));
  const list = normal.split(" ");
  return Array.from({ length: Math.min(100, Math.max(1, list.length - 2)) }, (_, i) => list.slice(i, i + 3).join(" "));
}
