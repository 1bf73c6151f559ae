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

const QUERY_WORDS = 10;
const WORD_HITS = 40;
const PHRASE_WORDS = 3;
const PHRASE_WORDS_UNSPACED = 6;
const MAX_PHRASES = 16;
const PHRASE_HITS = 100;
const MAX_CHUNKS = 80;

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
 * By short phrases that together cover the quote. Each changed word can spoil one phrase, and a chunk's edge another,
 * so when enough phrases were looked up to the end, one of them must have met any passage like the quote.
 */
export async function byPhrases(
  store: ChunkStore,
  project: string,
  quote: Quote,
  filters: Filters,
  signal: AbortSignal,
): Promise<Candidates> {
  const phrases = phrasesOf(quote);
  const hits = new Map<string, number>();
  const first: string[] = [];
  let whole = 0;
  for (const phrase of phrases.asked) {
    signal.throwIfAborted();
    const found = await store.byWords(project, `"${phrase}"`, { limit: PHRASE_HITS, filters, signal });
    if (found.length < PHRASE_HITS) whole++;
    for (const { id } of found) hits.set(id, (hits.get(id) ?? 0) + 1);
    first.push(...found.slice(0, 5).map(({ id }) => id));
  }
  const several = [...hits].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  const ids = [...new Set([...several.slice(0, MAX_CHUNKS).map(([id]) => id), ...first])];
  const spoilt = Math.floor(quote.keys.length * (1 - FUZZY_SIMILARITY)) + 1;
  return {
    found: ranked(quote, await store.chunks(project, { ids })),
    complete:
      several.length <= MAX_CHUNKS && whole > Math.ceil((spoilt * phrases.asked.length) / Math.max(1, phrases.of)),
  };
}

function phrasesOf(quote: Quote): { asked: string[]; of: number } {
  const size = quote.unspaced ? PHRASE_WORDS_UNSPACED : PHRASE_WORDS;
  const all: string[] = [];
  for (let at = 0; at + size <= quote.keys.length || (at === 0 && quote.keys.length > 0); at += size) {
    const keys = quote.keys.slice(at, at + size);
    all.push(keys.map(plainWord).join(quote.unspaced ? "" : " "));
  }
  const asked =
    all.length <= MAX_PHRASES
      ? all
      : Array.from({ length: MAX_PHRASES }, (_, i) => all[Math.floor((i * all.length) / MAX_PHRASES)]!);
  return { asked: asked.filter((phrase) => /[\p{L}\p{N}]/u.test(phrase)), of: all.length };
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
