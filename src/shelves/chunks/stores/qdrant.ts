import { setImmediate as nextTurn } from "node:timers/promises";
import { ShelfError } from "../../../kernel/errors.js";
import type { Chunk, ChunkStore, Project, StoredChunk, VectorSpace } from "../chunk-store.js";
import type { ModelIdentity } from "../embedding/embedder.js";
import { indexedTerms, PAYLOAD_KEYS } from "./indexed-text.js";
import type { Binding } from "./qdrant/binding.js";
import { type ClientOptions, pathOf, qdrantClient } from "./qdrant/client.js";
import { inTurns } from "./qdrant/collection-setup.js";
import { projectCollections } from "./qdrant/collections.js";
import { qdrantMigration } from "./qdrant/migration.js";
import { CHUNK_FIELDS, chunkOf, filterOf, payloadOf } from "./qdrant/payload.js";
import { idIn } from "./qdrant/place.js";
import { pointAccess } from "./qdrant/points.js";
import { documentAccess, vocabularyAccess } from "./qdrant/side-collection.js";
import { numbersOf, sparseVector } from "./qdrant/sparse.js";
import { projectStatistics, READING, WRITING } from "./qdrant/statistics.js";
import { Collections, denseIn, Hits, type NamedVectors, type Point, WORDS } from "./qdrant/wire.js";
import { searchWords } from "./qdrant/word-search.js";

export interface QdrantOptions extends Omit<ClientOptions, "onMissing"> {
  /** Prefix of our collections' names. */
  prefix?: string;
}
type QdrantChunkStore = ChunkStore & {
  /** Sends one small request; rejects with instructions if the server cannot be used. */
  ping(): Promise<void>;
};

const ANALYSE_AT_ONCE = 32;
/** How much of a graph a search looks at: past this, more time finds hardly more (decision 0011). */
const LEAST_EF = 512;
/** Points sampled to list the callers' metadata keys. */
const KEYS_SAMPLE = 256;

