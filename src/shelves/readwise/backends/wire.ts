import { ShelfError } from "../../../kernel/errors.js";
import type { ExportedSource, Review, TouchedSource } from "../readwise-api.js";
import type { Document, Highlight, ReaderTag, Source, Tag } from "../schemas.js";

// Parses the answers of Readwise leniently: only the fields we use. The same field has several names upstream
// (`id`/`user_book_id`, `tags`/`book_tags`, `updated`/`updated_at`); here they become one.

export type Json = Record<string, unknown>;

export function object(value: unknown, what: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw unreadable(what);
}
export function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw unreadable(what);
}
export function unreadable(what: string): ShelfError {
  return new ShelfError("upstream_error", `Readwise answered ${what} in a form that cannot be read. Call again later.`);
}

export const str = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : null;
export const num = (value: unknown): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
};
const bool = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null);
const filled = (value: unknown): string | null => str(value) || null;

export function whole(value: unknown, what: string): number {
  const number = num(value);
  if (number !== null && Number.isInteger(number)) return number;
  throw unreadable(what);
}

/** Called for every unreadable record, which is left out of the answer. */
export type OnUnreadable = () => void;

/** The readable records. */
export function readable<T>(values: readonly unknown[], read: (value: unknown) => T, onUnreadable: OnUnreadable): T[] {
  return values.flatMap((value) => {
    try {
      return [read(value)];
    } catch (error) {
      if (!(error instanceof ShelfError)) throw error;
      onUnreadable();
      return [];
    }
  });
}

export function toTag(value: unknown): Tag {
  const raw = object(value, "a tag");
  return { id: whole(raw.id, "a tag"), name: str(raw.name) ?? "" };
}
const toTags = (value: unknown, onUnreadable: OnUnreadable): Tag[] =>
  Array.isArray(value) ? readable(value, toTag, onUnreadable) : [];

export function toReaderTag(value: unknown): ReaderTag {
  const raw = object(value, "a Reader tag");
  const name = str(raw.name) ?? "";
  return { key: str(raw.key) ?? name, name };
}

export function toSource(value: unknown, onUnreadable: OnUnreadable = () => {}): Source {
  const raw = object(value, "a source");
  return {
    id: whole(raw.id ?? raw.user_book_id, "a source"),
    title: str(raw.title),
    readable_title: str(raw.readable_title),
    author: str(raw.author),
    category: str(raw.category),
    source: str(raw.source),
    cover_image_url: filled(raw.cover_image_url),
    source_url: filled(raw.source_url),
    readwise_url: filled(raw.readwise_url ?? raw.highlights_url),
    unique_url: filled(raw.unique_url),
    highlight_count: num(raw.num_highlights),
    tags: toTags(raw.tags ?? raw.book_tags, onUnreadable),
    document_note: str(raw.document_note),
    summary: str(raw.summary),
    last_highlight_at: str(raw.last_highlight_at),
    updated_at: str(raw.updated_at ?? raw.updated),
    asin: filled(raw.asin),
    external_id: filled(raw.external_id),
  };
}

export function toTouchedSource(value: unknown): TouchedSource {
  const modified = object(value, "a source").modified_highlights;
  return {
    ...toSource(value),
    modified_highlights: Array.isArray(modified) ? modified.map((id) => whole(id, "a highlight id")) : [],
  };
}

export function toHighlight(value: unknown, onUnreadable: OnUnreadable = () => {}): Highlight {
  const raw = object(value, "a highlight");
  return {
    id: whole(raw.id, "a highlight"),
    text: str(raw.text) ?? "",
    note: str(raw.note),
    location: num(raw.location),
    location_type: str(raw.location_type),
    color: str(raw.color),
    highlighted_at: str(raw.highlighted_at),
    created_at: str(raw.created_at),
    updated_at: str(raw.updated_at ?? raw.updated),
    book_id: num(raw.book_id),
    url: filled(raw.url),
    readwise_url: filled(raw.readwise_url),
    tags: toTags(raw.tags, onUnreadable),
    is_favorite: bool(raw.is_favorite),
    is_discard: bool(raw.is_discard),
    external_id: filled(raw.external_id),
  };
}

export function toExportedSource(value: unknown, onUnreadable: OnUnreadable = () => {}): ExportedSource {
  const raw = object(value, "the export");
  const highlights = readable(
    list(raw.highlights ?? [], "the export"),
    (item) => ({
      highlight: toHighlight(item, onUnreadable),
      is_deleted: object(item, "the export").is_deleted === true,
    }),
    onUnreadable,
  );
  return {
    source: toSource(value, onUnreadable),
    is_deleted: raw.is_deleted === true,
    highlights,
  };
}

export function toReview(value: unknown): Review {
  const raw = object(value, "the daily review");
  return {
    review_id: num(raw.review_id),
    review_url: str(raw.review_url),
    review_completed: bool(raw.review_completed),
    highlights: list(raw.highlights ?? [], "the daily review").map((item) => {
      const one = object(item, "the daily review");
      return {
        id: whole(one.id, "the daily review"),
        text: str(one.text) ?? "",
        title: str(one.title),
        author: str(one.author),
        url: str(one.url),
        source_url: str(one.source_url),
        source_type: str(one.source_type),
        category: str(one.category),
        location_type: str(one.location_type),
        location: num(one.location),
        note: str(one.note),
        highlighted_at: str(one.highlighted_at),
        highlight_url: str(one.highlight_url),
        image_url: str(one.image_url),
        api_source: str(one.api_source),
      };
    }),
  };
}

export function toDocument(value: unknown): Document {
  const raw = object(value, "a document");
  const id = str(raw.id);
  if (!id) throw unreadable("a document");
  return {
    id,
    url: filled(raw.url),
    source_url: filled(raw.source_url),
    title: str(raw.title),
    author: str(raw.author),
    source: str(raw.source),
    category: str(raw.category),
    location: str(raw.location),
    tags: toTagMap(raw.tags),
    site_name: str(raw.site_name),
    word_count: num(raw.word_count),
    reading_time: str(raw.reading_time),
    listening_time: filled(raw.listening_time),
    created_at: str(raw.created_at),
    updated_at: str(raw.updated_at),
    published_date: toDay(raw.published_date),
    summary: str(raw.summary),
    image_url: filled(raw.image_url),
    notes: str(raw.notes),
    parent_id: str(raw.parent_id),
    reading_progress: num(raw.reading_progress),
    first_opened_at: str(raw.first_opened_at),
    last_opened_at: str(raw.last_opened_at),
    last_moved_at: str(raw.last_moved_at),
    saved_at: str(raw.saved_at),
    content: filled(raw.html_content) ?? str(raw.content),
    highlight_offset: num(raw.highlight_offset),
    highlight_location: filled(raw.highlight_location),
  };
}

function toTagMap(value: unknown): Document["tags"] {
  if (typeof value !== "object" || value === null) return null;
  const tags = new Map<string, { name: string }>();
  for (const [key, tag] of Object.entries(value)) {
    const name = typeof tag === "object" && tag !== null ? str((tag as Json).name) : str(tag);
    tags.set(key, { name: name ?? key });
  }
  return Object.fromEntries(tags);
}

/** Upstream sends a day, or milliseconds since 1970, or nothing. */
function toDay(value: unknown): string | null {
  if (typeof value !== "number") return filled(value);
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
