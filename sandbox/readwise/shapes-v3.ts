import { readerUrl } from "./library.js";
import type { ReaderDocument } from "./records.js";

/** Microseconds and a numeric offset. */
function time(at: number): string {
  return new Date(at).toISOString().replace("Z", "000+00:00");
}

const timeOrNull = (at: number | null) => (at === null ? null : time(at));

export function htmlOf({ html }: ReaderDocument): string {
  return typeof html === "function" ? html() : html;
}

export interface DocumentExtras {
  html?: boolean;
  withoutHtml?: boolean;
  rawSourceUrl?: (document: ReaderDocument) => string;
}

export function documentShape(document: ReaderDocument, { html, withoutHtml, rawSourceUrl }: DocumentExtras) {
  return {
    id: document.id,
    url: readerUrl(document.id),
    title: document.title,
    author: document.author,
    source: document.source,
    category: document.category,
    location: document.location,
    tags: document.tags,
    site_name: document.site_name,
    word_count: document.word_count,
    reading_time: document.reading_time,
    listening_time: document.listening_time,
    created_at: time(document.created_at),
    updated_at: time(document.updated_at),
    published_date: document.published_date,
    summary: document.summary,
    image_url: document.image_url,
    content: document.content,
    source_url: document.source_url,
    notes: document.notes,
    parent_id: document.parent_id,
    reading_progress: document.reading_progress,
    first_opened_at: timeOrNull(document.first_opened_at),
    last_opened_at: timeOrNull(document.last_opened_at),
    saved_at: time(document.saved_at),
    last_moved_at: time(document.last_moved_at),
    ...(document.category === "highlight"
      ? { highlight_offset: document.highlight_offset, highlight_location: document.highlight_location }
      : {}),
    ...(html ? { html_content: withoutHtml ? "" : htmlOf(document) } : {}),
    ...(rawSourceUrl ? { raw_source_url: document.hasRawSource ? rawSourceUrl(document) : "" } : {}),
  };
}

export function savedShape({ id }: ReaderDocument) {
  return { id, url: readerUrl(id) };
}
