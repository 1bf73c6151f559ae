import { citationOf } from "../../citations/locator.js";
import { shownRecord } from "../../citations/records.js";
import { addTo } from "../../kernel/collections.js";
import { ShelfError } from "../../kernel/errors.js";
import { withoutNulls } from "../../kernel/json.js";
import type { Log } from "../../kernel/log.js";
import { once } from "../../kernel/once.js";
import { plural } from "../../kernel/plural.js";
import { NEAREST_SHOWN } from "../../text/best-match.js";
import { createAuthorship, metadataAuthors } from "./authorship.js";
import { payloadOf } from "./chunk-metadata.js";
import type { ChunkStore, DocumentSummary, Filters, Project, StoredChunk } from "./chunk-store.js";
import type { Embedders } from "./embedding/embedder.js";
import { createModelMigrations } from "./model-migration.js";
import { createProjects, type NewProjectRequest, type Projects } from "./projects.js";
import { createSearch, type Found, type ScoreKind } from "./search.js";
import { shownText, trimmed } from "./shown-text.js";
import { createStoring, type Item, type StoreRequest } from "./storing.js";

interface RetrievalOptions {
  store: ChunkStore;
  embedders: Embedders;
  projects?: Projects;
  maxCharsPerChunk?: number;
  /** Most items a search answers with, whatever `top_k` asks for. */
  maxTopK?: number;
  log?: Log | undefined;
}
export interface Query {
  top_k: number;
  filters?: Filters | undefined;
  include_full_text?: boolean | undefined;
  signal?: AbortSignal | undefined;
}
export type Retrieval = ReturnType<typeof createRetrieval>;

const MAX_CHARS_PER_CHUNK = 1800;
const MAX_FULL_TEXT_CHARS = 60_000;
/** How many passages are searched for documents without a record. */
const MOST_LOOSE = 2_000;

