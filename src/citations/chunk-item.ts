import type { StoredChunk } from "../shelves/chunks/chunk-store.js";
import { type CslItem, type CslName, cleanCsl, parseName } from "./csl.js";

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Metadata keys that callers use for the work. */
const placesIn = (metadata: Record<string, unknown>) => [
  asRecord(metadata.zotero),
  asRecord(metadata.csl),
  metadata,
  asRecord(metadata.source),
];

/** Names in the forms callers send: one string or a list, of strings or of CSL's or Zotero's objects. */
function namesIn(metadata: Record<string, unknown>, ...keys: string[]): CslName[] {
  for (const place of placesIn(metadata))
    for (const key of keys) {
      const given = Array.isArray(place[key]) ? (place[key] as unknown[]) : [place[key]];
      const names = given.flatMap(nameOf);
      if (names.length > 0) return names;
    }
  return [];
}

function nameOf(value: unknown): CslName[] {
  if (typeof value === "string") return value.trim() ? [parseName(value)] : [];
  const { family, lastName, given, firstName, literal, name } = asRecord(value);
  const text = (part: unknown) => (typeof part === "string" && part.trim() ? part.trim() : undefined);
  const last = text(family) ?? text(lastName);
  const first = text(given) ?? text(firstName);
  if (last) return [{ family: last, ...(first ? { given: first } : {}) }];
  const whole = text(literal) ?? text(name) ?? first;
  return whole ? [parseName(whole)] : [];
}

function textIn(metadata: Record<string, unknown>, ...keys: string[]): string | undefined {
  for (const place of placesIn(metadata))
    for (const key of keys) {
      const value = place[key];
      if (typeof value === "string" && value.trim()) return value.trim();
    }
  return undefined;
}

/** The authors a caller sent with a chunk. */
export function chunkAuthors({ metadata }: StoredChunk): string[] {
  return namesIn(metadata, "authors", "author", "creators").map(({ given, family, literal }) =>
    family ? [given, family].filter(Boolean).join(" ") : (literal ?? given ?? ""),
  );
}

/** The work of a chunk that was stored without its document. */
export function itemOfChunk(citekey: string, chunk: StoredChunk): CslItem {
  const { metadata } = chunk;
  const author = namesIn(metadata, "authors", "author", "creators");
  const translator = namesIn(metadata, "translators", "translator");
  const editor = namesIn(metadata, "editors", "editor");
  return cleanCsl({
    id: citekey,
    type: textIn(metadata, "type") ?? (chunk.doi ? "article-journal" : "document"),
    title: chunk.title ?? undefined,
    ...(author.length > 0 ? { author } : {}),
    ...(translator.length > 0 ? { translator } : {}),
    ...(editor.length > 0 ? { editor } : {}),
    ...(chunk.year === null ? {} : { issued: { "date-parts": [[chunk.year]] } }),
    publisher: textIn(metadata, "publisher"),
    "publisher-place": textIn(metadata, "publisher-place", "place"),
    "container-title": textIn(metadata, "container-title", "publicationTitle", "journal"),
    ...(chunk.doi ? { DOI: chunk.doi } : {}),
    ...(chunk.url ? { URL: chunk.url } : {}),
  });
}
