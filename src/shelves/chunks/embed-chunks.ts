import type { StoredChunk } from "./chunk-store.js";
import type { Embedder } from "./embedding/embedder.js";

/** Vectors of chunks, one per window; title and nearest headings stand in front of each, because a passage seldom names its subject. */
export async function embedChunks(
  embedder: Embedder,
  chunks: readonly Pick<StoredChunk, "text" | "title" | "section_path">[],
  signal?: AbortSignal,
): Promise<Float32Array[][]> {
  const windows = await embedder.windows(
    chunks.map(({ text, title, section_path }) => ({
      text,
      prefix: [title, ...section_path.slice(-2)].filter(Boolean).join("\n"),
    })),
  );
  const vectors = await embedder.embed(windows.flat(), { as: "passage", ...(signal ? { signal } : {}) });
  let taken = 0;
  return windows.map((texts) => {
    taken += texts.length;
    return vectors.slice(taken - texts.length, taken);
  });
}
