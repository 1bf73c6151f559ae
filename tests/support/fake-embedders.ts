import type { Embedder, Embedders, ModelIdentity, Passage } from "../../src/shelves/chunks/embedding/embedder.js";
import { foldedWords } from "../../src/text/analysis.js";

export function fakeModel(id = "fake-model", dimension = 32): ModelIdentity {
  return { id, dimension, pooling: "mean", max_tokens: 40, weights_sha256: null };
}

/** Words hashed into a vector: texts that share words are near each other, the same text is always the same vector. */
export function fakeEmbedder(identity: ModelIdentity = fakeModel()): Embedder & { calls: string[] } {
  const calls: string[] = [];
  return {
    identity,
    calls,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      return texts.map((text) => {
        if (foldedWords(text).length > identity.max_tokens) throw new Error(`too long for the model: ${text}`);
        calls.push(text);
        return hashed(text, identity);
      });
    },
    tokens: { by: "words" },
    windows: async (passages) => passages.map(windowsOf),
    countTokens: async (text) => foldedWords(text).length,
    close: async () => {},
  };
}

function windowsOf({ text, prefix }: Passage): string[] {
  const words = text.split(/\s+/);
  const lead = prefix ? `${prefix}\n` : "";
  const windows: string[] = [];
  for (let start = 0; start < words.length; start += 20) windows.push(lead + words.slice(start, start + 20).join(" "));
  return windows;
}

function hashed(text: string, { id, dimension }: ModelIdentity): Float32Array {
  const vector = new Float32Array(dimension).fill(0.01);
  for (const word of foldedWords(text)) {
    let hash = id.length;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
    vector[hash % dimension] = (vector[hash % dimension] ?? 0) + 1;
  }
  return vector;
}

/** The first one is preferred; none at all is a server that searches by words only. */
export function fakeEmbedders(...embedders: Embedder[]): Embedders {
  return {
    get preferred() {
      return embedders[0]?.identity;
    },
    get unavailable() {
      return embedders.length > 0 ? undefined : "No model is installed.";
    },
    get: (wanted) =>
      embedders.find(
        ({ identity }) => identity.id === wanted.id && (wanted.dimension ?? identity.dimension) === identity.dimension,
      ),
    list: () => embedders.map(({ identity }) => identity),
    close: async () => {},
  };
}
