import { ShelfError } from "../../../kernel/errors.js";
import { withoutNulls } from "../../../kernel/json.js";
import { BOOKS } from "../cache/cache.js";
import { exportList } from "../cache/upstream-lists.js";
import { exportByIds } from "../readwise-api.js";
import type { Highlight, ListedHighlight, ShownHighlight, ShownSource, Source } from "../schemas.js";
import { type HighlightFilters, highlightListing, type SourceFilters, sourceListing } from "./listing.js";
import type { Shared } from "./shared.js";
import { fieldChoice, listHighlight, showHighlight, showSource, skippedWarning, withWarnings } from "./showing.js";

interface Paged {
  page: number;
  page_size: number;
  fields?: string | undefined;
}

/** Reads sources and highlights by page or by item. */
export function highlightsPart(shared: Shared) {
  const { api, cached, datasets, keyHash } = shared;
  /** A cached export, perhaps outdated. */
  const known = () => datasets.peek(exportList(api, keyHash));

  /**
   * The list and detail endpoints lack fields of a highlight that the export of its source has. If the export fails, what
   * is there is used.
   */
  async function withSources(
    highlights: readonly Highlight[],
    signal: AbortSignal,
  ): Promise<{ shown: ShownHighlight; source: Source | undefined }[]> {
    const view = known();
    const sources = new Map<number, Source | undefined>();
    const exported = new Map<number, Highlight | undefined>();
    for (const { id, book_id } of highlights) {
      exported.set(id, view?.highlight(id));
      if (book_id !== null && !sources.has(book_id)) sources.set(book_id, view?.source(book_id));
    }
    const missing = highlights.filter(({ id, created_at }) => created_at === null && !exported.get(id));
    const ids = [...new Set(missing.flatMap(({ book_id }) => (book_id === null ? [] : [String(book_id)])))];
    for (const { source, highlights: all } of await orNothing(
      exportByIds(ids, (query) => api.exported(query, signal)),
    )) {
      sources.set(source.id, source);
      for (const { highlight } of all) if (exported.has(highlight.id)) exported.set(highlight.id, highlight);
    }
    return highlights.map((highlight) => {
      const source = sources.get(highlight.book_id ?? -1);
      const whole = withExported(highlight, exported.get(highlight.id));
      return { shown: showHighlight(whole, documentOf(source)), source };
    });
  }
  const completed = async (highlights: readonly Highlight[], signal: AbortSignal) =>
    (await withSources(highlights, signal)).map(({ shown }) => shown);

  return {
    completed,

    async listSources(query: Paged & SourceFilters, mark: string | undefined, signal: AbortSignal) {
      const { page_size, category, updated_after, filter, sort, fields } = query;
      const page = pageNumber(mark, query.page);
      const choose = fieldChoice("source", fields);
      if (filter !== undefined || sort !== undefined) {
        const { rows, next_cursor, answer } = await sourceListing(shared, query, pageBounds(page, page_size), signal);
        const results = rows.map((row) => choose(showSource(row)));
        return { ...pageMarks(page, next_cursor !== null), ...answer, results };
      }
      const found = await cached(BOOKS, { page, page_size, category, updated_after }, signal, (own) =>
        api.sources({ page, pageSize: page_size, category, updatedAfter: updated_after }, own),
      );
      const view = known();
      return {
        count: found.count,
        ...pageMarks(page, found.next !== null),
        results: found.results.map((source) => choose(showSource(withExportedSource(source, view?.source(source.id))))),
        ...withWarnings(skippedWarning(found.skipped)),
      };
    },

    async source(id: string, signal: AbortSignal): Promise<ShownSource> {
      const source = await api.source(id, signal);
      return showSource(withExportedSource(source, known()?.source(source.id)));
    },

    async listHighlights(query: Paged & HighlightFilters, mark: string | undefined, signal: AbortSignal) {
      const { page_size, source_id, updated_after, filter, sort, count_by, fields } = query;
      const page = pageNumber(mark, query.page);
      const choose = fieldChoice("highlight", fields);
      if (filter !== undefined || sort !== undefined || count_by !== undefined) {
        const { rows, next_cursor, answer } = await highlightListing(
          shared,
          query,
          pageBounds(page, page_size),
          signal,
        );
        return {
          ...pageMarks(page, next_cursor !== null),
          ...answer,
          results: rows.map(({ highlight, documentId, ...source }) =>
            choose(listHighlight(showHighlight(highlight, documentId), source)),
          ),
        };
      }
      const found = await api.highlights(
        { page, pageSize: page_size, sourceId: source_id, updatedAfter: updated_after },
        signal,
      );
      return {
        count: found.count,
        ...pageMarks(page, found.next !== null),
        results: (await withSources(found.results, signal)).map(({ shown, source }) =>
          choose(listHighlight(shown, source)),
        ),
        ...withWarnings(skippedWarning(found.skipped)),
      };
    },

    async highlight(id: string, signal: AbortSignal): Promise<ListedHighlight> {
      const [found] = await withSources([await api.highlight(id, signal)], signal);
      return listHighlight(found!.shown, found!.source);
    },

    async dailyReview(signal: AbortSignal) {
      const { highlights, ...review } = await api.review(signal);
      const view = known();
      const shown = await Promise.all(
        highlights.map(async (highlight) => {
          // The review has neither source nor tags; its few highlights are looked up one by one.
          const [found] = await orNothing(
            view?.highlight(highlight.id) ? [] : api.highlight(String(highlight.id), signal).then((one) => [one]),
          );
          const whole = view?.highlight(highlight.id) ?? found;
          return withoutNulls({
            ...highlight,
            readwise_url: `https://readwise.io/open/${highlight.id}`,
            ...(whole && { tags: whole.tags, source_id: whole.book_id }),
          });
        }),
      );
      return { ...review, highlights: shown };
    },

    async tagsOf(kind: "source" | "highlight", id: string, signal: AbortSignal) {
      const tags = await api.tagsOf(kind, id, signal);
      return { tags, count: tags.length };
    },
  };
}

export type HighlightsPart = ReturnType<typeof highlightsPart>;

const documentOf = (source: Source | undefined) => (source?.source === "reader" ? source.external_id : null);

/** Extra fields are worth one more request, but not a failure. */
async function orNothing<T>(work: Promise<T[]> | T[]): Promise<T[]> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ShelfError) return [];
    throw error;
  }
}

/** The page to read: the cursor of an earlier answer, otherwise the requested page. */
const pageNumber = (mark: string | undefined, page: number) => (mark === undefined ? page : Number(mark));
const pageBounds = (page: number, size: number) => ({ offset: (page - 1) * size, limit: size });
const pageMarks = (page: number, more: boolean) => ({
  next: null,
  previous: page > 1 ? page - 1 : null,
  truncated: false,
  next_cursor: more ? String(page + 1) : null,
});

/** Fields that only the export has. */
const EXPORTED = {
  highlight: ["created_at", "is_favorite", "is_discard", "external_id", "readwise_url"],
  source: ["readable_title", "unique_url", "summary", "external_id", "asin"],
} as const;

const withExported = (highlight: Highlight, exported: Highlight | undefined) =>
  completedBy(highlight, exported, EXPORTED.highlight);
const withExportedSource = (source: Source, exported: Source | undefined) =>
  completedBy(source, exported, EXPORTED.source);

function completedBy<T extends object>(record: T, exported: T | undefined, fields: readonly (keyof T)[]): T {
  if (!exported) return record;
  return { ...record, ...Object.fromEntries(fields.map((field) => [field, record[field] ?? exported[field]])) };
}
