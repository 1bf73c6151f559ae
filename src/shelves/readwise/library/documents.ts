import { ShelfError } from "../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../kernel/json-or-undefined.js";
import { LIST, READER_TAGS } from "../cache/endpoints.js";
import { exportFeed, NOTES } from "../cache/feeds.js";
import type { DocumentsPage } from "../readwise-api.js";
import type { Document, Highlight, ReaderTag } from "../schemas.js";
import { fitting, windowOf } from "./answer-budget.js";
import type { Shared } from "./library.js";

export interface ListDocuments {
  location?: string | undefined;
  category?: string | undefined;
  updated_after?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}
export interface ReadDocument {
  id: string;
  include_content: boolean;
  include_highlights: boolean;
  content_offset: number;
  content_max_chars: number;
}

export function documentsPart({ api, cached, written, datasets, keyHash }: Shared) {
  /** One document, asked for anew. */
  async function fetchDocument(id: string, signal: AbortSignal, withContent = false): Promise<Document> {
    const { documents } = await api.documents({ id, withContent }, signal);
    const document = documents.find((one) => one.id === id);
    if (document) return document;
    await written([LIST], NOTES.documentDeleted(id));
    throw new ShelfError(
      "not_found",
      `Reader has no document ${id}. Look it up with list_documents or search_documents.`,
    );
  }

  async function highlightsOf(document: Document, signal: AbortSignal) {
    const { view, complete, retry_after } = await datasets.open(exportFeed(api, keyHash), signal);
    const source = view.sourceOfDocument(document);
    const all: Highlight[] = source === undefined ? [] : view.highlightsOf(source);
    const highlights = fitting(all, 60_000);
    return {
      highlights,
      highlight_source_id: source ?? null,
      highlights_complete: complete && highlights.length === all.length,
      ...(highlights.length < all.length
        ? { hint: `${all.length - highlights.length} more highlights: list_highlights with source_id ${source}.` }
        : {}),
      ...(retry_after === undefined ? {} : { retry_after }),
    };
  }

  return {
    fetchDocument,

    async listDocuments({ location, category, updated_after, limit, cursor }: ListDocuments, signal: AbortSignal) {
      const { upstream, skip } = readCursor(cursor);
      const page: DocumentsPage = await cached(
        LIST,
        { location, category, updatedAfter: updated_after, limit, pageCursor: upstream ?? undefined },
        signal,
        (shared) => api.documents({ location, category, updatedAfter: updated_after, limit, cursor: upstream }, shared),
      );
      const rest = page.documents.slice(skip);
      const results = fitting(rest);
      const cut = results.length < rest.length;
      const next_cursor = cut
        ? writeCursor(upstream, skip + results.length)
        : page.next === null
          ? null
          : writeCursor(page.next, 0);
      return {
        count: Math.max(page.count, page.documents.length),
        results,
        has_more: next_cursor !== null,
        next_cursor,
        truncated: cut,
        ...(cut ? { hint: "Call again with cursor set to next_cursor for the rest of this page." } : {}),
      };
    },

    async document(
      { id, include_content, include_highlights, content_offset, content_max_chars }: ReadDocument,
      signal: AbortSignal,
    ) {
      const document = await fetchDocument(id, signal, include_content);
      const joined = include_highlights ? await highlightsOf(document, signal) : {};
      if (!include_content) return { ...document, ...joined };
      if (!document.content)
        return {
          ...document,
          content: null,
          content_length: 0,
          truncated: false,
          hint: "Reader has no text of this document, or is still fetching it.",
          ...joined,
        };
      const { text, length, truncated, next } = windowOf(document.content, content_offset, content_max_chars);
      return { ...document, content: text, content_length: length, truncated, next_content_offset: next, ...joined };
    },

    async readerTags(signal: AbortSignal) {
      const tags = await cached(READER_TAGS, {}, signal, async (shared) => {
        const all: ReaderTag[] = [];
        let cursor: string | null = null;
        do {
          const page: { tags: ReaderTag[]; next: string | null } = await api.readerTags(cursor, shared);
          all.push(...page.tags);
          cursor = page.next;
        } while (cursor !== null);
        return all;
      });
      const shown = fitting(tags);
      return { tags: shown, count: tags.length, truncated: shown.length < tags.length };
    },
  };
}

export type DocumentsPart = ReturnType<typeof documentsPart>;

/** Our cursor is upstream's, and how many documents of its page were given already. */
const writeCursor = (upstream: string | null, skip: number) =>
  Buffer.from(JSON.stringify([upstream, skip])).toString("base64url");

function readCursor(cursor: string | undefined): { upstream: string | null; skip: number } {
  if (cursor === undefined) return { upstream: null, skip: 0 };
  const value = jsonOrUndefined(Buffer.from(cursor, "base64url").toString());
  if (
    Array.isArray(value) &&
    (typeof value[0] === "string" || value[0] === null) &&
    Number.isInteger(value[1]) &&
    value[1] >= 0
  )
    return { upstream: value[0], skip: value[1] };
  throw new ShelfError("invalid_param", "cursor must be next_cursor of an earlier answer. Leave it out to begin.", {
    details: { fields: [{ field: "cursor", problem: "unknown cursor" }] },
  });
}
