/** What an account holds. Times are epoch milliseconds here; the wire formats differ per endpoint (see shapes). */

export interface Tag {
  id: number;
  name: string;
}

export interface Book {
  id: number;
  title: string;
  author: string | null;
  category: string;
  source: string;
  cover_image_url: string | null;
  source_url: string | null;
  asin: string | null;
  unique_url: string | null;
  summary: string | null;
  document_note: string | null;
  external_id: string;
  tags: Tag[];
  updated: number;
  is_deleted: boolean;
  highlights: Highlight[];
}

export interface Highlight {
  id: number;
  book_id: number;
  text: string;
  note: string | null;
  location: number | null;
  location_type: string;
  color: string;
  highlighted_at: number | null;
  created_at: number;
  updated_at: number;
  external_id: string | null;
  url: string | null;
  tags: Tag[];
  /** Names whose tag was removed: the note's inline `.tag` does not bring them back. */
  removedTags: string[];
  is_favorite: boolean;
  is_discard: boolean;
  is_deleted: boolean;
}

export type ReaderTags = Record<string, { name: string; type: "manual"; created: number }>;

export interface ReaderDocument {
  id: string;
  title: string | null;
  author: string | null;
  source: string | null;
  category: string;
  location: string | null;
  tags: ReaderTags | null;
  site_name: string | null;
  word_count: number | null;
  reading_time: string | null;
  listening_time: string | null;
  created_at: number;
  updated_at: number;
  saved_at: number;
  last_moved_at: number;
  published_date: string | number | null;
  summary: string | null;
  image_url: string | null;
  content: string | null;
  source_url: string | null;
  notes: string;
  parent_id: string | null;
  reading_progress: number;
  first_opened_at: number | null;
  last_opened_at: number | null;
  /** Where a highlight begins in its parent's text; only highlights have them. */
  highlight_offset: number | null;
  highlight_location: string | null;
  /** A function where the text is made only when somebody asks for it. */
  html: string | (() => string);
  /** Whether Reader may hand out the original file (uploads). */
  hasRawSource: boolean;
}

export type NewBook = Pick<Book, "title"> & Partial<Omit<Book, "id" | "tags" | "highlights">> & { tags?: string[] };
export type NewHighlight = Pick<Highlight, "text"> &
  Partial<Omit<Highlight, "id" | "book_id" | "tags">> & { tags?: string[] };
export type NewDocument = Pick<ReaderDocument, "category"> &
  Partial<Omit<ReaderDocument, "id" | "tags">> & { tags?: string[] | null };
export type NewReaderHighlight = Omit<NewHighlight, "url" | "external_id">;
