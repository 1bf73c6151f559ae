import { type DocumentFilters, documentListing, type HighlightFilters, highlightListing } from "./listing.js";
import type { SearchingPart } from "./search.js";
import type { Shared } from "./shared.js";
import { fieldChoice, showDocument, showHighlight } from "./showing.js";

interface Asked {
  query?: string | undefined;
  limit: number;
  fields?: string | undefined;
}

/** Search with filters; without a query only the filters select. */
export function findingPart(shared: Shared, { searchHighlights, searchDocuments }: SearchingPart) {
  return {
    async findHighlights(
      { query, limit, fields, ...filters }: Asked & HighlightFilters,
      mark: string | undefined,
      signal: AbortSignal,
    ) {
      const choose = fieldChoice("highlight", fields);
      const offset = Number(mark ?? 0);
      if (query === undefined) {
        const { rows, more, answer } = await highlightListing(shared, filters, { offset, limit }, signal);
        const results = rows.map(({ highlight, title, documentId }) => ({
          highlight: choose(showHighlight(highlight, documentId)),
          source_title: title,
        }));
        return { ...listed, ...answer, searched: answer.count, results, ...nextMark(offset, limit, more) };
      }
      const found = await searchHighlights({ query, limit, ...filters }, signal);
      return {
        ...found,
        not_searched: ["Reader documents, projects and notebooks: search_library searches all of them"],
        results: found.results.map(({ highlight, document_id, ...rest }) => ({
          ...rest,
          highlight: choose(showHighlight(highlight, document_id)),
        })),
      };
    },

    async findDocuments(
      { query, limit, fields, ...filters }: Asked & DocumentFilters,
      mark: string | undefined,
      signal: AbortSignal,
    ) {
      const choose = fieldChoice("document", fields);
      const offset = Number(mark ?? 0);
      if (query === undefined) {
        const { rows, more, answer } = await documentListing(shared, filters, { offset, limit }, signal);
        const results = rows.map((document) => ({ document: choose(showDocument(document)) }));
        return { ...listed, ...answer, searched: answer.count, results, ...nextMark(offset, limit, more) };
      }
      const found = await searchDocuments({ query, limit, ...filters }, signal);
      return {
        ...found,
        results: found.results.map(({ document, ...rest }) => ({ ...rest, document: choose(showDocument(document)) })),
      };
    },
  };
}

const listed = { complete: true, truncated: false };

const nextMark = (offset: number, limit: number, more: boolean) => ({
  next_cursor: more ? String(offset + limit) : null,
});
