import { ShelfError } from "../../kernel/errors.js";
import type { ModelIdentity } from "./embedding/embedder.js";

/**
 * Where chunks and the documents they come from live. Every read names one project: there is no way to ask across
 * projects. A write is all or nothing and durable when its promise resolves.
 */
export interface ChunkStore {
  projects(): Promise<Project[]>;
  project(id: string): Promise<Project | undefined>;
  createProject(project: NewProject): Promise<Project>;
  updateProject(id: string, change: Partial<Pick<Project, "name" | "description">>): Promise<void>;
  deleteProject(id: string): Promise<void>;

  /** `space` says which model the vectors come from while a project moves to another one: the bound one, or the next. */
  upsert(
    project: string,
    chunks: readonly Chunk[],
    signal?: AbortSignal,
    space?: VectorSpace,
  ): Promise<{ added: number; updated: number }>;
  removeChunks(project: string, ids: readonly string[]): Promise<{ removed: number }>;
  /** Chunks by id in the order asked, or all chunks of a document in reading order. Vectors are left out. */
  chunks(project: string, which: { ids: readonly string[] } | { doc_id: string }): Promise<StoredChunk[]>;
  /** Up to `limit` chunks that pass every filter, with or without vectors; which ones come first is up to the store. */
  chunksWhere(project: string, filters: Filters, limit: number): Promise<StoredChunk[]>;
  /**
   * Every chunk, page by page in the order of ids, for work that must miss nothing; `after` is the last id of the page
   * before. Undefined where the store cannot walk its chunks.
   */
  chunkPage?(project: string, after: string | null, limit: number): Promise<StoredChunk[]>;
  /** The bound model's vectors of chunks, one list per chunk that has any: what a copy of a project needs. */
  vectors?(project: string, ids: readonly string[]): Promise<Map<string, Float32Array[]>>;
  count(project: string): Promise<number>;
  inspect(project: string, sample: number): Promise<Inspection>;

  /** Best first. `query` is what the caller typed; the store's analyser reads phrases, prefixes and language from it. */
  byWords(project: string, query: string, options: SearchOptions): Promise<WordHit[]>;
  /** Best first, one hit per chunk however many windows it has. */
  byMeaning(project: string, vector: Float32Array, options: SearchOptions): Promise<MeaningHit[]>;

  /** Writes a document and its chunks in one step; chunks it had before and has no longer are gone. */
  replaceDocument(
    project: string,
    document: DocumentRecord,
    chunks: readonly Chunk[],
    signal?: AbortSignal,
  ): Promise<{ added: number; updated: number; removed: number }>;
  removeDocument(project: string, docId: string): Promise<boolean>;
  /** In the order they were added; those of one moment by id, so that a copy in another store has the same order. */
  documents(project: string): Promise<DocumentSummary[]>;
  document(project: string, docId: string): Promise<DocumentRecord | undefined>;

  /** Moving a project to another model; undefined where the store cannot keep two vector spaces side by side. */
  readonly migration?: Migration;

  /** Copies the store to `file` while it is in use. Stores that live elsewhere have their own backup. */
  backup?(file: string): Promise<void>;
  close(): Promise<void>;
}

export type VectorSpace = "bound" | "next";

/** The next model's vectors grow beside the bound one's, which go on answering until every chunk has both. */
export interface Migration {
  start(project: string, model: ModelIdentity): Promise<void>;
  /** Chunks without a vector in the next space, and how many there are. `version` changes with every write of a chunk. */
  pending(
    project: string,
    limit: number,
  ): Promise<{ chunks: (StoredChunk & { version: number })[]; remaining: number }>;
  /** Vectors of chunks that were written again meanwhile are left out; the count says how many were kept. */
  write(
    project: string,
    vectors: readonly { id: string; version: number; vectors: readonly Float32Array[] }[],
  ): Promise<number>;
  /** Binds the project to the next model if nothing is pending, in one step; false where something is. */
  finish(project: string): Promise<boolean>;
}

