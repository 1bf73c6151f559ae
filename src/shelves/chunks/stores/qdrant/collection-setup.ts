import type { ModelIdentity } from "../../embedding/embedder.js";
import { pathOf, type QdrantClient, Refused } from "./client.js";
import { CHUNK_INDEXES } from "./payload.js";
import { SIDE_INDEXES } from "./side-collection.js";
import { CollectionInfo, Done, Written } from "./wire.js";

const STRICT = { enabled: true, unindexed_filtering_retrieve: false, unindexed_filtering_update: false };
/** One graph per project instead of a global one: every search names a project. */
const GRAPH_PER_TENANT = { m: 0, payload_m: 16 };
const AT_ONCE = 8;

/** A multivector: one row per window of the text; the best row is the chunk's score. */
export function denseParams({ dimension }: ModelIdentity) {
  return { size: dimension, distance: "Cosine", multivector_config: { comparator: "max_sim" } };
}

/** Creates and inspects collections. */
export function collectionSetup(client: QdrantClient) {
  const info = async (collection: string, signal?: AbortSignal) => {
    try {
      return await client.call("GET", pathOf(collection), { answer: CollectionInfo, signal });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  };
  /** False if the collection existed already. */
  const create = async (collection: string, body: Record<string, unknown>): Promise<boolean> => {
    try {
      await client.call("PUT", pathOf(collection), { body, answer: Done });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return false;
      throw error;
    }
  };
  /** Creates the collection and its indexes, or completes them if a creation was interrupted. */
  const ensure = async (
    collection: string,
    settings: Record<string, unknown>,
    indexes: Readonly<Record<string, unknown>>,
  ) => {
    const found = await info(collection);
    if (!found) await create(collection, settings);
    const missing = Object.entries(indexes).filter(([field]) => !(field in (found?.payload_schema ?? {})));
    await inTurns(missing, ([field_name, field_schema]) =>
      client.call("PUT", pathOf(collection, "/index?wait=true"), {
        body: { field_name, field_schema },
        answer: Written,
      }),
    );
  };

  return {
    info,
    ensure,
    chunks: (collection: string, model: ModelIdentity, shared: boolean) =>
      ensure(
        collection,
        {
          vectors: { dense: denseParams(model) },
          // In a shared collection idf is per project and is sent with the query.
          sparse_vectors: { bm25: shared ? {} : { modifier: "idf" } },
          ...(shared ? { hnsw_config: GRAPH_PER_TENANT } : {}),
          strict_mode_config: STRICT,
        },
        CHUNK_INDEXES,
      ),
    side: (collection: string) => ensure(collection, { vectors: {}, strict_mode_config: STRICT }, SIDE_INDEXES),
  };
}
export type CollectionSetup = ReturnType<typeof collectionSetup>;

/** Runs all, a few at a time. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
