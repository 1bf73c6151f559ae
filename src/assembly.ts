import "./app/heap.js"; // first of all that runs here
import { join } from "node:path";
import type { Services } from "./app/services.js";
import type { Citations } from "./citations/citations.js";
import { fileCitedLog } from "./citations/cited-log.js";
import type { Drafts } from "./citations/draft/drafts.js";
import type { ParseDraft, ParsedDraft } from "./citations/draft/parse.js";
import { createPassages } from "./citations/passages.js";
import type { Quotes } from "./citations/quotes.js";
import { createRecords } from "./citations/records.js";
import type { Config } from "./config/config.js";
import { fileBibliographyMemory } from "./ingest/bibliography-memory.js";
import type { OpenIdentifier } from "./ingest/identity.js";
import type { Ingestion } from "./ingest/ingestion.js";
import { createIngestJobs } from "./ingest/jobs.js";
import { openOcr } from "./ingest/ocr.js";
import { createReaderPool, type Readers } from "./ingest/reader-pool.js";
import type { LibrarySync } from "./ingest/sync/sync.js";
import { createFetcher, type Fetcher } from "./ingest/web/safe-fetch.js";
import type { ZoteroImport } from "./ingest/zotero-import.js";
import type { Log } from "./kernel/log.js";
import { makeFolder } from "./kernel/make-folder.js";
import type { Metrics } from "./kernel/metrics.js";
import { moduleUrl } from "./kernel/module-url.js";
import { lazily } from "./kernel/once.js";
import type { RedisLink } from "./redis/redis-link.js";
import type { ChunkStore } from "./shelves/chunks/chunk-store.js";
import type { Embedders } from "./shelves/chunks/embedding/embedder.js";
import { createEmbedders } from "./shelves/chunks/embedding/embedders.js";
import { readProjectFile } from "./shelves/chunks/project-file.js";
import { createProjects } from "./shelves/chunks/projects.js";
import { createRetrieval } from "./shelves/chunks/retrieval.js";
import { createSearch } from "./shelves/chunks/search.js";
import { createDotKernel } from "./shelves/chunks/stores/sqlite/dot-kernel.js";
import { sqliteChunkStore } from "./shelves/chunks/stores/sqlite.js";
import { sqliteMeaningStore } from "./shelves/chunks/stores/sqlite-meaning.js";
import { createLlm } from "./shelves/notebooks/backends/local/llm.js";
import { localNotebooks } from "./shelves/notebooks/backends/local.js";
import { withProjects } from "./shelves/notebooks/backends/with-projects.js";
import { memoryRateLimiter } from "./shelves/notebooks/limits/rate-limiter.js";
import { redisRateLimiter } from "./shelves/notebooks/limits/redis.js";
import type { NotebookBackend } from "./shelves/notebooks/notebook-backend.js";
import { createNotebooks } from "./shelves/notebooks/notebooks.js";
import { sourceFiles } from "./shelves/notebooks/source-files.js";
import { httpReadwise } from "./shelves/readwise/backends/http.js";
import { memoryCacheStore } from "./shelves/readwise/cache/stores/memory.js";
import { redisCacheStore } from "./shelves/readwise/cache/stores/redis.js";
import { createReadwiseShelf } from "./shelves/readwise/library/library.js";
import { createMeaning, type Meaning } from "./shelves/readwise/meaning/meaning.js";
import type { MeaningStore } from "./shelves/readwise/meaning/meaning-store.js";
import type { ReadyCheck } from "./transports/http.js";

/** Everything that runs, and how to stop it. */
export interface Assembled {
  services: Services;
  ready: Record<string, ReadyCheck>;
  /** The folder of uploaded files; undefined if uploads are off. */
  uploads: string | undefined;
  /** Folders of declared projects that a server keeps them in step with. */
  watched: { project: string; paths: readonly string[] }[];
  zotero: ZoteroImport;
  close(): Promise<void>;
}

