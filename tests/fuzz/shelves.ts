import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Library } from "../../sandbox/readwise/library.js";
import { startReadwiseSandbox } from "../../sandbox/readwise/server.js";
import type { Services } from "../../src/app/services.js";
import type { Tool } from "../../src/catalog/define-tool.js";
import { createIdentifier } from "../../src/citations/bibliography/identifier.js";
import { createCitations } from "../../src/citations/citations.js";
import { createDrafts } from "../../src/citations/draft/drafts.js";
import { createPassages } from "../../src/citations/passages.js";
import { createQuotes } from "../../src/citations/quotes.js";
import { createRecords } from "../../src/citations/records.js";
import type { OpenIdentifier } from "../../src/ingest/identity.js";
import { createIngestion } from "../../src/ingest/ingestion.js";
import { createIngestJobs } from "../../src/ingest/jobs.js";
import { createReaderPool } from "../../src/ingest/reader-pool.js";
import { createLibrarySync } from "../../src/ingest/sync/sync.js";
import type { Fetcher } from "../../src/ingest/web/safe-fetch.js";
import { ShelfError } from "../../src/kernel/errors.js";
import { createLog } from "../../src/kernel/log.js";
import { createRetrieval } from "../../src/shelves/chunks/retrieval.js";
import { createSearch } from "../../src/shelves/chunks/search.js";
import { sqliteChunkStore } from "../../src/shelves/chunks/stores/sqlite.js";
import { localNotebooks } from "../../src/shelves/notebooks/backends/local.js";
import { createNotebooks } from "../../src/shelves/notebooks/notebooks.js";
import { httpReadwise } from "../../src/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../../src/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../../src/shelves/readwise/library/library.js";
import { fakeEmbedder, fakeEmbedders, fakeModel } from "../support/fake-embedders.js";
import { smallLibrary } from "../support/small-library.js";
import type { Known } from "./from-schema.js";

export const KEY = "fuzz-readwise-key";
export const PROJECT = "fuzz/project";

export interface Shelves {
  services: Services;
  /** Names and ids of things that exist, and other values that lead far into a tool. */
  knownTo(tool: Tool): Known;
  /** What was logged, a line each. */
  logged: string[];
  folder: string;
  close(): Promise<void>;
}

const DIMENSION = fakeModel().dimension;
const MOMENTS = ["2026-01-01T00:00:00Z", "2026-06-14", "2026-02-30", "+275760-09-13T00:00:00Z", "0000-01-01"];
const readers = createReaderPool();
/** The readers' processes serve every test of a file. */
export const closeReaders = () => readers.close();

/** All three shelves as they are at home, but for the model, the internet and the Readwise account behind them. */
export async function openShelves({ library }: { library?: Library } = {}): Promise<Shelves> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-fuzz-"));
  const small = smallLibrary();
  const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: library ?? small.library }, limits: false });
  const readwise = createReadwiseShelf({
    api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 5_000 }),
    cache: { enabled: true, maxBytes: 16 * 1024 * 1024, ttlMs: 300_000 },
    store: memoryCacheStore,
  });
  const store = sqliteChunkStore({ file: join(folder, "bookwheel.db") });
  // The fake cuts texts between spaces only, so no length may be too long for it.
  const embedders = fakeEmbedders(fakeEmbedder({ ...fakeModel(), max_tokens: Number.MAX_SAFE_INTEGER }));
  const logged: string[] = [];
  const log = createLog("warn", { write: (line) => logged.push(line) });
  const openIdentifier: OpenIdentifier = ({ root, assigned, signal }) =>
    createIdentifier({ bibliographyFiles: [], zotero: undefined, root, assigned, signal });
  const backend = localNotebooks({
    store,
    search: createSearch({ store, embedders }),
    embedders,
    readers,
    fetcher: onePage,
    llm: undefined,
  });
  const notebooks = createNotebooks({ backend });
  const retrieval = createRetrieval({ store, embedders, log });
  const ingestion = createIngestion({ store, embedders, readers, roots: [join(folder, "papers")], openIdentifier });

  const signal = AbortSignal.timeout(30_000);
  await ingestion.ensureProject(PROJECT);
  await ingestion.ingestTexts(
    PROJECT,
    [{ title: "On tides", text: "The moon pulls first. The shore answers later." }],
    {
      signal,
    },
  );
  const { id: notebook } = await notebooks.create("Tides", signal);
  const source = { source_type: "text", title: "On tides", text: "Water keeps no straight lines." } as const;
  await notebooks.addSource(notebook, source, signal);
  const [document] = await store.documents(PROJECT);
  const [inNotebook] = await backend.sources(notebook, signal);

  const passages = createPassages({ store });
  const { chunk_ids: chunkIds } = await passages.read(PROJECT, {
    source: document!.id,
    neighbours: 0,
    max_chars: 6000,
  });
  const tags = [...small.library.books.values(), ...small.library.highlights.values()].flatMap((tagged) =>
    tagged.tags.map(({ id }) => String(id)),
  );
  const highlights = [...small.library.highlights.keys()].map(String);
  const books = [...small.library.books.keys()].map(String);
  const documents = [...small.library.documents.keys()];
  return {
    services: {
      readwise,
      retrieval,
      notebooks,
      ingestion,
      librarySync: createLibrarySync({ store, embedders, readers, openIdentifier }),
      quotes: createQuotes({ store }),
      drafts: createDrafts({ quotes: createQuotes({ store }), store, search: createSearch({ store, embedders }) }),
      citations: createCitations({ store }),
      passages,
      records: createRecords({ store }),
      ingestJobs: createIngestJobs(),
      log,
    },
    knownTo: ({ name, shelf }) => ({
      project: [PROJECT],
      notebook_id: [notebook],
      source_id: shelf === "notebooks" ? [inNotebook!.id] : books,
      highlight_id: highlights,
      tag_id: tags,
      id: /highlight/.test(name) && !/video/.test(name) ? highlights : /source/.test(name) ? books : documents,
      doc_id: [document!.id],
      source: [document!.citekey, document!.id],
      sources: [document!.citekey],
      chunk_id: chunkIds,
      ids: chunkIds,
      embedding: [
        new Array(DIMENSION).fill(0.1),
        new Array(DIMENSION).fill(0),
        new Array(DIMENSION).fill(1e200),
        Array.from({ length: DIMENSION }, (_, i) => -i),
      ],
      quote: ["The moon pulls first. The shore answers later.", "the moon pulls last and the shore never answers"],
      url: ["https://example.org/page", "https://example.org/page#part", "http://example.org/%F0%9F", "mailto:a@b.c"],
      cursor: ["100", "eyJ9", "abc"],
      embed_model: ["fake-model", "all-MiniLM-L6-v2"],
      paths: [join(folder, "papers"), folder, "/etc/passwd", "../../.."],
      updated_after: MOMENTS,
      highlighted_at: MOMENTS,
    }),
    logged,
    folder,
    async close() {
      await readwise.close();
      await backend.close();
      await store.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The whole internet of these tests. */
const onePage: Fetcher = async (url) => {
  if (!URL.canParse(url)) throw new ShelfError("INVALID_URL", "That is no address.");
  const page = "<!doctype html><title>A page</title><body><article><p>The sea is one.</p></article></body>";
  return { bytes: new TextEncoder().encode(page), contentType: "text/html; charset=utf-8", url };
};
