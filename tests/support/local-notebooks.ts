import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReaderPool } from "../../src/ingest/reader-pool.js";
import { createFetcher, type Fetcher } from "../../src/ingest/web/safe-fetch.js";
import type { ChunkStore } from "../../src/shelves/chunks/chunk-store.js";
import type { Embedders } from "../../src/shelves/chunks/embedding/embedder.js";
import { createEmbedders } from "../../src/shelves/chunks/embedding/embedders.js";
import { createSearch } from "../../src/shelves/chunks/search.js";
import { sqliteChunkStore } from "../../src/shelves/chunks/stores/sqlite.js";
import type { Llm } from "../../src/shelves/notebooks/backends/local/llm.js";
import { localNotebooks } from "../../src/shelves/notebooks/backends/local.js";
import type { NotebookBackend } from "../../src/shelves/notebooks/notebook-backend.js";
import { memoryChunkStore } from "./memory-chunk-store.js";

export const WITHOUT_MODEL: Embedders = {
  preferred: undefined,
  unavailable: "No model in this test.",
  get: () => undefined,
  list: () => [],
  close: async () => {},
};

export interface LocalNotebooks {
  backend: NotebookBackend;
  /** A new notebook's id. */
  notebook(...texts: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Notebooks as they are at home: a file of their own and the packaged model, or quick ones that know words alone. */
export async function openLocalNotebooks({
  model = false,
  fetcher = createFetcher({ allowPrivate: true }),
  llm,
  embedders: given,
  store: kept,
}: {
  model?: boolean;
  fetcher?: Fetcher;
  llm?: Llm;
  embedders?: Embedders;
  store?: ChunkStore;
} = {}): Promise<LocalNotebooks> {
  const folder = await mkdtemp(join(tmpdir(), "bookwheel-notebooks-"));
  const embedders = given ?? (model ? await createEmbedders() : WITHOUT_MODEL);
  const store = kept ?? (model ? sqliteChunkStore({ file: join(folder, "chunks.db") }) : memoryChunkStore());
  const readers = createReaderPool();
  const backend = localNotebooks({
    store,
    embedders,
    readers,
    fetcher,
    llm,
    search: createSearch({ store, embedders }),
  });
  const signal = AbortSignal.timeout(60_000);
  return {
    backend,
    async notebook(...texts) {
      const { id } = await backend.create("A notebook", signal);
      for (const [i, text] of texts.entries())
        await backend.addSource(id, { source_type: "text", title: `Source ${i + 1}`, text }, signal);
      return id;
    },
    async close() {
      await backend.close();
      await readers.close();
      if (!kept) await store.close();
      await embedders.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Site {
  url: string;
  requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[];
  close(): Promise<void>;
}

/** A server on loopback that remembers what it was asked. */
export async function startSite(
  answer: (request: { path: string; body: string }, response: ServerResponse) => void,
): Promise<Site> {
  const requests: Site["requests"] = [];
  const listener: RequestListener = (incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const path = incoming.url ?? "/";
      const body = Buffer.concat(parts).toString("utf8");
      requests.push({ method: incoming.method ?? "", path, headers: incoming.headers, body });
      answer({ path, body }, response);
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function html(response: ServerResponse, body: string, head = ""): void {
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`);
}
