import type { Filters, StoredChunk } from "../chunk-store.js";

type Filterable = Pick<StoredChunk, "tags" | "citekey" | "doc_id" | "year" | "section_path" | "metadata">;

/** The meaning of each filter, shared by all stores. An empty list filters nothing. */
export function matches(chunk: Filterable, filters: Filters): boolean {
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

export function isEmpty(filters: Filters | undefined): boolean {
  return (
    !filters ||
    Object.values(filters).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))
  );
}
