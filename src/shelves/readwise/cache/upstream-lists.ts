import { exportByIds, type ReadwiseApi } from "../readwise-api.js";
import type { Document } from "../schemas.js";
import { cacheKey, EXPORT, journalName, LIST } from "./cache.js";
import type { ListPage, UpstreamList } from "./datasets.js";
import { createDocumentSet, type DocumentSet, documentRecord, goneDocument, idOfRecord } from "./document-set.js";
import { goneHighlight, recordsOf } from "./highlight-records.js";
import { createHighlightSet, type HighlightSet } from "./highlight-set.js";

const DAY_MS = 24 * 3600_000;
/** The list has no deletion marks: only a complete list shows which documents are gone. */
const RELIST_MS = DAY_MS / 4;

/** A list of at most this many pages is fetched completely whenever it has expired: half of what Reader allows per minute. */
const CHEAP_PAGES = 10;
/** The version of cached records: change it with their fields, because a shared cache outlives a program. */
const LAYOUT = 2;

/** Journal notes of our own writes that an update by changes may not show. */
export const NOTES = {
  highlightDeleted: (id: string) => `-h ${id}`,
  highlightTagged: (id: string) => `h ${id}`,
  sourceTagged: (id: string) => `s ${id}`,
  documentDeleted: (id: string) => `-d ${id}`,
};

/** The whole export, or with `updatedAfter` the changes since then. */
export function exportList(api: ReadwiseApi, keyHash: string, updatedAfter?: string): UpstreamList<HighlightSet> {
  const page = async (query: Parameters<ReadwiseApi["exported"]>[0], signal: AbortSignal): Promise<ListPage> => {
    const { sources, next, skipped } = await api.exported(query, signal);
    const highlights = sources.flatMap((source) => source.highlights.map(({ highlight }) => highlight));
    return { records: recordsOf(sources), next, newest: latestChange(highlights), skipped };
  };
  const list: UpstreamList<HighlightSet> = {
    of: "highlights",
    key: cacheKey(keyHash, EXPORT, { updatedAfter, layout: LAYOUT }),
    journal: journalName(keyHash, EXPORT),
    empty: createHighlightSet,
    page: (cursor, signal) => page({ cursor, updatedAfter }, signal),
  };
  if (updatedAfter !== undefined) return list;
  return {
    ...list,
    refetchAfterMs: DAY_MS,
    changes: (since, cursor, signal) => page({ updatedAfter: since, includeDeleted: true, cursor }, signal),
    async afterWrites(view, notes, signal) {
      const records: string[] = [];
      const sources = new Set<string>();
      for (const note of notes) {
        const [kind, id = ""] = note.split(" ");
        if (kind === "-h") records.push(goneHighlight(Number(id)));
        if (kind === "s") sources.add(id);
        const source = kind === "h" ? view.highlight(Number(id))?.book_id : undefined;
        if (source) sources.add(String(source));
      }
      const written = await exportByIds([...sources], (query) => api.exported(query, signal));
      return records.concat(recordsOf(written));
    },
  };
}

function latestChange(records: readonly { updated_at: string | null }[]): string | null {
  let latest: string | null = null;
  for (const { updated_at } of records)
    if (updated_at !== null && (latest === null || updated_at > latest)) latest = updated_at;
  return latest;
}

export interface DocumentFilter {
  location?: string | undefined;
  category?: string | undefined;
}

/** Reader's documents; a filter is sent upstream, to fetch fewer pages. */
export function documentList(
  api: ReadwiseApi,
  keyHash: string,
  filter: DocumentFilter = {},
): UpstreamList<DocumentSet> {
  const { location, category } = filter;
  const matches = (document: Document) =>
    (location === undefined || document.location === location) &&
    (category === undefined || document.category === category);
  const page = async (query: Parameters<ReadwiseApi["documents"]>[0], signal: AbortSignal): Promise<ListPage> => {
    const { documents, next, skipped } = await api.documents(query, signal);
    // After a change a document may no longer match the filter.
    return {
      records: documents.map((document) => (matches(document) ? documentRecord(document) : goneDocument(document.id))),
      next,
      newest: latestChange(documents),
      skipped,
    };
  };
  return {
    of: "documents",
    // Must differ from the key of a page of the same list.
    key: cacheKey(keyHash, LIST, { location, category, whole: true, layout: LAYOUT }),
    journal: journalName(keyHash, LIST),
    empty: createDocumentSet,
    refetchAfterMs: RELIST_MS,
    relist: {
      mostPages: CHEAP_PAGES,
      idOf: idOfRecord,
      gone: (view, seen) => [...view.ids()].filter((id) => !seen.has(id)).map(goneDocument),
    },
    page: (cursor, signal) => page({ location, category, limit: 100, cursor }, signal),
    changes: (since, cursor, signal) => page({ updatedAfter: since, limit: 100, cursor }, signal),
    async afterWrites(_view, notes) {
      return notes.filter((note) => note.startsWith("-d ")).map((note) => goneDocument(note.slice(3)));
    },
  };
}
