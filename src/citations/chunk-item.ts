import { isObject } from "../kernel/json.js";
import type { StoredChunk } from "../shelves/chunks/chunk-store.js";
import { type CslItem, type CslName, cleanCsl, parseName } from "./csl.js";

type Metadata = StoredChunk["metadata"];

/** The first value that `read` understands, at the places and under the names that callers use for the work. */
function firstIn<T>(metadata: Metadata, keys: readonly string[], read: (value: unknown) => T | undefined) {
  for (const place of [metadata.zotero, metadata.csl, metadata, metadata.source])
    for (const key of keys) {
      const found = isObject(place) ? read(place[key]) : undefined;
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Names in the forms callers send: one string or a list, of strings or of CSL's or Zotero's objects. */
const namesIn = (metadata: Metadata, ...keys: string[]) =>
  firstIn(metadata, keys, (value) => {
    const names = [value].flat().flatMap(nameOf);
    return names.length > 0 ? names : undefined;
  });

const authorsIn = (metadata: Metadata) => namesIn(metadata, "authors", "author", "creators");
const textIn = (metadata: Metadata, ...keys: string[]) => firstIn(metadata, keys, textOf);
const textOf = (value: unknown) => (typeof value === "string" && value.trim() ? value.trim() : undefined);

function nameOf(value: unknown): CslName[] {
  if (typeof value === "string") return value.trim() ? [parseName(value)] : [];
  if (!isObject(value)) return [];
  const last = textOf(value.family) ?? textOf(value.lastName);
  const first = textOf(value.given) ?? textOf(value.firstName);
  if (last) return [{ family: last, ...(first ? { given: first } : {}) }];
  const whole = textOf(value.literal) ?? textOf(value.name) ?? first;
  return whole ? [parseName(whole)] : [];
}

/** The authors a caller sent with a chunk. */
export function chunkAuthors({ metadata }: StoredChunk): string[] {
  return (authorsIn(metadata) ?? []).map(({ given, family, literal }) =>
    family ? [given, family].filter(Boolean).join(" ") : (literal ?? given ?? ""),
  );
}

/** The work of a chunk that was stored without its document. */
export function itemOfChunk(citekey: string, chunk: StoredChunk): CslItem {
  const { metadata } = chunk;
  return cleanCsl({
    id: citekey,
    type: textIn(metadata, "type") ?? (chunk.doi ? "article-journal" : "document"),
    title: chunk.title,
    author: authorsIn(metadata),
    translator: namesIn(metadata, "translators", "translator"),
    editor: namesIn(metadata, "editors", "editor"),
    issued: chunk.year === null ? undefined : { "date-parts": [[chunk.year]] },
    publisher: textIn(metadata, "publisher"),
    "publisher-place": textIn(metadata, "publisher-place", "place"),
    "container-title": textIn(metadata, "container-title", "publicationTitle", "journal"),
    DOI: chunk.doi,
    URL: chunk.url,
  });
}
