import { ShelfError } from "../../../kernel/errors.js";
import type { Log } from "../../../kernel/log.js";
import { lazyParts } from "../../../kernel/once.js";
import { steadyNow } from "../../../kernel/time.js";
import { htmlToMarkdown } from "../../../text/html-markdown.js";
import { htmlToText } from "../../../text/html-text.js";
import {
  type CacheResult,
  cacheKey,
  hashOfKey,
  journalName,
  READER_TAGS,
  type Remembering,
  remembered,
} from "../cache/cache.js";
import type { CacheStore } from "../cache/cache-store.js";
import { createDatasets } from "../cache/datasets.js";
import { createMemoryLimit, type MemoryLimit } from "../cache/memory-limit.js";
import { createFlights } from "../cache/single-flight.js";
import type { Meaning } from "../meaning/meaning.js";
import type { ReadwiseApi } from "../readwise-api.js";
import { bulkPart } from "./bulk.js";
import { documentsPart } from "./documents.js";
import { exportingPart } from "./export.js";
import { highlightsPart } from "./highlights.js";
import { type InReaderPart, inReader } from "./in-reader.js";
import { quotablePart } from "./quotable.js";
import { searchingPart } from "./search.js";
import type { Shared } from "./shared.js";
import { syncingPart } from "./sync-pages.js";
import { videosPart } from "./videos.js";
import { writingPart } from "./writing.js";

const DAY_MS = 24 * 3600_000;

export interface ReadwiseShelfOptions {
  /** The Readwise API for a key. */
  api: (key: string) => ReadwiseApi;
  cache: { enabled: boolean; maxBytes: number; ttlMs: number };
  clock?: () => number;
  /** Opens the store of cached bytes. */
  store: (own: { limit: MemoryLimit; clock: () => number }) => CacheStore;
  /** Search by meaning; without it only words are searched. */
  meaning?: Meaning | undefined;
  log?: Log | undefined;
  /** Converts untrusted HTML to text; a server does it in a separate process. */
  htmlText?: (html: string, signal: AbortSignal) => Promise<string>;
  htmlMarkdown?: (html: string, signal: AbortSignal) => Promise<string>;
  /** Called with the result of every cache lookup. */
  observe?: (result: CacheResult) => void;
}

export type ReadwiseShelf = ReturnType<typeof createReadwiseShelf>;

/** Built for every call, of which each uses one or two parts. */
function createLibrary(shared: Shared) {
  const parts = lazyParts({
    documents: () => documentsPart(shared),
    highlights: () => highlightsPart(shared),
    searching: () => searchingPart(shared),
    reader: (): InReaderPart => inReader(shared, parts.documents, parts.highlights),
    writing: (): ReturnType<typeof writingPart> => writingPart(shared, parts.documents, parts.highlights, parts.reader),
    bulk: (): ReturnType<typeof bulkPart> => bulkPart(shared, parts.documents),
    videos: (): ReturnType<typeof videosPart> => videosPart(shared, parts.documents, parts.highlights, parts.reader),
    exporting: () => exportingPart(shared),
    quoting: () => quotablePart(shared),
    syncing: () => syncingPart(shared),
  });
  return parts;
}

/** One user's Readwise and Reader: the rules of the tools, over the API and its cache. */
export type Library = ReturnType<typeof createLibrary>;

export function createReadwiseShelf({
  api,
  cache,
  clock = steadyNow,
  store: openStore,
  meaning,
  log,
  htmlText = htmlToText,
  htmlMarkdown = htmlToMarkdown,
  observe = () => {},
}: ReadwiseShelfOptions) {
  const maxBytes = cache.enabled ? cache.maxBytes : 0;
  const limit = createMemoryLimit(maxBytes, clock);
  const store = openStore({ limit, clock });
  const flights = createFlights(() => observe("shared"));
  const closing = new AbortController();
  const datasets = createDatasets({
    store,
    flights,
    limit,
    clock,
    ttlMs: cache.ttlMs,
    closing: closing.signal,
    log,
    observe,
  });
  // Without a cache, nothing is embedded either.
  const accounted = meaning && cache.enabled ? withinLimit(meaning, limit) : undefined;
  const remembering: Remembering = { store, flights, observe };

  function shared(keyHash: string, ownApi: ReadwiseApi): Shared {
    return {
      api: ownApi,
      keyHash,
      datasets,
      meaning: accounted,
      htmlText,
      htmlMarkdown,
      now: clock,
      async keep(name, value) {
        const part = Buffer.from(JSON.stringify(value));
        await store.write(cacheKey(keyHash, name), { head: name, parts: [part] }, DAY_MS);
      },
      async recall<T>(name: string) {
        const part = (await store.read(cacheKey(keyHash, name)))?.parts[0];
        return part && (JSON.parse(Buffer.from(part).toString()) as T); // written by keep
      },
      cached(endpoint, params, signal, fetch) {
        const ttlMs = endpoint === READER_TAGS ? cache.ttlMs * 2 : cache.ttlMs;
        return remembered(remembering, { keyHash, endpoint, params, ttlMs }, signal, fetch);
      },
      async written(endpoints, note = "") {
        for (const endpoint of endpoints) await store.note(journalName(keyHash, endpoint), note);
      },
    };
  }
  const keyless = createLibrary(shared("", refusing()));

  return {
    /** The library for a key; without a key every call fails with `auth_error`. */
    forKey: (key: string | undefined): Library => (key ? createLibrary(shared(hashOfKey(key), api(key))) : keyless),
    stats: () => ({ bytes: limit.bytes, entries: limit.entries, evictions: limit.evictions, max_bytes: maxBytes }),
    async close() {
      closing.abort(new DOMException("the server is stopping", "AbortError"));
      await meaning?.close();
      await store.close();
    },
  };
}

/** Vectors in memory count towards the cache limit; evicted ones are read from their store again. */
function withinLimit(meaning: Meaning, limit: MemoryLimit): Pick<Meaning, "expect" | "near" | "trouble"> {
  return {
    get trouble() {
      return meaning.trouble;
    },
    expect: meaning.expect,
    async near(data, request) {
      const near = await meaning.near(data, request);
      const drop = () => meaning.drop(data.name);
      if (!limit.hold(`meaning:${data.name}`, meaning.byteSize(data.name), drop)) drop();
      return near;
    },
  };
}

function refusing(): ReadwiseApi {
  const refuse = () => {
    throw new ShelfError(
      "auth_error",
      "No Readwise key came with the call. Over HTTP send it as `X-Readwise-Token: KEY` (or, where the server has no token of its own, `Authorization: Token KEY`); for stdio and the command line set READWISE_API_KEY. Keys are made at readwise.io/access_token.",
    );
  };
  return new Proxy({} as ReadwiseApi, { get: () => refuse });
}