/** Chunks in Qdrant, all projects in a few collections. Any number of processes may work on the same server. */
export function qdrantChunkStore(options: QdrantOptions): QdrantChunkStore {
  const client = qdrantClient({ ...options, onMissing: (project) => collections.forget(project) });
  const collections = projectCollections(client, options.prefix ?? "bookwheel");
  const points = pointAccess(client);
  const documents = documentAccess(points);
  const vocabulary = vocabularyAccess(points);
  const statistics = projectStatistics(client);

  const at = ({ id, place }: Binding, signal?: AbortSignal) => ({ project: id, collection: place.chunks, signal });
  const beside = ({ id, place }: Binding, signal?: AbortSignal) => ({ project: id, place, signal });
  const whole = async (binding: Binding): Promise<Project> => {
    const { spaces: _spaces, place: _place, ...project } = binding;
    return { ...project, languages: (await statistics.of(binding, READING)).languages };
  };
  const touched = async (binding: Binding, changes: number): Promise<void> => {
    statistics.changed(binding, changes);
    await collections.touch(binding);
  };
  const existing = async (ids: readonly string[], binding: Binding, signal?: AbortSignal) => {
    const found = await points.byIds(
      ids.map((id) => idIn(binding.place, id)),
      { with_payload: false },
      at(binding, signal),
    );
    return new Set(found.map(({ id }) => id));
  };

  const put = async (binding: Binding, chunks: readonly Chunk[], space: Space, signal: AbortSignal | undefined) => {
    const batch = [...new Map(chunks.map((chunk) => [chunk.id, chunk])).values()];
    if (batch.length === 0) return { added: 0, updated: 0 };
    checkVectors(batch, binding.id, space.model.dimension);
    const analysed = await analyse(batch, signal);
    const before = await statistics.of(binding, WRITING, signal);
    const own = analysed.reduce((sum, { terms }) => sum + terms.length, 0);
    const average = (before.terms + own) / Math.max(1, before.chunks + batch.length);
    const known = await existing(
      batch.map(({ id }) => id),
      binding,
      signal,
    );
    await vocabulary.learn(
      analysed.flatMap(({ terms }) => terms),
      `${binding.place.tenant} ${binding.created_at}`,
      beside(binding, signal),
    );
    await points.upsert(
      analysed.map(({ chunk, terms }) => pointOf(binding, space, chunk, terms, average)),
      at(binding, signal),
    );
    return { added: batch.length - known.size, updated: chunks.length - batch.length + known.size };
  };
  const idsOfDocument = async (binding: Binding, docId: string, signal?: AbortSignal): Promise<string[]> => {
    const filter = filterOf(binding.place.tenant, { doc_id: docId.toWellFormed() });
    return (await points.scroll(filter, { with_payload: false }, at(binding, signal))).map(({ id }) => id);
  };

  return {
    async projects() {
      return inTurns(await collections.all(), whole);
    },
    async project(id) {
      const binding = await collections.read(id);
      return binding && whole(binding);
    },
    async createProject(project) {
      return whole(await collections.create(project));
    },
    async updateProject(id, change) {
      await collections.update(id, change);
    },
    async deleteProject(id) {
      const binding = await collections.open(id);
      await collections.remove(binding);
      statistics.forget(binding);
    },

    async upsert(project, chunks, signal, into = "bound") {
      const binding = await collections.open(project, signal);
      const result = await put(binding, chunks, spaceOf(binding, into), signal);
      await touched(binding, chunks.length);
      return result;
    },
    async removeChunks(project, ids) {
      const binding = await collections.open(project);
      const known = [...(await existing(ids, binding))];
      await points.remove({ points: known }, at(binding));
      if (known.length > 0) await touched(binding, known.length);
      return { removed: known.length };
    },
    async chunks(project, which) {
      return collections.reading(project, async (binding) => {
        if ("doc_id" in which) {
          const filter = filterOf(binding.place.tenant, { doc_id: which.doc_id });
          const found = await points.scroll(filter, { with_payload: CHUNK_FIELDS }, at(binding));
          return chunksOf(found, binding).sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
        }
        const ids = which.ids.map((id) => idIn(binding.place, id));
        const found = await points.byIds(ids, { with_payload: CHUNK_FIELDS }, at(binding));
        const byId = new Map(chunksOf(found, binding).map((chunk) => [chunk.id, chunk]));
        return which.ids.map((id) => byId.get(id)).filter((chunk) => chunk !== undefined);
      });
    },
    async chunksWhere(project, filters, limit) {
      return collections.reading(project, async (binding) => {
        const shown = { with_payload: CHUNK_FIELDS };
        const filter = filterOf(binding.place.tenant, filters);
        return chunksOf(await points.scroll(filter, shown, at(binding), { most: limit }), binding);
      });
    },
    async chunkPage(project, after, limit) {
      return collections.reading(project, async (binding) =>
        chunksOf(await pageAfter(binding, after, limit, { with_payload: CHUNK_FIELDS }), binding),
      );
    },
    async vectors(project, ids) {
      return collections.reading(project, async (binding) => {
        const byPoint = new Map(ids.map((id) => [idIn(binding.place, id), id]));
        const found = await points.byIds(
          [...byPoint.keys()],
          { with_payload: false, with_vector: [binding.spaces.bound] },
          at(binding),
        );
        const held = new Map<string, Float32Array[]>();
        for (const { id, vector } of found) {
          const rows = denseIn(vector, binding.spaces.bound);
          const chunk = byPoint.get(id);
          if (chunk !== undefined && rows.length > 0)
            held.set(
              chunk,
              rows.map((row) => Float32Array.from(row)),
            );
        }
        return held;
      });
    },
    async count(project) {
      return collections.reading(project, (binding) => points.count(filterOf(binding.place.tenant), at(binding)));
    },
    async inspect(project, sample) {
      const binding = await collections.open(project);
      const [size, indexes, found, metadata] = await Promise.all([
        this.count(project),
        collections.indexes(binding),
        sample > 0
          ? points.scroll(filterOf(binding.place.tenant), { with_payload: CHUNK_FIELDS }, at(binding), { most: sample })
          : [],
        points.scroll(filterOf(binding.place.tenant), { with_payload: { include: ["metadata"] } }, at(binding), {
          most: KEYS_SAMPLE,
        }),
      ]);
      const own = metadata.flatMap(({ payload }) => Object.keys(Object(payload?.metadata)));
      const fields = Object.keys(indexes);
      return {
        size,
        payload_keys: [...new Set([...PAYLOAD_KEYS, ...own])],
        indexes: {
          keyword: fields.filter((field) => indexes[field] !== "text"),
          fulltext: fields.filter((field) => indexes[field] === "text" && PAYLOAD_KEYS.includes(field)),
        },
        sample: chunksOf(found, binding),
      };
    },

    async byWords(project, query, search) {
      return collections.reading(
        project,
        async (binding) =>
          searchWords(query, search, {
            client,
            points,
            vocabulary,
            binding,
            statistics: await statistics.of(binding, READING, search.signal),
          }),
        search.signal,
      );
    },
    async byMeaning(project, vector, { limit, filters, signal }) {
      return collections.reading(
        project,
        async (binding) => {
          if (vector.length !== binding.model.dimension)
            throw new ShelfError(
              "EMBEDDING_MISMATCH",
              `The query has ${vector.length} numbers; '${project}' holds vectors of ${binding.model.dimension}.`,
            );
          const filter = filterOf(binding.place.tenant, filters);
          // The tenant's graph is of no use to a narrower search: what it leads through is filtered out. So that one is exact.
          const narrower = (filter.must?.length ?? 0) > 1;
          const { points: hits } = await client.call("POST", pathOf(binding.place.chunks, "/points/query"), {
            body: {
              query: [numbersOf(vector)],
              using: binding.spaces.bound,
              filter,
              limit,
              params: narrower ? { exact: true } : { hnsw_ef: Math.max(LEAST_EF, limit) },
              with_payload: { include: ["chunk_id"] },
            },
            answer: Hits,
            project,
            signal,
          });
          return hits
            .map(({ payload, score }) => ({ id: String(payload?.chunk_id), similarity: score }))
            .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
        },
        signal,
      );
    },

    /** Safe to interrupt anywhere: the document's record is written last, so an incomplete write is repeated. */
    async replaceDocument(project, document, chunks, signal) {
      const binding = await collections.open(project, signal);
      const kept = new Set(chunks.map(({ id }) => idIn(binding.place, id)));
      const { added, updated } = await put(binding, chunks, spaceOf(binding, "bound"), signal);
      const gone = (await idsOfDocument(binding, document.id, signal)).filter((id) => !kept.has(id));
      await points.remove({ points: gone }, at(binding, signal));
      await documents.write(document, chunks.length, beside(binding, signal));
      await touched(binding, chunks.length + gone.length);
      return { added, updated, removed: gone.length };
    },
    async removeDocument(project, docId) {
      const binding = await collections.open(project);
      const gone = await idsOfDocument(binding, docId);
      await points.remove({ points: gone }, at(binding));
      const removed = await documents.remove(docId, beside(binding));
      if (removed || gone.length > 0) await touched(binding, gone.length);
      return removed;
    },
    async documents(project) {
      return collections.reading(project, (binding) => documents.list(beside(binding)));
    },
    async document(project, docId) {
      return collections.reading(project, (binding) => documents.read(docId, beside(binding)));
    },

    async ping() {
      // A probe asks again by itself, and waits a second or two.
      await client.call("GET", "/collections", { answer: Collections, attempts: 1 });
    },
    migration: qdrantMigration(client, collections, points),
    async close() {},
  };

  /** Points are read in the order of their ids, which are derived from chunk ids and do not change when a chunk is deleted. */
  async function pageAfter(
    binding: Binding,
    after: string | null,
    limit: number,
    shown: Parameters<typeof points.scroll>[1],
  ) {
    const from = after === null ? undefined : idIn(binding.place, after);
    const found = await points.scroll(filterOf(binding.place.tenant), shown, at(binding), { from, most: limit + 1 });
    return found.filter(({ id }) => id !== from).slice(0, limit);
  }
}

