import type { Chunk } from "../../src/shelves/chunks/chunk-store.js";

export function bareChunk(known: Pick<Chunk, "id" | "text"> & Partial<Chunk>): Chunk;
