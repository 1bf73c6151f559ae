import type { ModelIdentity } from "../../embedding/embedder.js";
import { pathOf, type QdrantClient, Refused } from "./client.js";
import { CHUNK_INDEXES } from "./payload.js";
import { SIDE_INDEXES } from "./side-collection.js";
import { CollectionInfo, Done, Written } from "./wire.js";

const STRICT = { enabled: true, unindexed_filtering_retrieve: false, unindexed_filtering_update: false };
/** No graph over everybody's vectors, one over each project's: every search names a project. */
const GRAPH_PER_TENANT = { m: 0, payload_m: 16 };
const AT_ONCE = 8;

/** A row per window of the text: the best of them is what the chunk is found by. */
export function denseParams({ dimension }: ModelIdentity) {
  return { size: dimension, distance: "Cosine", multivector_config: { comparator: "max_sim" } };
}

/** Making and looking at collections. */
export function collectionSetup(client: QdrantClient) {
  const info = async (collection: string, signal?: AbortSignal) => {
    try {
      return await client.call("GET", pathOf(collection), { answer: CollectionInfo, signal });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  };
  /** Whether it was made; false where it was there already. */
  const create = async (collection: string, body: Record<string, unknown>): Promise<boolean> => {
    try {
      await client.call("PUT", pathOf(collection), { body, answer: Done });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return false;
      throw error;
    }
  };
  /** The collection with all its indexes, made or completed: a creation may have been cut short. */
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
          // In a collection of many projects rarity is each project's own, and comes with the query.
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

/** All of them, a few at a time. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
