import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createIdentifier } from "./citations/identity/identity.js";
import { createQuotes } from "./citations/quotes.js";
import type { Config } from "./config.js";
import { createIngestion } from "./ingest/ingestion.js";
import { createReaderPool } from "./ingest/reader-pool.js";
import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import type { Services } from "./services.js";
import { createEmbedders } from "./shelves/chunks/embedding/embedders.js";
import { sqliteChunkStore } from "./shelves/chunks/stores/sqlite.js";
import { httpReadwise } from "./shelves/readwise/backends/http.js";
import { createReadwiseShelf } from "./shelves/readwise/library.js";
import type { ReadyCheck } from "./transports/http.js";

/** Everything that runs, and how to stop it. */
export interface Assembled {
  services: Services;
  ready: Record<string, ReadyCheck>;
  close(): Promise<void>;
}

/** The only place that knows which adapter stands behind which port. */
export async function assemble(config: Config, log: Log, metrics: Metrics): Promise<Assembled> {
  mkdirSync(config.BOOKWHEEL_HOME, { recursive: true, mode: 0o700 });
  const readwise = createReadwiseShelf({
    api: httpReadwise({
      baseUrl: config.READWISE_API_URL!,
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
      observer: { request: metrics.upstream },
    }),
    cache: {
      enabled: config.CACHE_ENABLED,
      maxBytes: config.CACHE_MAX_SIZE_MB * 1024 * 1024,
      ttlMs: config.CACHE_TTL_SECONDS * 1000,
    },
    observe: (result) => metrics.cache({ result }),
  });
  metrics.gauge("bookwheel_cache_bytes", "Bytes the Readwise cache holds.", () => readwise.stats().bytes);

  const store = sqliteChunkStore({ file: join(config.BOOKWHEEL_HOME, "bookwheel.db") });
  const embedders = await createEmbedders({
    remote: config.BOOKWHEEL_EMBED_URL
      ? {
          url: config.BOOKWHEEL_EMBED_URL,
          model: config.BOOKWHEEL_EMBED_MODEL!,
          apiKey: config.BOOKWHEEL_EMBED_API_KEY,
        }
      : undefined,
  });
  const readers = createReaderPool();
  const ingestion = createIngestion({
    store,
    embedders,
    readers,
    roots: config.BOOKWHEEL_INGEST_ROOTS,
    openIdentifier: ({ root, assigned, signal }) =>
      createIdentifier({
        bibliographyFiles: config.BOOKWHEEL_BIBLIOGRAPHY,
        zotero: config.ZOTERO_URL ? { url: config.ZOTERO_URL } : undefined,
        root,
        assigned,
        signal,
      }),
  });
  const quotes = createQuotes({ store });

  return {
    services: { readwise, ingestion, quotes, log, observe: metrics.call },
    ready: {
      store: async () =>
        store.projects().then(
          () => undefined,
          (error: Error) => error.message,
        ),
      model: async () => (embedders.unavailable ? `degraded: words only, because ${embedders.unavailable}` : undefined),
    },
    async close() {
      await Promise.allSettled([readwise.close(), readers.close(), embedders.close()]);
      await store.close();
    },
  };
}

/** How to reach the owner's NotebookLM account. */
export function notebookAccount(config: Config) {
  return {
    profileDir: config.NOTEBOOKLM_PROFILE_PATH ?? join(config.BOOKWHEEL_HOME, "notebooklm-profile"),
    url: config.NOTEBOOKLM_URL,
    executablePath: config.NOTEBOOKLM_BROWSER,
  };
}
