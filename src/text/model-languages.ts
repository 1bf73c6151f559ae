import { isLatin } from "./language.js";

const MULTILINGUAL = /multilingual|bge-m3|labse|embeddinggemma|qwen3|nomic-embed-text-v2|jina-embeddings-v3/i;

/**
 * How well a model reads a question and a text in these languages: 1 all of it, 0 nothing. The built-in model reads
 * English; of other Latin scripts it gets some, of the rest only letters. An unknown language is taken for the other one.
 */
export function readsBoth(model: string, queryLanguage: string | null, textLanguage: string): number {
  if (MULTILINGUAL.test(model)) return 1;
  return Math.min(readsOf(queryLanguage ?? textLanguage), readsOf(textLanguage));
}

function readsOf(language: string): number {
  if (language === "en") return 1;
  return isLatin(language) ? 0.4 : 0;
}