/** The only place that knows which adapter implements which port. */
export async function assemble(config: Config, log: Log, metrics: Metrics): Promise<Assembled> {
  // The program's data is private to its owner, whatever the permissions of the folder.
  process.umask(0o077);
  makeFolder(config.BOOKWHEEL_HOME);
  const redis = await openLink(config, log);
  if (redis) metrics.gauge("bookwheel_redis_up", "1 while Redis is in use, 0 without it.", () => (redis.up ? 1 : 0));
  const { store, storeProblem } = await openStore(config);
  const embedders = await createEmbedders({
    ownDir: config.BOOKWHEEL_EMBED_MODEL_DIR,
    remote: remoteModel(config),
    hashes: join(config.BOOKWHEEL_HOME, "model-hashes.json"),
  });
  const ocr = config.BOOKWHEEL_OCR
    ? await openOcr(config.BOOKWHEEL_OCR, { folder: join(config.BOOKWHEEL_HOME, "ocr"), ...config.programs })
    : undefined;
  const readers = createReaderPool({ ocr });
  const readwise = readwiseShelf(config, log, metrics, readers, redis, await meaningOf(config, embedders, log, redis));
  const declared = readProjectFile(join(config.BOOKWHEEL_HOME, "projects.json"));
  const projects = createProjects({ store, embedders, declared });
  const retrieval = createRetrieval({
    store,
    embedders,
    projects,
    log,
    maxTopK: config.CHUNK_MAX_TOP_K,
    maxCharsPerChunk: config.CHUNK_MAX_CHARS,
  });
  const fetcher = createFetcher({ allowPrivate: config.BOOKWHEEL_ALLOW_PRIVATE_URLS });
  const backend = await notebookBackend(config, { store, embedders, readers, fetcher });
  const limited = config.NOTEBOOK_RATE_LIMITS ?? backend.name === "google";
  const notebooks = createNotebooks({
    backend,
    limits: limited ? (redis ? redisRateLimiter({ link: redis }) : memoryRateLimiter()) : undefined,
    readSourceFile: sourceFiles(readableFolders(config)),
    timeoutSeconds: config.NOTEBOOKLM_TIMEOUT,
  });
  const openIdentifier: OpenIdentifier = async ({ root, assigned, bibliographies, signal }) =>
    (await import("./citations/bibliography/identifier.js")).createIdentifier({
      bibliographyFiles: config.BOOKWHEEL_BIBLIOGRAPHY,
      bibliographies,
      zotero: config.ZOTERO_URL ? { url: config.ZOTERO_URL } : undefined,
      root,
      assigned,
      signal,
    });
  const ingestion = lazily<Ingestion>(async () =>
    (await import("./ingest/ingestion.js")).createIngestion({
      store,
      projects,
      embedders,
      readers,
      roots: readableFolders(config),
      openIdentifier,
      fetcher,
      ocr,
      memory: fileBibliographyMemory(join(config.BOOKWHEEL_HOME, "bibliographies.json")),
    }),
  );

  const ingestJobs = createIngestJobs({ log });
  const quotes = lazily<Quotes>(async () =>
    (await import("./citations/quotes.js")).createQuotes({
      store,
      projects,
      notebooksElsewhere: backend.name === "google",
    }),
  );

  return {
    services: {
      readwise,
      retrieval,
      notebooks,
      ingestion,
      ingestJobs,
      librarySync: lazily<LibrarySync>(async () =>
        (await import("./ingest/sync/sync.js")).createLibrarySync({
          store,
          projects,
          embedders,
          readers,
          openIdentifier,
        }),
      ),
      quotes,
      drafts: lazily<Drafts>(async () =>
        (await import("./citations/draft/drafts.js")).createDrafts({
          quotes,
          store,
          search: createSearch({ store, embedders }),
          parse: draftParser(readers),
        }),
      ),
      citations: lazily<Citations>(async () =>
        (await import("./citations/citations.js")).createCitations({
          store,
          projects,
          log: fileCitedLog(join(config.BOOKWHEEL_HOME, "cited.jsonl")),
        }),
      ),
      passages: createPassages({ store, projects }),
      records: createRecords({ store, projects }),
      log,
      observe: metrics.call,
      deadline: (tool) => (tool.shelf === "notebooks" ? notebooks.deadlineFor(tool.name) : undefined),
    },
    uploads:
      config.READ_ONLY || config.shelves.every((shelf) => shelf === "readwise") ? undefined : uploadFolder(config),
    zotero: lazily<ZoteroImport>(async () =>
      (await import("./ingest/zotero-import.js")).createZoteroImport({ store, projects, embedders, ingestion }),
    ),
    watched: declared.flatMap(({ project, folders = [] }) => (folders.length > 0 ? [{ project, paths: folders }] : [])),
    ready: {
      store: storeProblem,
      model: async () => (embedders.unavailable ? `degraded: words only, because ${embedders.unavailable}` : undefined),
      ...(redis ? { redis: async () => redis.problem() } : {}),
    },
    async close() {
      await ingestJobs.close();
      await Promise.allSettled([
        readwise.close(),
        retrieval.close(),
        backend.close(),
        readers.close(),
        embedders.close(),
      ]);
      await redis?.close();
      await store.close();
    },
  };
}

