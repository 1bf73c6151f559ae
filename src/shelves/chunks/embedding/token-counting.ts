import { oncePerKey } from "../../../kernel/once.js";
import type { TokenCounting } from "./embedder.js";
import { loadTokenizer } from "./tokenizer.js";

const tokenizerOf = oncePerKey(loadTokenizer);

/** Counts the tokens of a text alone, without the marks a model puts around it. */
export function tokenCounter(counting: TokenCounting): (text: string) => number {
  if (counting.by === "letters") return estimateTokens;
  if (counting.by === "words") return countWords;
  return tokenizerOf(counting.file).count;
}

/** About 3 letters per token in Latin script, 1 or 2 elsewhere: more than any tokenizer in use is likely to count. */
export function estimateTokens(text: string): number {
  let thirds = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) thirds += /[a-z ]/i.test(character) ? 1 : 2;
    else if (code < 0x0250) thirds += 2;
    else if (code < 0x2e80) thirds += 3;
    else thirds += code < 0x10000 ? 5 : 9;
  }
  return Math.ceil(thirds / 3);
}

/** Where no model is at hand. */
function countWords(text: string): number {
  const words = text.match(/\S+/g)?.length ?? 0;
  return Math.ceil(Math.max(words * 1.3, text.length / 5));
}