/** The rules of the chunks shelf: what may be stored in a project, and how it answers. */
export function createRetrieval({
  store,
  embedders,
  projects = createProjects({ store, embedders }),
  maxCharsPerChunk: maxChars = MAX_CHARS_PER_CHUNK,
  maxTopK = Number.POSITIVE_INFINITY,
  log,
}: RetrievalOptions) {
  const migrations = createModelMigrations({ store, embedders, log });
  const storeItems = createStoring({ store, embedders, migrations });
  const search = createSearch({ store, embedders });
  const authorsOf = createAuthorship(store);

  const resumed = once(() => migrations.resume());
  const open = async (id: string): Promise<Project> => {
    const project = await projects.open(id);
    await resumed();
    return project;
  };

  const options = ({ top_k, filters, signal }: Query) => ({ limit: Math.min(top_k, maxTopK), filters, signal });

  const present = async (project: Project, found: Found, { top_k, include_full_text }: Query) => {
    const { score_kind, best_match } = found;
    const warnings = [
      ...found.warnings,
      ...(top_k > maxTopK ? [`This server answers with at most ${maxTopK} items (CHUNK_MAX_TOP_K).`] : []),
    ];
    const hits = best_match === "none" ? found.hits.slice(0, NEAREST_SHOWN) : found.hits;
    const chunks = hits.map(({ chunk }) => chunk);
    const [authors, searched] = await Promise.all([
      authorsOf(project, chunks),
      best_match === "none" ? store.count(project.id) : undefined,
    ]);
    const items = hits.map((hit, i) => presentHit(hit, score_kind, maxChars, authors[i] ?? null));
    return {
      items: include_full_text ? withFullText(items, hits, warnings) : items,
      count: hits.length,
      best_match,
      ...(searched !== undefined && {
        hint: `Nothing fits in ${plural(searched, "passage")} of '${project.id}'.${hits.length > 0 ? " What is listed is only the nearest." : ""} search_library looks everywhere else.`,
      }),
      not_searched: ["other projects, notebooks, highlights and Reader documents: search_library searches all of them"],
      warnings,
    };
  };

  /** Documents known only by the ids on their chunks. */
  const looseDocuments = async (id: string, documents: readonly DocumentSummary[], size: number) => {
    const kept = new Set(documents.map((document) => document.id));
    if (documents.reduce((sum, { chunk_count }) => sum + chunk_count, 0) >= size) return [];
    const groups = new Map<string, StoredChunk[]>();
    for (const chunk of await store.chunksWhere(id, {}, MOST_LOOSE))
      if (chunk.doc_id !== null && !kept.has(chunk.doc_id)) addTo(groups, chunk.doc_id, chunk);
    return [...groups].map(([docId, chunks]) => ({
      id: docId,
      title: chunks.find(({ title }) => title)?.title ?? docId,
      citekey: chunks.find(({ citekey }) => citekey)?.citekey ?? null,
      kind: "chunks",
      chunk_count: chunks.length,
      ...withoutNulls({
        author: metadataAuthors(chunks[0]?.metadata ?? {}),
        year: chunks.find(({ year }) => year !== null)?.year ?? null,
      }),
    }));
  };

  return {
    async store(id: string, items: readonly Item[], request: StoreRequest = {}) {
      const project = await open(id);
      const { added, updated, model, warnings } = await storeItems(project, items, request);
      return {
        chunks_written: added + updated,
        chunks_added: added,
        chunks_updated: updated,
        project: id,
        embed_model: model.id,
        warnings,
      };
    },

    async find(id: string, query: string, request: Query) {
      const project = await open(id);
      return present(project, await search.meaning(project, query, options(request)), request);
    },

    async hybrid(id: string, query: string, request: Query) {
      const project = await open(id);
      if (!project.hybrid_enabled)
        throw new ShelfError("HYBRID_NOT_SUPPORTED", `'${id}' has hybrid search turned off. Use find_chunks instead.`, {
          details: { project: id },
        });
      const found = await search.hybrid(project, query, options(request));
      return { ...(await present(project, found, request)), hybrid_enabled: true };
    },

    /** What a project or notebook answers best with, as it is stored: for a search over more than one of them. */
    async best(id: string, query: string, request: { limit: number; signal?: AbortSignal | undefined }) {
      const project = await projects.open(id, { notebooks: true });
      const found = await (project.hybrid_enabled
        ? search.hybrid(project, query, request)
        : search.meaning(project, query, request));
      return { ...found, searched: await store.count(id) };
    },

    /** Passages one after the other, each with its citation, and a title for them all. */
    async asText(id: string, ids: readonly string[]) {
      const project = await projects.open(id, { notebooks: true });
      const chunks = await store.chunks(project.id, { ids });
      const missing = ids.filter((each) => !chunks.some((chunk) => chunk.id === each));
      if (missing.length > 0)
        throw new ShelfError(
          "NOT_FOUND",
          `'${id}' has no chunk ${missing.map((each) => `'${each}'`).join(", ")}. Chunk ids come with search hits and may change when a file is read again.`,
          { details: { project: id, missing } },
        );
      const titles = [...new Set(chunks.flatMap(({ title }) => title ?? []))];
      return {
        title: titles.length === 1 ? `Passages from ${titles[0]}` : `Passages from ${id}`,
        text: chunks
          .map((chunk) => (chunk.citekey === null ? chunk.text : `${chunk.text}\n${citationOf(chunk.citekey, chunk)}`))
          .join("\n\n"),
      };
    },

    /** Who wrote passages of a project or notebook. */
    async authors(id: string, chunks: readonly StoredChunk[]) {
      return authorsOf(await projects.open(id, { notebooks: true }), chunks);
    },

    /** Notebooks whose sources are kept here. */
    async notebooks() {
      const all = await store.projects();
      return all.flatMap(({ id, kind, name }) => (kind === "notebook" ? [{ id, name }] : []));
    },

    async inspect(id: string, sample: number, listDocuments = false) {
      const project = await open(id);
      const [inspection, migration, documents] = await Promise.all([
        store.inspect(id, sample),
        migrations.progress(project),
        listDocuments ? store.documents(id) : undefined,
      ]);
      const loose = documents ? await looseDocuments(id, documents, inspection.size) : [];
      return {
        project: id,
        collection: project.collection,
        size: inspection.size,
        embed_model: project.model.id,
        dimension: project.model.dimension,
        hybrid_enabled: project.hybrid_enabled,
        languages: project.languages,
        payload_keys: inspection.payload_keys,
        indexes: inspection.indexes,
        ...(documents && {
          documents: [...documents.map((document) => shownRecord(document)), ...loose],
          document_count: documents.length + loose.length,
        }),
        migration,
        sample: inspection.sample.map((chunk) => payloadOf(id, chunk)),
      };
    },

    async list() {
      return (await projects.list()).map((project) => ({
        id: project.id,
        name: project.name === project.id ? null : project.name,
        collection: project.collection,
        embed_model: project.model.id,
        hybrid_enabled: project.hybrid_enabled,
        description: project.description,
      }));
    },

    async createProject(request: NewProjectRequest) {
      const { project, created } = await projects.create(request);
      return {
        project: project.id,
        ...(project.name !== project.id && { name: project.name }),
        collection: project.collection,
        embed_model: project.model.id,
        hybrid_enabled: project.hybrid_enabled,
        created,
      };
    },

    async deleteProject(id: string, expected: number) {
      const project = await open(id);
      const chunks_deleted = await store.count(id);
      if (chunks_deleted !== expected)
        throw new ShelfError(
          "INVALID_INPUT",
          `'${id}' holds ${plural(chunks_deleted, "chunk")}, not ${expected}. Nothing is deleted. Call again with chunks: ${chunks_deleted} if all of it should go.`,
          { details: { fields: [{ field: "chunks", problem: `must be ${chunks_deleted}` }] } },
        );
      await store.deleteProject(project.id);
      return { project: id, deleted: true, chunks_deleted };
    },

    async deleteChunks(id: string, ids: readonly string[]) {
      await open(id);
      const { removed } = await store.removeChunks(id, ids);
      return { project: id, chunks_deleted: removed, not_found: new Set(ids).size - removed };
    },

    /** Resolves when no project is being moved to another model. */
    settled: () => migrations.settled(),
    close: () => migrations.close(),
  };
}

