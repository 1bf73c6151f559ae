import { ShelfError } from "../../src/kernel/errors.js";
import { cosine } from "../../src/kernel/vector.js";
import {
  type Chunk,
  type ChunkStore,
  collectionName,
  type DocumentRecord,
  type Filters,
  type MeaningHit,
  missingProject,
  type Project,
  type StoredChunk,
  type WordHit,
} from "../../src/shelves/chunks/chunk-store.js";
import { idf, SATURATION, saturation } from "../../src/shelves/chunks/stores/bm25.js";
import {
  INDEXES,
  indexedTerms,
  PAYLOAD_KEYS,
  projectLanguages,
  searchedText,
} from "../../src/shelves/chunks/stores/indexed-text.js";
import { hasPhrase, parseQuery, phraseText, prefixStems, queryWords } from "../../src/text/analysis.js";

interface Row {
  chunk: StoredChunk;
  version: number;
  terms: Map<string, number>;
  length: number;
  bound: readonly Float32Array[];
  next: readonly Float32Array[];
}
interface Shelf {
  project: Project;
  rows: Map<string, Row>;
  documents: Map<string, DocumentRecord>;
}

/** Chunks in this process only, each search a plain loop: the reference for the other stores. */
export function memoryChunkStore(): ChunkStore {
  const shelves = new Map<string, Shelf>();
  let version = 0;

  const open = (id: string): Shelf => {
    const shelf = shelves.get(id);
    if (!shelf) throw missingProject(id);
    return shelf;
  };

  const put = (shelf: Shelf, chunks: readonly Chunk[], space: "bound" | "next" = "bound") => {
    let added = 0;
    for (const chunk of chunks) {
      if (!shelf.rows.has(chunk.id)) added++;
      const terms = new Map<string, number>();
      const list = indexedTerms(chunk);
      for (const term of list) terms.set(term, (terms.get(term) ?? 0) + 1);
      const vectors = chunk.vectors.map((vector) => vector.slice());
      shelf.rows.set(chunk.id, {
        chunk: stored(chunk),
        version: ++version,
        terms,
        length: list.length,
        bound: space === "bound" ? vectors : [],
        next: space === "next" ? vectors : [],
      });
    }
    shelf.project.languages = languagesOf(shelf);
    shelf.project.updated_at = new Date().toISOString();
    return { added, updated: chunks.length - added };
  };

  const ofDocument = (shelf: Shelf, docId: string) =>
    [...shelf.rows.values()].filter((row) => row.chunk.doc_id === docId);
  const pendingRows = (shelf: Shelf) => [...shelf.rows.values()].filter((row) => row.next.length === 0);

  return {
    async projects() {
      return [...shelves.values()]
        .map(({ project }) => structuredClone(project))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async project(id) {
      return structuredClone(shelves.get(id)?.project);
    },
    async createProject(project) {
      const collection = collectionName(project.id);
      const other = [...shelves.values()].find((shelf) => shelf.project.collection === collection);
      if (other)
        throw new ShelfError(
          "INVALID_INPUT",
          `'${project.id}' would share the collection '${collection}' with '${other.project.id}'. Choose another name.`,
        );
      const now = new Date().toISOString();
      const created: Project = {
        languages: [],
        ...structuredClone(project),
        collection,
        next_model: null,
        created_at: now,
        updated_at: now,
      };
      shelves.set(project.id, { project: created, rows: new Map(), documents: new Map() });
      return structuredClone(created);
    },
    async updateProject(id, change) {
      Object.assign(open(id).project, change, { updated_at: new Date().toISOString() });
    },
    async deleteProject(id) {
      open(id);
      shelves.delete(id);
    },

    async upsert(project, chunks, signal, space) {
      signal?.throwIfAborted();
      return put(open(project), chunks, space);
    },
    async removeChunks(project, ids) {
      const { rows } = open(project);
      return { removed: ids.filter((id) => rows.delete(id)).length };
    },
    async chunks(project, which) {
      const shelf = open(project);
      const rows =
        "ids" in which
          ? which.ids.map((id) => shelf.rows.get(id)).filter((row) => row !== undefined)
          : ofDocument(shelf, which.doc_id).sort((a, b) => a.chunk.position - b.chunk.position);
      return rows.map((row) => structuredClone(row.chunk));
    },
    async chunksWhere(project, filters, limit) {
      return [...open(project).rows.values()]
        .filter(({ chunk }) => matches(chunk, filters))
        .slice(0, limit)
        .map(({ chunk }) => structuredClone(chunk));
    },
    async chunkPage(project, after, limit) {
      return [...open(project).rows.values()]
        .map((row) => row.chunk)
        .filter(({ id }) => after === null || id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map((chunk) => structuredClone(chunk));
    },
    async vectors(project, ids) {
      const { rows } = open(project);
      const held = ids.map((id) => [id, rows.get(id)?.bound.map((vector) => vector.slice()) ?? []] as const);
      return new Map(held.filter(([, vectors]) => vectors.length > 0));
    },
    async count(project) {
      return open(project).rows.size;
    },
    async inspect(project, sample) {
      const rows = [...open(project).rows.values()];
      const own = rows.flatMap((row) => Object.keys(row.chunk.metadata));
      return {
        size: rows.length,
        payload_keys: [...new Set([...PAYLOAD_KEYS, ...own])],
        indexes: structuredClone(INDEXES),
        sample: rows.slice(0, sample).map((row) => structuredClone(row.chunk)),
      };
    },

    async byWords(project, text, { limit, filters = {}, signal }) {
      signal?.throwIfAborted();
      const shelf = open(project);
      const rows = [...shelf.rows.values()];
      const totalLength = rows.reduce((total, row) => total + row.length, 0);
      const languages = languagesOf(shelf);
      const query = parseQuery(text);
      const groups = [
        ...queryWords(query, languages).map(({ terms, required, weight }) => ({
          required,
          times: weight,
          tf: (row: Row) => sum(terms, row),
        })),
        ...query.prefixes.map((prefix) => ({
          required: false,
          times: 1,
          tf: (row: Row) => prefixSum(prefix, prefixStems(prefix, languages), row),
        })),
      ];
      const average = totalLength / Math.max(1, rows.length);
      const scores = new Map<Row, number>();
      const missing = new Set<Row>();
      let best = 0;
      for (const group of groups) {
        const found = rows.map((row) => [row, group.tf(row)] as const);
        const weight = group.times * idf(rows.length, found.filter(([, tf]) => tf > 0).length);
        best += weight * SATURATION;
        for (const [row, tf] of found) {
          if (tf > 0) scores.set(row, (scores.get(row) ?? 0) + weight * saturation(tf, row.length, average));
          else if (group.required) missing.add(row);
        }
      }
      const hits: (WordHit & { version: number })[] = [];
      for (const [row, bm25] of scores) {
        if (missing.has(row) || !matches(row.chunk, filters)) continue;
        if (query.phrases.length > 0) {
          const ready = phraseText(searchedText(row.chunk));
          if (!query.phrases.every((phrase) => hasPhrase(ready, phrase))) continue;
        }
        hits.push({ id: row.chunk.id, bm25, coverage: bm25 / best, version: row.version });
      }
      return hits
        .sort((a, b) => b.bm25 - a.bm25 || a.version - b.version)
        .slice(0, limit)
        .map(({ version: _version, ...hit }) => hit);
    },
    async byMeaning(project, vector, { limit, filters = {}, signal }) {
      signal?.throwIfAborted();
      const hits: (MeaningHit & { version: number })[] = [];
      for (const row of open(project).rows.values())
        if (row.bound.length > 0 && matches(row.chunk, filters))
          hits.push({
            id: row.chunk.id,
            similarity: Math.max(...row.bound.map((own) => cosine(own, vector))),
            version: row.version,
          });
      return hits
        .sort((a, b) => b.similarity - a.similarity || a.version - b.version)
        .slice(0, limit)
        .map(({ version: _version, ...hit }) => hit);
    },

    async replaceDocument(project, document, chunks, signal) {
      signal?.throwIfAborted();
      const shelf = open(project);
      const kept = new Set(chunks.map((chunk) => chunk.id));
      const gone = ofDocument(shelf, document.id).filter((row) => !kept.has(row.chunk.id));
      for (const row of gone) shelf.rows.delete(row.chunk.id);
      const { added, updated } = put(shelf, chunks);
      const before = shelf.documents.get(document.id);
      shelf.documents.set(
        document.id,
        structuredClone({ ...document, added_at: before?.added_at ?? document.added_at, chunk_count: chunks.length }),
      );
      return { added, updated, removed: gone.length };
    },
    async removeDocument(project, docId) {
      const shelf = open(project);
      for (const row of ofDocument(shelf, docId)) shelf.rows.delete(row.chunk.id);
      return shelf.documents.delete(docId);
    },
    async documents(project) {
      return [...open(project).documents.values()]
        .map(({ text: _t, pages: _p, headings: _h, edits: _e, ...summary }) => structuredClone(summary))
        .sort((a, b) => (`${a.added_at} ${a.id}` < `${b.added_at} ${b.id}` ? -1 : 1));
    },
    async document(project, docId) {
      return structuredClone(open(project).documents.get(docId));
    },

    migration: {
      async start(project, model) {
        const shelf = open(project);
        for (const row of shelf.rows.values()) row.next = [];
        shelf.project.next_model = structuredClone(model);
      },
      async pending(project, limit) {
        const rows = pendingRows(open(project));
        return {
          remaining: rows.length,
          chunks: rows.slice(0, limit).map((row) => ({ ...structuredClone(row.chunk), version: row.version })),
        };
      },
      async write(project, vectors) {
        const { rows } = open(project);
        let kept = 0;
        for (const entry of vectors) {
          const row = rows.get(entry.id);
          if (row?.version !== entry.version) continue;
          row.next = entry.vectors.map((vector) => vector.slice());
          kept++;
        }
        return kept;
      },
      async finish(project) {
        const shelf = open(project);
        if (!shelf.project.next_model || pendingRows(shelf).length > 0) return false;
        for (const row of shelf.rows.values()) {
          row.bound = row.next;
          row.next = [];
        }
        shelf.project.model = shelf.project.next_model;
        shelf.project.next_model = null;
        return true;
      },
    },
    async close() {
      shelves.clear();
    },
  };
}

function languagesOf({ rows }: Shelf): string[] {
  const counts = new Map<string | null, number>();
  for (const { chunk } of rows.values()) counts.set(chunk.language, (counts.get(chunk.language) ?? 0) + 1);
  return projectLanguages(counts);
}

function sum(terms: readonly string[], row: Row): number {
  return terms.reduce((total, term) => total + (row.terms.get(term) ?? 0), 0);
}

function prefixSum(prefix: string, stems: readonly string[], row: Row): number {
  let total = 0;
  for (const [term, count] of row.terms) if (term.startsWith(prefix) || stems.includes(term)) total += count;
  return total;
}

/** A copy of the chunk without vectors; its lists are copied too, so that callers cannot change the stored ones. */
function stored(chunk: Chunk): StoredChunk {
  const { vectors: _vectors, ...rest } = chunk;
  return structuredClone(rest);
}

/** The meaning of each filter, shared by all stores. An empty list filters nothing. */
function matches(chunk: StoredChunk, filters: Filters): boolean {
  const { tags, tags_any, citekey, doc_id, year, year_from, year_to, section_prefix, kind } = filters;
  if (tags && !tags.every((tag) => chunk.tags.includes(tag))) return false;
  if (tags_any?.length && !tags_any.some((tag) => chunk.tags.includes(tag))) return false;
  if (citekey !== undefined && chunk.citekey !== citekey) return false;
  if (doc_id !== undefined && chunk.doc_id !== doc_id) return false;
  if (year !== undefined && chunk.year !== year) return false;
  if (year_from !== undefined && (chunk.year === null || chunk.year < year_from)) return false;
  if (year_to !== undefined && (chunk.year === null || chunk.year > year_to)) return false;
  if (kind !== undefined && chunk.metadata.kind !== kind) return false;
  return !section_prefix?.some((heading, depth) => chunk.section_path[depth] !== heading);
}
