import type { Document, Highlight, ReaderTag, ReviewHighlight, Source, Tag } from "./schemas.js";

/** What the shelf needs from Readwise, for the holder of one key. Failures are `ShelfError`s. */
export interface ReadwiseApi {
  sources(query: SourcesQuery, signal: AbortSignal): Promise<PageOf<Source>>;
  source(id: string, signal: AbortSignal): Promise<Source>;
  highlights(query: HighlightsQuery, signal: AbortSignal): Promise<PageOf<Highlight>>;
  highlight(id: string, signal: AbortSignal): Promise<Highlight>;
  /** One page of the export: sources with their highlights, newest source first. */
  exported(query: ExportQuery, signal: AbortSignal): Promise<ExportPage>;
  review(signal: AbortSignal): Promise<Review>;

  tagsOf(kind: Tagged, id: string, signal: AbortSignal): Promise<Tag[]>;
  addTag(kind: Tagged, id: string, name: string, signal: AbortSignal): Promise<Tag>;
  deleteTag(kind: Tagged, id: string, tag: string, signal: AbortSignal): Promise<void>;

  /** Answers with the sources touched; `modified_highlights` has no id for what Readwise took as a duplicate. */
  createHighlights(items: NewHighlight[], signal: AbortSignal): Promise<TouchedSource[]>;
  updateHighlight(id: string, changes: HighlightChanges, signal: AbortSignal): Promise<Highlight>;
  deleteHighlight(id: string, signal: AbortSignal): Promise<void>;

  /** One page of Reader documents; an unknown `id` is an empty page. */
  documents(query: DocumentsQuery, signal: AbortSignal): Promise<DocumentsPage>;
  readerTags(cursor: string | null, signal: AbortSignal): Promise<{ tags: ReaderTag[]; next: string | null }>;
  saveDocument(document: NewDocument, signal: AbortSignal): Promise<SavedDocument>;
  /** A highlight inside a Reader document; refused where its text does not stand there exactly so. */
  createReaderHighlight(highlight: NewReaderHighlight, signal: AbortSignal): Promise<SavedDocument>;
  /** Readwise accepts more than it keeps: read back what matters. */
  updateDocument(id: string, changes: DocumentChanges, signal: AbortSignal): Promise<void>;
  /** Up to fifty at once, each with its own outcome. */
  updateDocuments(updates: readonly DocumentUpdate[], signal: AbortSignal): Promise<UpdateOutcome[]>;
  deleteDocument(id: string, signal: AbortSignal): Promise<void>;
}

export type Tagged = "source" | "highlight";

interface PageOf<T> {
  count: number;
  next: string | null;
  results: T[];
  /** Records of this page that could not be read and were left out. */
  skipped: number;
}
interface SourcesQuery {
  page: number;
  pageSize: number;
  category?: string | undefined;
  updatedAfter?: string | undefined;
}
interface HighlightsQuery {
  page: number;
  pageSize: number;
  sourceId?: string | undefined;
  updatedAfter?: string | undefined;
}
export interface ExportQuery {
  updatedAfter?: string | undefined;
  ids?: readonly string[] | undefined;
  includeDeleted?: boolean | undefined;
  cursor?: string | null | undefined;
}
/** A source as the export has it. */
export interface ExportedSource {
  source: Source;
  is_deleted: boolean;
  highlights: { highlight: Highlight; is_deleted: boolean }[];
}
interface ExportPage {
  sources: ExportedSource[];
  next: string | null;
  skipped: number;
}
export interface Review {
  review_id: number | null;
  review_url: string | null;
  review_completed: boolean | null;
  highlights: ReviewHighlight[];
}
export interface NewHighlight {
  text: string;
  title?: string | undefined;
  author?: string | undefined;
  source_url?: string | undefined;
  source_type?: string | undefined;
  category?: string | undefined;
  note?: string | undefined;
  location?: number | undefined;
  location_type?: string | undefined;
  highlighted_at?: string | undefined;
  highlight_url?: string | undefined;
}
export type TouchedSource = Source & { modified_highlights: number[] };
export interface HighlightChanges {
  text?: string | undefined;
  note?: string | undefined;
  location?: number | undefined;
  color?: string | undefined;
}
export interface DocumentsQuery {
  id?: string | undefined;
  location?: string | undefined;
  category?: string | undefined;
  updatedAfter?: string | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
  withContent?: boolean | undefined;
}
export interface DocumentsPage {
  documents: Document[];
  next: string | null;
  skipped: number;
  /** How many match, as far as Readwise counts (it stops at 10,000). */
  count: number;
}
export interface NewDocument {
  url: string;
  title?: string | undefined;
  author?: string | undefined;
  summary?: string | undefined;
  tags?: string[] | undefined;
  location?: string | undefined;
  category?: string | undefined;
}
interface SavedDocument {
  id: string;
  url: string;
  created: boolean;
}
export interface NewReaderHighlight {
  parent_id: string;
  content: string;
  notes?: string | undefined;
  tags?: string[] | undefined;
}
export type DocumentUpdate = DocumentChanges & { id: string };
interface UpdateOutcome {
  id: string;
  success: boolean;
  error?: string;
}
export interface DocumentChanges {
  notes?: string | undefined;
  title?: string | undefined;
  author?: string | undefined;
  summary?: string | undefined;
  location?: string | undefined;
  tags?: string[] | undefined;
  seen?: boolean | undefined;
  reading_progress?: number | undefined;
}

/** Readwise refuses a URL with many more. */
const IDS_PER_REQUEST = 100;

/** The sources with these ids and all their highlights, in as many requests as needed. */
export async function exportByIds(
  ids: readonly string[],
  exported: (query: ExportQuery) => Promise<ExportPage>,
): Promise<ExportedSource[]> {
  const sources: ExportedSource[] = [];
  for (let i = 0; i < ids.length; i += IDS_PER_REQUEST) {
    let cursor: string | null = null;
    do {
      const page: ExportPage = await exported({ ids: ids.slice(i, i + IDS_PER_REQUEST), cursor });
      sources.push(...page.sources);
      cursor = page.next;
    } while (cursor !== null);
  }
  return sources;
}