export interface Project {
  id: string;
  /** A notebook is a project of its own kind; the chunk tools do not list it. */
  kind: "project" | "notebook";
  /** What a person calls it; for projects the id. */
  name: string;
  description: string | null;
  collection: string;
  model: ModelIdentity;
  /** The model it is moving to, while it is. */
  next_model: ModelIdentity | null;
  hybrid_enabled: boolean;
  /** Languages its texts are in (ISO 639-1), the commonest first; empty while there are none. */
  languages: string[];
  created_at: string;
  updated_at: string;
}
export type NewProject = Pick<Project, "id" | "kind" | "name" | "description" | "model" | "hybrid_enabled">;

/** A passage as it is written: verbatim text, where it stands, and its vectors (one, or one per window of a long text). */
export interface Chunk extends StoredChunk {
  vectors: readonly Float32Array[];
}

export interface StoredChunk {
  id: string;
  text: string;
  doc_id: string | null;
  /** Place in reading order within its document. */
  position: number;
  /** Offsets into the document's text, UTF-16 units, when the document is stored beside it. */
  start: number | null;
  end: number | null;
  citekey: string | null;
  title: string | null;
  section: string | null;
  section_path: string[];
  /** Physical pages, 1-based, or null: never guessed. */
  page_span: [number, number] | null;
  /** The same pages as printed ("xii"), where the file says so. */
  page_labels: [string, string] | null;
  doi: string | null;
  url: string | null;
  year: number | null;
  tags: string[];
  /** ISO 639-1 of the text, or null where it is not known. */
  language: string | null;
  /** What the caller sent as metadata, kept as it was. */
  metadata: Record<string, unknown>;
}

/** A document whose text is kept, so that quotes can be checked and passages shown with their neighbours. */
export interface DocumentRecord extends DocumentSummary {
  /** Normalised once; all offsets point into it. */
  text: string;
  pages: PageMark[];
  headings: HeadingMark[];
  /** Where normalising changed the length: position in `text` to what the file had there, so it can be shown as printed. */
  edits: TextEdit[];
}
export interface DocumentSummary {
  id: string;
  title: string;
  citekey: string | null;
  /** url, text, pdf, epub, html, markdown, docx, highlights, reader … */
  kind: string;
  /** File path or address it was read from. */
  origin: string | null;
  sha256: string;
  chunk_count: number;
  char_count: number;
  language: string | null;
  /** CSL-JSON of the work, as far as known. */
  csl: Record<string, unknown> | null;
  added_at: string;
  updated_at: string;
  /** What the reader wants to remember between runs (mtime, size, recipe version, upstream ids …). */
  extra: Record<string, unknown>;
}
export interface PageMark {
  number: number;
  label: string | null;
  /** Set where the page carries no number and its neighbours' numbers leave one possibility. */
  inferred?: boolean;
  /** Set where its text was recognised from a picture: letters may be misread. */
  recognised?: boolean;
  start: number;
  end: number;
}
export interface HeadingMark {
  level: number;
  title: string;
  start: number;
}
export interface TextEdit {
  at: number;
  /** Length in `text`. */
  length: number;
  original: string;
}

export interface Filters {
  tags?: readonly string[];
  tags_any?: readonly string[];
  citekey?: string;
  doc_id?: string;
  year?: number;
  year_from?: number;
  year_to?: number;
  section_prefix?: readonly string[];
  kind?: PassageKind;
}
/** What a passage holds besides running text, as its metadata's `kind` says. */
export const PASSAGE_KINDS = ["table", "figure", "equation"] as const;
type PassageKind = (typeof PASSAGE_KINDS)[number];
export interface SearchOptions {
  limit: number;
  filters?: Filters | undefined;
  signal?: AbortSignal | undefined;
}
export interface WordHit {
  id: string;
  /** Raw BM25, larger is better. */
  bm25: number;
  /** BM25 over the best that query could reach, in [0,1]: how much of the query's weight was matched. */
  coverage: number;
}
export interface MeaningHit {
  id: string;
  /** Cosine in [-1,1]. */
  similarity: number;
}
interface Inspection {
  size: number;
  payload_keys: string[];
  indexes: { keyword: string[]; fulltext: string[] };
  sample: StoredChunk[];
}

/** What a store answers for a project it does not have. */
export function missingProject(id: string): ShelfError {
  return new ShelfError("INVALID_PROJECT", `Project '${id}' not found.`, { details: { project_id: id } });
}

/** Two projects whose names differ only in `/` and `-` would share a collection: stores refuse the second. */
export function collectionName(project: string): string {
  return `proj-${project.replaceAll("/", "-")}`;
}
