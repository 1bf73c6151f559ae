import type { Book, Highlight, Tag } from "./records.js";

/** The wire shapes of v2. The same thing has other keys in a list than in an export; neither is a superset. */

/** Microseconds and `Z`; a whole second has no fraction. */
function listTime(at: number): string {
  const iso = new Date(at).toISOString();
  return at % 1000 === 0 ? iso.replace(".000Z", "Z") : iso.replace("Z", "000Z");
}

function exportTime(at: number): string {
  return new Date(at).toISOString();
}

const orNull = (at: number | null, format: (at: number) => string) => (at === null ? null : format(at));

export function tagShape({ id, name }: Tag) {
  return { id, name };
}

export function liveHighlightsOf(book: Book): Highlight[] {
  return book.highlights.filter((highlight) => !highlight.is_deleted);
}

export function lastHighlightAt(book: Book): number | null {
  let last: number | null = null;
  for (const { is_deleted, highlighted_at } of book.highlights)
    if (!is_deleted && highlighted_at !== null && (last === null || highlighted_at > last)) last = highlighted_at;
  return last;
}

export function bookShape(book: Book) {
  return {
    id: book.id,
    title: book.title,
    author: book.author,
    category: book.category,
    source: book.source,
    num_highlights: liveHighlightsOf(book).length,
    last_highlight_at: orNull(lastHighlightAt(book), listTime),
    updated: listTime(book.updated),
    cover_image_url: book.cover_image_url,
    highlights_url: `https://readwise.io/bookreview/${book.id}`,
    source_url: book.source_url,
    asin: book.asin,
    tags: book.tags.map(({ id, name }) => ({ id, user_book: book.id, name })),
    document_note: book.document_note ?? "",
  };
}

export function createdBookShape(book: Book, modified: number[]) {
  return {
    ...bookShape(book),
    resurface_weighting: 1.0,
    source_syncs_all_books_together: false,
    modified_highlights: modified,
  };
}

export function highlightShape(highlight: Highlight) {
  return {
    id: highlight.id,
    text: highlight.text,
    note: highlight.note,
    location: highlight.location,
    location_type: highlight.location_type,
    highlighted_at: orNull(highlight.highlighted_at, listTime),
    url: highlight.url,
    color: highlight.color,
    updated: listTime(highlight.updated_at),
    book_id: highlight.book_id,
    tags: highlight.tags.map(tagShape),
    external_id: highlight.external_id,
  };
}

export function exportBookShape(book: Book, highlights: Highlight[]) {
  return {
    user_book_id: book.id,
    is_deleted: book.is_deleted,
    title: book.title,
    author: book.author,
    readable_title: readableTitle(book.title),
    source: book.source,
    cover_image_url: book.cover_image_url,
    unique_url: book.unique_url,
    summary: book.summary,
    book_tags: book.tags.map(tagShape),
    category: book.category,
    document_note: book.document_note,
    readwise_url: `https://readwise.io/bookreview/${book.id}`,
    source_url: book.source_url,
    external_id: book.external_id,
    asin: book.asin,
    highlights: highlights.map(exportHighlightShape),
  };
}

function exportHighlightShape(highlight: Highlight) {
  return {
    id: highlight.id,
    is_deleted: highlight.is_deleted,
    text: highlight.text,
    location: highlight.location,
    location_type: highlight.location_type,
    note: highlight.note,
    color: highlight.color,
    highlighted_at: orNull(highlight.highlighted_at, exportTime),
    created_at: exportTime(highlight.created_at),
    updated_at: exportTime(highlight.updated_at),
    external_id: highlight.external_id,
    end_location: null,
    url: highlight.url,
    book_id: highlight.book_id,
    tags: highlight.tags.map(tagShape),
    is_favorite: highlight.is_favorite,
    is_discard: highlight.is_discard,
    readwise_url: `https://readwise.io/open/${highlight.id}`,
  };
}

/** The title without what follows a series or edition bracket. */
function readableTitle(title: string): string {
  return title.replace(/\s*\([^()]*\)\s*$/, "") || title;
}

export function reviewItemShape(highlight: Highlight, book: Book) {
  const singular: Record<string, string> = { books: "book", articles: "article", tweets: "tweet", podcasts: "podcast" };
  return {
    id: highlight.id,
    text: highlight.text,
    title: book.title,
    author: book.author,
    url: highlight.url,
    source_url: book.source_url,
    source_type: singular[book.category] ?? "book",
    category: book.category === "books" ? null : book.category,
    location_type: highlight.location_type,
    location: highlight.location ?? 0,
    note: highlight.note,
    highlighted_at: orNull(highlight.highlighted_at, listTime),
    highlight_url: highlight.external_id === null ? highlight.url : null,
    image_url: book.cover_image_url,
    api_source: book.source.startsWith("api_") ? book.source : null,
  };
}