/** What replicas share; undefined where the owner named no Redis. */
export async function openLink(config: Config, log: Log): Promise<RedisLink | undefined> {
  if (!config.REDIS_URL) return undefined;
  return (await import("./redis/redis-link.js")).openRedis({ url: config.REDIS_URL, log });
}

/** Drafts are read where documents are: by a process that may take its time, or be stopped. */
function draftParser(readers: Pick<Readers, "run">): ParseDraft {
  const module = moduleUrl("./citations/draft/parse.js", import.meta.url);
  return (draft, options, signal) =>
    readers.run<ParsedDraft>({ module, name: "parseDraft", args: [draft, options] }, draft.length, signal);
}

/** The folder of uploaded files. */
const uploadFolder = (config: Config) => join(config.BOOKWHEEL_HOME, "files");
const readableFolders = (config: Config) => [...config.BOOKWHEEL_INGEST_ROOTS, uploadFolder(config)];

/** Chunks and notebooks live in one place: a file of this machine, or Qdrant. */
async function openStore(config: Config): Promise<{ store: ChunkStore; storeProblem: ReadyCheck }> {
  const messageOf = (error: Error) => error.message;
  if (config.QDRANT_URL) {
    const store = await qdrantStore(config, config.QDRANT_URL);
    return { store, storeProblem: () => store.ping().then(() => undefined, messageOf) };
  }
  const store = sqliteStore(config);
  return {
    store,
    storeProblem: () =>
      store
        .projects()
        .then(() => store.health())
        .catch(messageOf),
  };
}

const sqliteStore = (config: Config) => sqliteChunkStore({ file: join(config.BOOKWHEEL_HOME, "bookwheel.db") });

async function qdrantStore(config: Config, url: string) {
  const { qdrantChunkStore } = await import("./shelves/chunks/stores/qdrant.js");
  return qdrantChunkStore({ url, apiKey: config.QDRANT_API_KEY });
}

/** A store by its name, to copy projects between stores; undefined if it is not configured. */
export async function storeNamed(config: Config, name: "sqlite" | "qdrant"): Promise<ChunkStore | undefined> {
  if (name === "sqlite") return sqliteStore(config);
  return config.QDRANT_URL ? qdrantStore(config, config.QDRANT_URL) : undefined;
}

