import type { Embedder } from "../../src/shelves/chunks/embedding/embedder.js";
import type { DeclaredProject } from "../../src/shelves/chunks/project-file.js";
import { createProjects } from "../../src/shelves/chunks/projects.js";
import { createRetrieval } from "../../src/shelves/chunks/retrieval.js";
import type { Item } from "../../src/shelves/chunks/storing.js";
import { fakeEmbedder, fakeEmbedders } from "./fake-embedders.js";
import { memoryChunkStore } from "./memory-chunk-store.js";

/** A chunks shelf with the empty project `a`. */
export async function chunkShelf({
  embedders = [fakeEmbedder()],
  declared = [],
}: {
  embedders?: Embedder[];
  declared?: DeclaredProject[];
} = {}) {
  const store = memoryChunkStore();
  const models = fakeEmbedders(...embedders);
  const projects = createProjects({ store, embedders: models, declared });
  const retrieval = createRetrieval({ store, embedders: models, projects });
  await retrieval.createProject({ project: "a" });
  return { retrieval, store };
}

export const item = (id: string, text: string, more: Partial<Item> = {}): Item => ({ id, text, ...more });
export const vector = (dimension = 32) => Array.from({ length: dimension }, (_, i) => i + 1);
export const ask = { top_k: 6 };
