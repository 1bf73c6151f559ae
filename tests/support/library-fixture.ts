import { createIdentifier } from "../../src/citations/bibliography/identifier.js";
import { createReaderPool } from "../../src/ingest/reader-pool.js";
import { createLibrarySync } from "../../src/ingest/sync/sync.js";
import { createRetrieval } from "../../src/shelves/chunks/retrieval.js";
import { searchLibrary } from "../../src/shelves/chunks/tools/search-library.js";
import { syncLibrary } from "../../src/shelves/chunks/tools/sync-library.js";
import type { Meaning } from "../../src/shelves/readwise/meaning/meaning.js";
import { type Connected, connect } from "./connect.js";
import { fakeEmbedder, fakeEmbedders } from "./fake-embedders.js";
import { memoryChunkStore } from "./memory-chunk-store.js";
import { readwiseFixture } from "./readwise.js";
import { smallLibrary } from "./small-library.js";

/** A small Readwise account, a store with no projects, and the tools that bring the two together. */
export async function libraryFixture({ meaning }: { meaning?: Meaning } = {}) {
  const small = smallLibrary();
  const readwise = await readwiseFixture({ libraries: { mine: small.library }, meaning });
  const readers = createReaderPool();
  const store = memoryChunkStore();
  const embedders = fakeEmbedders(fakeEmbedder());
  const retrieval = createRetrieval({ store, embedders });
  const librarySync = createLibrarySync({ store, embedders, readers, openIdentifier: (run) => createIdentifier(run) });
  const connections: Connected[] = [];
  return {
    ...small,
    sandbox: readwise.sandbox,
    store,
    retrieval,
    advance: readwise.advance,
    async as(key?: string): Promise<Connected> {
      const connected = await connect({
        services: { readwise: readwise.shelf, retrieval, librarySync },
        tools: [syncLibrary, searchLibrary],
        ...(key === undefined ? {} : { readwiseKey: key }),
      });
      connections.push(connected);
      return connected;
    },
    async close() {
      for (const connection of connections) await connection.close();
      await readers.close();
      await readwise.close();
      await retrieval.close();
    },
  };
}
