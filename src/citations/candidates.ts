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
const SEGMENT_WORDS = 5;
const SEGMENT_CHARACTERS = 6;
const SEGMENT_QUERY_WORDS = 3;
const MAX_SEGMENTS = 24;
const SEGMENT_HITS = 60;
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
 * By short segments that together cover the quote, each looked up by its longer words. A segment was looked up to the
 * end when the last hits no longer hold all its words. Each changed word can spoil one segment, and a chunk's edge
 * another: when more segments than that were looked up to the end, one of them has met any passage like the quote.
 */
export async function bySegments(
  store: ChunkStore,
  project: string,
  quote: Quote,
  filters: Filters,
  signal: AbortSignal,
): Promise<Candidates> {
  const segments = segmentsOf(quote);
  const ids = new Set<string>();
  let exhausted = 0;
  for (const query of segments.asked) {
    const hits = await store.byWords(project, query, { limit: SEGMENT_HITS, filters, signal });
    const full = hits.filter(({ coverage }) => coverage >= ALL_WORDS_COVERAGE);
    if (hits.length < SEGMENT_HITS || full.length < hits.length) exhausted++;
    for (const { id } of full) ids.add(id);
  }
  const spoilt = Math.floor(quote.keys.length * (1 - FUZZY_SIMILARITY)) + 1;
  return {
    found: ranked(quote, await store.chunks(project, { ids: [...ids] })),
    complete: exhausted > (spoilt * segments.asked.length) / Math.max(1, segments.of),
  };
}

function segmentsOf(quote: Quote): { asked: string[]; of: number } {
  const size = quote.unspaced ? SEGMENT_CHARACTERS : SEGMENT_WORDS;
  const all: string[] = [];
  for (let at = 0; at < quote.keys.length; at += size) {
    const keys = quote.keys.slice(at, at + size);
    const longer = keys.filter((key) => key.length > 3 && /[\p{L}\p{N}]/u.test(key));
    all.push(
      quote.unspaced
        ? plainWord(keys.join(""))
        : longer
            .sort((a, b) => b.length - a.length)
            .slice(0, SEGMENT_QUERY_WORDS)
            .map(plainWord)
            .join(" "),
    );
  }
  const telling = all.filter((query) => query.trim());
  const asked =
    telling.length <= MAX_SEGMENTS
      ? telling
      : Array.from({ length: MAX_SEGMENTS }, (_, i) => telling[Math.floor((i * telling.length) / MAX_SEGMENTS)]!);
  return { asked, of: all.length };
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
