import type { StoredChunk } from "./chunk-store.js";
import type { Embedder } from "./embedding/embedder.js";
import { tableLead } from "./shown-text.js";

type Embedded = Pick<StoredChunk, "text" | "title" | "section_path" | "metadata">;

/** Stands in front of every window of a chunk, because a passage seldom names its subject. */
export const leadOf = (chunk: Omit<Embedded, "text">): string =>
  [chunk.title, ...chunk.section_path.slice(-2), ...tableLead(chunk)].filter(Boolean).join("\n");

/** Vectors of chunks, one per window. */
export async function embedChunks(
  embedder: Embedder,
  chunks: readonly Embedded[],
  signal?: AbortSignal,
): Promise<Float32Array[][]> {
  const windows = await embedder.windows(chunks.map((chunk) => ({ text: chunk.text, prefix: leadOf(chunk) })));
  const vectors = await embedder.embed(windows.flat(), { as: "passage", signal });
  let taken = 0;
  return windows.map((texts) => {
    taken += texts.length;
    return vectors.slice(taken - texts.length, taken);
  });
}