/** Search by meaning over Readwise; undefined if it is switched off. */
async function meaningOf(
  config: Config,
  embedders: Embedders,
  log: Log,
  redis: RedisLink | undefined,
): Promise<Meaning | undefined> {
  if (!config.READWISE_MEANING || !config.CACHE_ENABLED || !config.BOOKWHEEL_SHELVES.includes("readwise"))
    return undefined;
  return createMeaning({
    embedders,
    store: await openMeaningStore(config, redis),
    kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
    log,
  });
}

/** The vectors of highlights and documents in the data folder, shared by replicas where there is a Redis. */
export async function openMeaningStore(config: Config, redis: RedisLink | undefined): Promise<MeaningStore> {
  const own = sqliteMeaningStore({
    file: join(config.BOOKWHEEL_HOME, "meaning.db"),
    maxBytes: config.READWISE_MEANING_MAX_MB * 1024 * 1024,
  });
  if (!redis) return own;
  const { sharedMeaningStore } = await import("./shelves/readwise/meaning/shared-store.js");
  return sharedMeaningStore(own, redis);
}

function readwiseShelf(
  config: Config,
  log: Log,
  metrics: Metrics,
  readers: Pick<Readers, "htmlText" | "htmlMarkdown">,
  redis: RedisLink | undefined,
  meaning: Meaning | undefined,
) {
  const shelf = createReadwiseShelf({
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
    store:
      redis && config.CACHE_ENABLED
        ? ({ limit }) => redisCacheStore({ link: redis, limit, clock: Date.now })
        : memoryCacheStore,
    meaning,
    log,
    htmlText: readers.htmlText,
    htmlMarkdown: readers.htmlMarkdown,
    observe: (result) => metrics.cache({ result }),
  });
  metrics.gauge("bookwheel_cache_bytes", "Bytes the Readwise cache holds.", () => shelf.stats().bytes);
  return shelf;
}

function remoteModel(config: Config) {
  if (!config.BOOKWHEEL_EMBED_URL) return undefined;
  return {
    url: config.BOOKWHEEL_EMBED_URL,
    model: config.BOOKWHEEL_EMBED_MODEL!,
    apiKey: config.BOOKWHEEL_EMBED_API_KEY,
  };
}

interface NotebookParts {
  store: ChunkStore;
  embedders: Embedders;
  readers: Readers;
  fetcher: Fetcher;
}

async function notebookBackend(config: Config, parts: NotebookParts): Promise<NotebookBackend> {
  const here = notebooksHere(config, parts);
  if (config.NOTEBOOK_BACKEND !== "google") return here;
  // The browser driver is slow to load: it is loaded only when used.
  const { googleNotebooks } = await import("./shelves/notebooks/backends/google/backend.js");
  const google = googleNotebooks({ ...notebookAccount(config), timeoutSeconds: config.NOTEBOOKLM_TIMEOUT });
  return withProjects(google, { here, store: parts.store });
}

function notebooksHere(config: Config, parts: NotebookParts): NotebookBackend {
  const llm = config.BOOKWHEEL_LLM_URL
    ? createLlm({
        url: config.BOOKWHEEL_LLM_URL,
        model: config.BOOKWHEEL_LLM_MODEL!,
        apiKey: config.BOOKWHEEL_LLM_API_KEY,
        // A slow model must leave time for the extractive answer.
        ...(config.NOTEBOOKLM_TIMEOUT ? { timeoutMs: config.NOTEBOOKLM_TIMEOUT * 750 } : {}),
      })
    : undefined;
  return localNotebooks({ ...parts, search: createSearch(parts), llm });
}

/** How to reach the owner's NotebookLM account. */
export function notebookAccount(config: Config) {
  return {
    profileDir: config.NOTEBOOKLM_PROFILE_PATH ?? join(config.BOOKWHEEL_HOME, "notebooklm-profile"),
    url: config.NOTEBOOKLM_URL,
    executablePath: config.NOTEBOOKLM_BROWSER,
    authuser: config.NOTEBOOKLM_AUTHUSER,
  };
}
