import type { Embedder, Passage } from "../../src/shelves/chunks/embedding/embedder.js";
import { foldedWords } from "../../src/text/analysis.js";
import { fakeModel } from "./fake-embedders.js";

/**
 * A model that knows some ideas by the words for them: texts about the same ideas are near each other whatever their
 * words, and a text about none of them is near nothing.
 */
export function ideaEmbedder(...ideas: string[]): Embedder & { texts: string[]; failing: boolean } {
  const identity = fakeModel("idea-model", 128);
  const words = new Map(ideas.flatMap((idea, i) => idea.split(" ").map((word) => [word, i] as const)));
  const embedder = {
    identity,
    texts: [] as string[],
    failing: false,
    async embed(texts: readonly string[]) {
      if (embedder.failing) throw new Error("the model is away");
      return texts.map((text) => {
        embedder.texts.push(text);
        const vector = new Float32Array(identity.dimension);
        for (const word of foldedWords(text)) vector[words.get(word) ?? 64 + (hashOf(word) % 64)]! += 1;
        return vector;
      });
    },
    tokens: { by: "words" } as const,
    windows: async (passages: readonly Passage[]) =>
      passages.map(({ text, prefix }) => [prefix ? `${prefix}\n${text}` : text]),
    countTokens: async (text: string) => foldedWords(text).length,
    close: async () => {},
  };
  return embedder;
}

function hashOf(word: string): number {
  let hash = 7;
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
