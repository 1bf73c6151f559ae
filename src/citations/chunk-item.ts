import type { StoredChunk } from "../shelves/chunks/chunk-store.js";
import { type CslItem, cleanCsl, parseName } from "./csl.js";

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** The authors a caller sent with a chunk: a list or one text, under any of the usual names. */
export function chunkAuthors({ metadata }: StoredChunk): string[] {
  for (const place of [asRecord(metadata.zotero), metadata, asRecord(metadata.source)])
    for (const field of [place.authors, place.author]) {
      const names = (Array.isArray(field) ? field : [field]).filter((name) => typeof name === "string" && name.trim());
      if (names.length > 0) return names as string[];
    }
  return [];
}

/** What a chunk stored without its document says about the work. */
export function itemOfChunk(citekey: string, chunk: StoredChunk): CslItem {
  const given = asRecord(chunk.metadata.zotero);
  const authors = chunkAuthors(chunk);
  const year = chunk.year ?? (typeof given.year === "number" ? given.year : null);
  return cleanCsl({
    id: citekey,
    type: chunk.doi ? "article-journal" : "document",
    title: given.title ?? chunk.title ?? undefined,
    ...(authors.length > 0 ? { author: authors.map(parseName) } : {}),
    ...(year === null ? {} : { issued: { "date-parts": [[year]] } }),
    ...(chunk.doi ? { DOI: chunk.doi } : {}),
    ...(chunk.url ? { URL: chunk.url } : {}),
  });
}
