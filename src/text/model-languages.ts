import { isLatin } from "./language.js";

const MULTILINGUAL =
  /multilingual|bge-m3|labse|embeddinggemma|qwen3|nomic-embed-text-v2|jina-embeddings-v[34]|arctic-embed-[lm]-v2/i;
/** Models for one language often have its code in their name: bge-small-zh-v1.5. */
const OF_ONE_LANGUAGE = /[-_](ar|de|es|fa|fr|he|hi|it|ja|ko|nl|pl|pt|ru|sv|th|tr|uk|vi|zh)(?=[-_.]|$)/i;

/**
 * How well a model reads a question and a text in these languages: 1 all of it, 0 nothing. The built-in model, and any
 * whose name says nothing, reads English; of other Latin scripts it gets some, of the rest only letters. An unknown language is taken for the other one.
 */
export function readsBoth(model: string, queryLanguage: string | null, textLanguage: string): number {
  if (MULTILINGUAL.test(model)) return 1;
  const native = OF_ONE_LANGUAGE.exec(model)?.[1]?.toLowerCase() ?? "en";
  return Math.min(readsOf(queryLanguage ?? textLanguage, native), readsOf(textLanguage, native));
}

function readsOf(language: string, native: string): number {
  if (language === native) return 1;
  return isLatin(language) ? 0.4 : 0;
}
