import type { Chunk, ChunkStore, DocumentRecord, NewProject } from "../../src/shelves/chunks/chunk-store.js";
import type { ModelIdentity } from "../../src/shelves/chunks/embedding/embedder.js";
import { bareChunk } from "./bare-chunk.mjs";

export const testModel: ModelIdentity = {
  id: "test-model",
  dimension: 8,
  pooling: "mean",
  max_tokens: 256,
  weights_sha256: null,
};

export function project(id: string, change: Partial<NewProject> = {}): NewProject {
  return { id, kind: "project", name: id, description: null, model: testModel, hybrid_enabled: true, ...change };
}

/** A vector of eight dimensions that leans towards one of them. */
export function towards(axis: number, others = 0.1): Float32Array {
  return Float32Array.from({ length: 8 }, (_, i) => (i === axis ? 1 : others));
}

let serial = 0;
export function passage(change: Partial<Chunk> = {}): Chunk {
  return bareChunk({
    id: `chunk-${++serial}`,
    text: "Entities and value objects are distinct.",
    vectors: [towards(0)],
    ...change,
  });
}

export function documentOf(change: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    id: "doc-1",
    title: "Clean Architecture",
    citekey: "martin2017",
    kind: "text",
    origin: null,
    sha256: "0".repeat(64),
    chunk_count: 0,
    char_count: 12,
    language: "en",
    csl: { type: "book", title: "Clean Architecture" },
    added_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    extra: { mtime: 7 },
    text: "Hello world.",
    pages: [{ number: 1, label: "i", start: 0, end: 12 }],
    headings: [{ level: 1, title: "Hello", start: 0 }],
    edits: [{ at: 3, length: 1, original: "-\n" }],
    ...change,
  };
}

/** Both searches of a store, as the ids they find. */
export function searches(store: () => ChunkStore) {
  const ids = async (hits: Promise<{ id: string }[]>) => (await hits).map(({ id }) => id);
  return {
    ids,
    words: (query: string, filters = {}, id = "a") => ids(store().byWords(id, query, { limit: 10, filters })),
    meaning: (vector: Float32Array, filters = {}, id = "a") =>
      ids(store().byMeaning(id, vector, { limit: 10, filters })),
  };
}
