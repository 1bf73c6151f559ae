import { promisify } from "node:util";
import { deflate, inflateSync } from "node:zlib";
import { ShelfError } from "../../../kernel/errors.js";
import { createTurns } from "../../../kernel/time.js";
import { unitOf } from "../../../kernel/vector.js";
import {
  type Chunk,
  type ChunkStore,
  collectionName,
  type DocumentRecord,
  type DocumentSummary,
  missingProject,
} from "../chunk-store.js";
import { INDEXES, indexedTerms, PAYLOAD_KEYS, searchedText } from "./indexed-text.js";
import { openDatabase, type Steps } from "./sqlite/database.js";
import { allowedOrdinals } from "./sqlite/filter-query.js";
import { sqliteMigration } from "./sqlite/migration.js";
import { ALL_PROJECTS, CHUNK_COLUMNS, type ChunkRow, chunkOf, findProject, projectOf } from "./sqlite/rows.js";
import { keyOf, ordinalOf, rangeOf } from "./sqlite/schema.js";
import { createVectorScan } from "./sqlite/vector-scan.js";
import { dropRange, dropSpace } from "./sqlite/vectors.js";
import { createViews, type ProjectView } from "./sqlite/views.js";
import { createWordReader, dropWords } from "./sqlite/words.js";
import { type AnalysedChunk, ProjectWriter } from "./sqlite/writing.js";

interface SqliteOptions {
  file: string;
  /** Bytes of vector codes kept in memory. Larger projects are filtered by the signs of their vectors first. */
  vectorCacheBytes?: number;
}
export type SqliteChunkStore = ChunkStore & {
  /** Checks the whole file and returns its problems; empty if there are none. */
  integrity(): string[];
  /** Throws if the file was removed or replaced while open; returns a warning if data may be missing. */
  health(): string | undefined;
};

const VECTOR_CACHE_BYTES = 128 * 1024 * 1024;
/** Chunks whose tags are deleted at once; each has up to some hundred. */
const TAGGED_PER_STEP = 32;
const compress = promisify(deflate);

