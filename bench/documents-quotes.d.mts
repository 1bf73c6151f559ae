import type { createQuotes } from "../src/citations/quotes.js";
import type { cutDocument, recipeFor } from "../src/ingest/cutting.js";
import type { ReadDocument } from "../src/ingest/document.js";
import type { toChunks } from "../src/ingest/to-chunks.js";
import type { ChunkStore } from "../src/shelves/chunks/chunk-store.js";

export function checkQuotes(
  modules: {
    openStore: () => ChunkStore;
    createQuotes: typeof createQuotes;
    cutDocument: typeof cutDocument;
    recipeFor: typeof recipeFor;
    toChunks: typeof toChunks;
  },
  read: ReadDocument,
  quotes: readonly { page: number; text: string }[],
): Promise<{ all: number; kept: number; fooled: number; failed: string[] }>;
