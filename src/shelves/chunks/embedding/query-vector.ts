import type { Embedder } from "./embedder.js";
import { meanOf } from "./unit.js";

/** The middle of a question's wordings, as one direction; a wording longer than the model reads counts by its pieces. */
export async function queryVector(
  embedder: Embedder,
  wordings: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array> {
  const texts = await Promise.all([...new Set(wordings)].map((text) => readable(embedder, text)));
  const vectors = [...(await embedder.embed(texts.flat(), { as: "query", ...(signal ? { signal } : {}) }))];
  return meanOf(texts.map(({ length }) => meanOf(vectors.splice(0, length))));
}

/** Tokens around every text, at most. */
const SPECIAL = 4;

async function readable(embedder: Embedder, text: string): Promise<string[]> {
  const { max_tokens } = embedder.identity;
  // No token is shorter than a byte, so most questions need not be counted.
  if (Buffer.byteLength(text) + SPECIAL <= max_tokens || (await embedder.countTokens(text)) <= max_tokens)
    return [text];
  return (await embedder.windows([{ text, prefix: "" }])).flat();
}
