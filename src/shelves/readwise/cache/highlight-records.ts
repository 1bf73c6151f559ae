import type { ExportedSource } from "../readwise-api.js";
import type { Highlight, Tag } from "../schemas.js";
import type { Record_ } from "./record-log.js";

// The export as records: arrays in JSON, their kind first, then the fields in a fixed order.

export const SOURCE = 0;
export const HIGHLIGHT = 1;
export const SOURCE_GONE = 2;
export const HIGHLIGHT_GONE = 3;

/** The fields of a source's record between its id and its tags. */
export const SOURCE_FIELDS = [
  "title",
  "readable_title",
  "author",
  "category",
  "source",
  "cover_image_url",
  "source_url",
  "readwise_url",
  "unique_url",
  "document_note",
  "summary",
  "asin",
] as const;

export const TAGS = SOURCE_FIELDS.length + 2;
const packTags = (tags: readonly Tag[]) => tags.map(({ id, name }) => [id, name]);
export const unpackTags = (tags: unknown): Tag[] =>
  (tags as [number, string][]).map((tag) => ({ id: tag[0], name: tag[1] }));

/** A page of the export as records. Deleted items become deletion marks. */
export function recordsOf(sources: readonly ExportedSource[]): string[] {
  const records: string[] = [];
  for (const { source: s, is_deleted, highlights } of sources) {
    if (is_deleted) {
      records.push(JSON.stringify([SOURCE_GONE, s.id]));
      continue;
    }
    records.push(
      JSON.stringify([SOURCE, s.id, ...SOURCE_FIELDS.map((name) => s[name]), packTags(s.tags), s.external_id]),
    );
    for (const { highlight: h, is_deleted: gone } of highlights)
      records.push(gone ? JSON.stringify([HIGHLIGHT_GONE, h.id]) : JSON.stringify(packHighlight(h, s.id)));
  }
  return records;
}

/** Records of our own writes that are applied without asking upstream. */
export const goneHighlight = (id: number) => JSON.stringify([HIGHLIGHT_GONE, id]);

function packHighlight(h: Highlight, source: number): unknown[] {
  const usualUrl = h.readwise_url === `https://readwise.io/open/${h.id}` ? 0 : h.readwise_url;
  const flags = (h.is_favorite ? 1 : 0) | (h.is_discard ? 2 : 0);
  const updated = h.updated_at === h.created_at ? 0 : h.updated_at;
  return [
    HIGHLIGHT,
    h.id,
    h.book_id ?? source,
    h.text,
    h.note,
    h.location,
    h.location_type,
    h.color,
    h.highlighted_at,
    h.created_at,
    updated,
    h.url,
    usualUrl,
    packTags(h.tags),
    flags,
    h.external_id,
  ];
}

/** The reverse, by index: destructuring would be most of the cost of an answer. */
export function unpackHighlight(record: Record_): Highlight {
  const [id, created_at, flags] = [record[1], record[9], record[14] as number];
  return {
    id,
    text: record[3],
    note: record[4],
    location: record[5],
    location_type: record[6],
    color: record[7],
    highlighted_at: record[8],
    created_at,
    updated_at: record[10] === 0 ? created_at : record[10],
    book_id: record[2],
    url: record[11],
    readwise_url: record[12] === 0 ? `https://readwise.io/open/${id}` : record[12],
    tags: unpackTags(record[13]),
    is_favorite: (flags & 1) === 1,
    is_discard: (flags & 2) === 2,
    external_id: record[15],
  } as Highlight; // packHighlight wrote these fields in this order
}