/** Chunks in one SQLite file, words and vectors beside the rows. Several processes may open the same file. */
export function sqliteChunkStore({ file, vectorCacheBytes = VECTOR_CACHE_BYTES }: SqliteOptions): SqliteChunkStore {
  const db = openDatabase(file);
  const views = createViews(db);
  const words = createWordReader(db);
  const scan = createVectorScan(db, vectorCacheBytes);

  const view = (id: string): ProjectView => {
    const found = views.get(id);
    if (!found) throw missingProject(id);
    return found;
  };
  const change = <T>(id: string, work: (writer: ProjectWriter) => Steps<T>, signal?: AbortSignal): Promise<T> =>
    db.transactionInSteps(function* () {
      const writer = new ProjectWriter(db, id);
      const result = yield* work(writer);
      yield* writer.finish();
      return result;
    }, signal);
  const chunksByOrdinal = (project: number, ordinals: readonly number[]) =>
    db
      .read<[number, ...ChunkRow]>(
        `select key, ${CHUNK_COLUMNS} from chunks where key in (select value from json_each(?))`,
      )
      .all(JSON.stringify(ordinals.map((ordinal) => keyOf(project, ordinal))))
      .map(([key, ...row]) => ({ ordinal: ordinalOf(key), chunk: chunkOf(row) }));

  return {
    async projects() {
      return db
        .read<unknown[]>(`${ALL_PROJECTS} order by p.id`)
        .all()
        .map((row) => projectOf(row).project);
    },
    async project(id) {
      return findProject(db.read<unknown[]>, id)?.project;
    },
    async createProject(project) {
      const collection = collectionName(project.id);
      await db.transaction(() => {
        const other = db
          .write("select id from projects where id = ? or collection = ?")
          .get(project.id, collection)?.[0];
        if (other !== undefined)
          throw new ShelfError(
            "INVALID_INPUT",
            `'${project.id}' would share the collection '${collection}' with '${other}'. Choose another name.`,
          );
        const space = createSpace(project.model);
        const now = new Date().toISOString();
        const row = db
          .write(
            `insert into projects (id, kind, name, description, collection, hybrid, fusion, space, created_at, updated_at)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning key`,
          )
          .get(
            project.id,
            project.kind,
            project.name,
            project.description,
            collection,
            project.hybrid_enabled ? 1 : 0,
            "weighted", // the column of a removed setting
            space,
            now,
            now,
          );
        db.write("update spaces set project = ? where key = ?").run(Number(row?.[0]), space);
      });
      const created = await this.project(project.id);
      if (!created) throw missingProject(project.id);
      return created;
    },
    async updateProject(id, { name, description }) {
      const changed = await db.transaction(() =>
        db
          .write(
            `update projects set name = coalesce(?, name), description = case when ? then ? else description end, updated_at = ?
             where id = ?`,
          )
          .run(name ?? null, description === undefined ? 0 : 1, description ?? null, new Date().toISOString(), id),
      );
      if (changed === 0) throw missingProject(id);
    },
    async deleteProject(id) {
      await db.transactionInSteps(function* () {
        const { row } = new ProjectWriter(db, id);
        yield* dropWords(db, row.key);
        for (const space of [row.space, row.nextSpace]) if (space !== null) yield* dropSpace(db, space);
        for (const table of ["chunks", "chunk_lengths", "pending_vectors"] as const)
          yield* dropRange(db, table, rangeOf(row.key));
        for (let from = 0; from < row.ordinals; from += TAGGED_PER_STEP) {
          db.write("delete from chunk_tags where project = ? and ordinal >= ? and ordinal < ?").run(
            row.key,
            from,
            from + TAGGED_PER_STEP,
          );
          yield;
        }
        for (const [key] of db.write("select key from documents where project = ?").all(row.key)) {
          db.write("delete from documents where key = ?").run(Number(key));
          yield;
        }
        db.write("delete from projects where key = ?").run(row.key);
      });
    },

    async upsert(project, chunks, signal, space = "bound") {
      const batch = await analysed(chunks, signal);
      return change(project, (writer) => writer.put(batch, space), signal);
    },
    async removeChunks(project, ids) {
      return { removed: await change(project, (writer) => writer.removeIds(ids)) };
    },
    async chunks(project, which) {
      const { key } = view(project);
      if ("doc_id" in which)
        return db
          .read<ChunkRow>(`select ${CHUNK_COLUMNS} from chunks where project = ? and doc_id = ? order by position, key`)
          .all(key, which.doc_id)
          .map(chunkOf);
      const rows = db
        .read<ChunkRow>(
          `select ${CHUNK_COLUMNS} from chunks where project = ? and id in (select value from json_each(?))`,
        )
        .all(key, JSON.stringify(which.ids));
      const byId = new Map(rows.map((row) => [row[0], chunkOf(row)]));
      return which.ids.map((id) => byId.get(id)).filter((chunk) => chunk !== undefined);
    },
    async chunksWhere(project, filters, limit) {
      return db.snapshot(() => {
        const { key, ordinals, words: statistics } = view(project);
        const allowed = allowedOrdinals(db, key, ordinals, filters);
        const found: number[] = [];
        for (let ordinal = 0; ordinal < ordinals && found.length < limit; ordinal++)
          if (allowed ? allowed[ordinal] === 1 : statistics.lengths[ordinal] !== 0) found.push(ordinal);
        return chunksByOrdinal(key, found).map(({ chunk }) => chunk);
      });
    },
    async chunkPage(project, after, limit) {
      return db
        .read<ChunkRow>(`select ${CHUNK_COLUMNS} from chunks where project = ? and id > ? order by id limit ?`)
        .all(view(project).key, after ?? "", limit)
        .map(chunkOf);
    },
    async vectors(project, ids) {
      return db.snapshot(() => {
        const { key, space } = view(project);
        const found = new Map<string, Float32Array[]>();
        for (const [id, data] of db
          .read<[string, Uint8Array]>(
            `select c.id, v.data from chunks c join vectors v on v.key >= ? + c.vector and v.key < ? + c.vector + c.vectors
             where c.project = ? and c.id in (select value from json_each(?)) order by v.key`,
          )
          .all(keyOf(space, 0), keyOf(space, 0), key, JSON.stringify(ids))) {
          const own = found.get(id) ?? [];
          own.push(new Float32Array(data.slice().buffer));
          found.set(id, own);
        }
        return found;
      });
    },
    async count(project) {
      return view(project).chunks;
    },
    async inspect(project, sample) {
      const { key, chunks } = view(project);
      const range = rangeOf(key);
      const keys = db
        .read<[string]>(
          `select distinct j.key from (select rest from chunks where key >= ? and key < ? limit 1000) c, json_each(c.rest, '$.metadata') j`,
        )
        .all(...range);
      const rows = db
        .read<ChunkRow>(`select ${CHUNK_COLUMNS} from chunks where key >= ? and key < ? order by key limit ?`)
        .all(...range, sample);
      return {
        size: chunks,
        payload_keys: [...new Set([...PAYLOAD_KEYS, ...keys.map(([name]) => name)])],
        indexes: structuredClone(INDEXES),
        sample: rows.map(chunkOf),
      };
    },

    async byWords(project, query, { limit, filters, signal }) {
      signal?.throwIfAborted();
      return db.snapshot(() => {
        const { key, words: statistics, ordinals } = view(project);
        const { hits, best } = words.search(statistics, query, {
          limit,
          allowed: allowedOrdinals(db, key, ordinals, filters),
          texts: (wanted) =>
            new Map(chunksByOrdinal(key, wanted).map(({ ordinal, chunk }) => [ordinal, searchedText(chunk)])),
        });
        const ids = new Map(
          db
            .read<[number, string]>(
              "select c.key, c.id from json_each(?) j join chunks c indexed by chunk_places on c.key = j.value",
            )
            .all(JSON.stringify(hits.map(({ ordinal }) => keyOf(key, ordinal)))),
        );
        return hits.flatMap(({ ordinal, score }) => {
          const id = ids.get(keyOf(key, ordinal));
          return id === undefined ? [] : [{ id, bm25: score, coverage: score / best }];
        });
      });
    },
    async byMeaning(project, vector, options) {
      const { limit, filters, signal } = options;
      signal?.throwIfAborted();
      const now = view(project);
      if (vector.length !== now.dimension)
        throw new ShelfError(
          "EMBEDDING_MISMATCH",
          `The query has ${vector.length} numbers; '${project}' holds vectors of ${now.dimension}.`,
        );
      const allowed = allowedOrdinals(db, now.key, now.ordinals, filters);
      const { lengths } = now.words;
      const hits = await scan.nearest(now, unitOf(vector), {
        limit,
        accepts: (ordinal) => lengths[ordinal] !== 0 && (!allowed || allowed[ordinal] === 1),
        filtered: allowed !== undefined,
        signal,
      });
      return hits ?? this.byMeaning(project, vector, options);
    },

    async replaceDocument(project, document, chunks, signal) {
      const batch = await analysed(chunks, signal);
      const { text, pages, headings, edits, ...summary } = { ...document, chunk_count: chunks.length };
      const body = await compress(JSON.stringify({ text, pages, headings, edits }), { level: 4 });
      return change(
        project,
        function* (writer) {
          const removed = yield* writer.removeOfDocument(document.id, new Set(chunks.map((chunk) => chunk.id)));
          const { added, updated } = yield* writer.put(batch, "bound");
          db.write(
            `insert into documents (project, id, added_at, summary, body) values (?, ?, ?, ?, ?)
             on conflict (project, id) do update set summary = excluded.summary, body = excluded.body`,
          ).run(writer.row.key, document.id, document.added_at, JSON.stringify(summary), body);
          return { added, updated, removed };
        },
        signal,
      );
    },
    async removeDocument(project, docId) {
      return change(project, function* (writer) {
        yield* writer.removeOfDocument(docId, new Set());
        return db.write("delete from documents where project = ? and id = ?").run(writer.row.key, docId) > 0;
      });
    },
    async documents(project) {
      return db
        .read<[string, string]>("select added_at, summary from documents where project = ? order by added_at, id")
        .all(view(project).key)
        .map(([added_at, summary]) => ({ ...(JSON.parse(summary) as DocumentSummary), added_at }));
    },
    async document(project, docId) {
      const row = db
        .read<[string, string, Uint8Array]>(
          "select added_at, summary, body from documents where project = ? and id = ?",
        )
        .get(view(project).key, docId);
      if (!row) return undefined;
      const [added_at, summary, body] = row;
      // Both were written by replaceDocument.
      return { ...JSON.parse(summary), added_at, ...JSON.parse(inflateSync(body).toString("utf8")) } as DocumentRecord;
    },

    migration: sqliteMigration(db, createSpace),
    backup: (target) => db.backup(target),
    integrity: () => db.integrity(),
    health: () => db.health(),
    close: () => db.close(),
  };

  function createSpace(model: { dimension: number }): number {
    const row = db
      .write("insert into spaces (project, model, dimension) values (0, ?, ?) returning key")
      .get(JSON.stringify(model), model.dimension);
    return Number(row?.[0]);
  }
}

/** Done before the transaction, so that other writers wait only for the write itself; yields to other calls. */
async function analysed(chunks: readonly Chunk[], signal: AbortSignal | undefined): Promise<AnalysedChunk[]> {
  const batch: AnalysedChunk[] = [];
  const turn = createTurns();
  for (const chunk of chunks) {
    await turn();
    signal?.throwIfAborted();
    batch.push({ chunk, terms: indexedTerms(chunk) });
  }
  return batch;
}
