import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { createDrafts, type Drafts } from "../citations/draft/drafts.js";
import { createQuotes } from "../citations/quotes.js";
import { createIngestion } from "../ingest/ingestion.js";
import { createReaderPool } from "../ingest/reader-pool.js";
import type { IngestSummary } from "../ingest/summary.js";
import { type Embedders, NO_MODEL } from "../shelves/chunks/embedding/embedder.js";
import { createSearch } from "../shelves/chunks/search.js";
import { sqliteChunkStore } from "../shelves/chunks/stores/sqlite.js";

const PROJECT = "sources";

/** Quotes are compared by characters: no model is needed for that. */
const NO_MODELS: Embedders = {
  preferred: undefined,
  unavailable: undefined,
  get: () => undefined,
  list: () => [],
  close: async () => {},
};

interface TemporarySources extends AsyncDisposable {
  drafts: Drafts;
  summary: IngestSummary;
}

/** Files read for one run: their store lies in a folder of its own that goes with it, and no project has to be there. */
export async function readTemporarySources({
  paths,
  bibliographies,
  signal,
  progress,
}: {
  paths: readonly string[];
  bibliographies: readonly string[];
  signal?: AbortSignal;
  progress?: (done: number, total?: number, message?: string) => void;
}): Promise<TemporarySources> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-sources-"));
  const store = sqliteChunkStore({ file: join(folder, "sources.db") });
  const readers = createReaderPool();
  const close = async () => {
    await readers.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ingestion = createIngestion({
      store,
      embedders: NO_MODELS,
      readers,
      openIdentifier: ({ root, assigned, bibliographies: found }) =>
        createIdentifier({ bibliographyFiles: bibliographies, bibliographies: found, root, assigned, signal }),
    });
    await store.createProject({
      id: PROJECT,
      kind: "project",
      name: PROJECT,
      description: null,
      model: NO_MODEL,
      hybrid_enabled: true,
    });
    const summary = await ingestion.ingestPaths(PROJECT, [...paths], {
      ...(signal ? { signal } : {}),
      ...(progress ? { progress } : {}),
    });
    const quotes = createQuotes({ store });
    const drafts = createDrafts({ quotes, store, search: createSearch({ store, embedders: NO_MODELS }) });
    return { drafts, summary, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