function presentHit(
  { chunk, score, words, meaning }: Found["hits"][number],
  score_kind: ScoreKind,
  maxChars: number,
  author: string | null,
) {
  const shown = trimmed(shownText(chunk), maxChars);
  return {
    id: chunk.id,
    render_text: shown.text,
    truncated: shown.truncated,
    score: rounded(score),
    score_kind,
    matched_by: withoutNulls({
      words: words && { rank: words.rank, bm25: rounded(words.bm25), coverage: rounded(words.coverage) },
      meaning: meaning && { rank: meaning.rank, similarity: rounded(meaning.similarity) },
    }),
    citekey: chunk.citekey,
    section: chunk.section,
    page_span: chunk.page_span,
    section_path: chunk.section_path,
    ...withoutNulls({
      title: chunk.title,
      author,
      doc_id: chunk.doc_id,
      year: chunk.year,
      cite: chunk.citekey === null ? null : citationOf(chunk.citekey, chunk),
      doi: chunk.doi,
      url: chunk.url,
    }),
    full_text: null as string | null,
  };
}

/** Whole texts, best first, as long as the answer stays of a size that clients take; what is left out is named. */
function withFullText<T extends ReturnType<typeof presentHit>>(
  items: T[],
  hits: Found["hits"],
  warnings: string[],
): T[] {
  let room = MAX_FULL_TEXT_CHARS;
  const filled = items.map((item, index) => {
    const found = hits[index];
    const text = found ? shownText(found.chunk) : "";
    if (text.length > room) return item;
    room -= text.length;
    return { ...item, full_text: text };
  });
  const left = filled.filter(({ full_text }) => full_text === null).length;
  if (left > 0)
    warnings.push(
      `full_text of ${plural(left, "item")} was left out to keep the answer small. Ask with a smaller top_k or narrower filters.`,
    );
  return filled;
}

/** Four decimals are more than the scores' precision, and a quarter of their length. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