/** The named vector to write, and its model. */
interface Space {
  name: string;
  model: ModelIdentity;
}
function spaceOf({ spaces, model, next_model }: Binding, which: VectorSpace): Space {
  if (which === "next" && spaces.next !== null && next_model) return { name: spaces.next, model: next_model };
  return { name: spaces.bound, model };
}

function pointOf({ place }: Binding, space: Space, chunk: Chunk, terms: readonly string[], average: number): Point {
  const vector: NamedVectors = {};
  if (chunk.vectors.length > 0) vector[space.name] = chunk.vectors.map(numbersOf);
  if (terms.length > 0) vector[WORDS] = sparseVector(terms, average);
  return {
    id: idIn(place, chunk.id),
    vector,
    payload: payloadOf(place.tenant, space.model.id, chunk, { terms, average }),
  };
}

function chunksOf(
  found: readonly { payload?: Record<string, unknown> | null | undefined }[],
  { place }: Binding,
): StoredChunk[] {
  return found.flatMap(({ payload }) => (payload?.project === place.tenant ? [chunkOf(payload)] : []));
}

async function analyse(chunks: readonly Chunk[], signal: AbortSignal | undefined) {
  const analysed: { chunk: Chunk; terms: string[] }[] = [];
  for (const chunk of chunks) {
    if (analysed.length % ANALYSE_AT_ONCE === ANALYSE_AT_ONCE - 1) await nextTurn();
    signal?.throwIfAborted();
    analysed.push({ chunk, terms: indexedTerms(chunk) });
  }
  return analysed;
}

function checkVectors(chunks: readonly Chunk[], project: string, dimension: number): void {
  for (const { id, vectors } of chunks)
    for (const vector of vectors)
      if (vector.length !== dimension)
        throw new ShelfError(
          "EMBEDDING_MISMATCH",
          `Chunk '${id}' has a vector of ${vector.length} numbers; '${project}' holds vectors of ${dimension}.`,
          { details: { project, expected_dimension: dimension, provided_dimension: vector.length } },
        );
}
