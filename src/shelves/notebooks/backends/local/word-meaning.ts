import { LRUCache } from "lru-cache";
import { foldedWords } from "../../../../text/analysis.js";
import { isStopWord } from "../../../../text/stop-words.js";
import type { Embedder } from "../../../chunks/embedding/embedder.js";

const CACHED_WORDS = 5_000;
const known = new WeakMap<Embedder, LRUCache<string, Float32Array>>();

/** Vectors of single words, cached because the same words recur in many questions. */
export async function wordVectors(
  words: ReadonlySet<string>,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Map<string, Float32Array>> {
  const cache = known.get(embedder) ?? new LRUCache<string, Float32Array>({ max: CACHED_WORDS });
  known.set(embedder, cache);
  const missing = [...words].filter((word) => !cache.has(word));
  if (missing.length > 0) {
    const vectors = await embedder.embed(missing, { as: "passage", signal });
    for (const [i, word] of missing.entries()) cache.set(word, vectors[i]!);
  }
  return new Map([...words].flatMap((word) => (cache.has(word) ? [[word, cache.get(word)!] as const] : [])));
}

const LONGEST_WORD = 30;

/** The words of a text without stop words. */
export function contentWords(text: string, language: string | null): string[] {
  const words = foldedWords(text).filter(
    (word) => word.length > 2 && word.length <= LONGEST_WORD && !isStopWord(word, language ?? "en"),
  );
  return [...new Set(words)];
}
