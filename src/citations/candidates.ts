import type { ChunkStore, Filters, StoredChunk } from "../shelves/chunks/chunk-store.js";
import { normalise } from "./normalise.js";
import type { Quote } from "./quote.js";
import { FUZZY_SIMILARITY } from "./search-text.js";

export interface Candidate {
  chunk: StoredChunk;
  /** How many short stretches of the quote stand in it word for word. */
  score: number;
}
/** Chunks the quote may come from, the most promising first. */
export interface Candidates {
  found: Candidate[];
  /** Whether a passage at least as like the quote as "fuzzy" asks for must be among them. */
  complete: boolean;
}

const QUERY_WORDS = 6;
const WORD_HITS = 40;
const GROUP_HITS = 200;
const MAX_GROUPS = 40;
/** A chunk up to twice the usual length that holds every word once reaches this share of the best score (BM25, k1 1.2, b 0.75). */
const ALL_WORDS_COVERAGE = 0.3;

/** By the quote's rarer words, any of them. Length stands in for rarity: the store knows frequencies, the port does not tell. */
export async function byRareWords(
  store: ChunkStore,
  project: string,
  quote: Quote,
  filters: Filters,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const query = quote.unspaced
    ? quote.keys.slice(0, 4 * QUERY_WORDS).join("")
    : [...new Set(quote.keys.filter((key) => /[\p{L}\p{N}]/u.test(key)))]
        .sort((a, b) => b.length - a.length)
        .slice(0, QUERY_WORDS)
        .map(plainWord)
        .join(" ");
  if (!query.trim()) return [];
  const hits = await store.byWords(project, query, { limit: WORD_HITS, filters, signal });
  return ranked(quote, await store.chunks(project, { ids: hits.map(({ id }) => id) }));
}

/**
 * By each of the quote's telling words, and where a word is too common to follow up, by pairs of such words. What was
 * followed up to the end is a net of its own: each changed word can tear one, and a chunk's edge one made of two words.
 * With more nets than that, none of which caught a passage, there is no passage like the quote.
 */
export async function byEveryWord(
  store: ChunkStore,
  project: string,
  quote: Quote,
  signal: AbortSignal,
): Promise<Candidates> {
  const ids = new Set<string>();
  const nets = { words: 0, pairs: 0 };
  let asked = 0;
  const cast = async (words: readonly string[]) => {
    asked++;
    const hits = await store.byWords(project, words.join(" "), { limit: GROUP_HITS, signal });
    const full = hits.filter(({ coverage }) => words.length === 1 || coverage >= ALL_WORDS_COVERAGE);
    if (hits.length === GROUP_HITS && full.length === hits.length) return false;
    nets[words.length === 1 ? "words" : "pairs"]++;
    for (const { id } of full) ids.add(id);
    return true;
  };
  const common: string[] = [];
  for (const word of tellingWords(quote)) {
    if (asked >= MAX_GROUPS) break;
    if (!(await cast([word]))) common.push(word);
  }
  for (let i = 0; i + 1 < common.length && asked < MAX_GROUPS; i += 2) await cast(common.slice(i, i + 2));
  const changed = Math.floor(quote.keys.length * (1 - FUZZY_SIMILARITY));
  return {
    found: ranked(quote, await store.chunks(project, { ids: [...ids] })),
    complete: nets.words + Math.max(0, nets.pairs - 1) > changed,
  };
}

/** Distinct words worth looking up, longest first; of an unspaced script, pairs of characters. */
function tellingWords({ keys, unspaced }: Quote): string[] {
  if (unspaced) {
    const text = keys.filter((key) => /[\p{L}\p{N}]/u.test(key));
    return [...new Set(text.flatMap((_, i) => (i % 2 === 0 && text[i + 1] ? [`${text[i]}${text[i + 1]}`] : [])))];
  }
  return [...new Set(keys.filter((key) => key.length > 3 && /[\p{L}\p{N}]/u.test(key)).map(plainWord))].sort(
    (a, b) => b.length - a.length,
  );
}

/** Nothing in it that a query would read as syntax. */
function plainWord(key: string): string {
  return key.replace(/["*“”„«»]/g, " ");
}

/** Chunks by how many three-word stretches of the quote they hold. */
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
