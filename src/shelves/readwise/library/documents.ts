import { fitting, windowOf } from "../../../catalog/answer-budget.js";
import { ShelfError } from "../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { LIST, READER_TAGS } from "../cache/cache.js";
import { documentList, exportList, NOTES } from "../cache/upstream-lists.js";
import { isChild } from "../kinds.js";
import type { DocumentsPage } from "../readwise-api.js";
import type { Document, ReaderTag, ShownHighlight } from "../schemas.js";
import { type DocumentFilters, documentListing, documentTest } from "./listing.js";
import type { Shared } from "./shared.js";
import { fieldChoice, showDocument, showHighlight, skippedWarning, unknownCursor, withWarnings } from "./showing.js";

interface ListDocuments extends DocumentFilters {
  limit: number;
  fields?: string | undefined;
}
export interface ReadDocument {
  id: string;
  include_content?: boolean | undefined;
  include_highlights?: boolean | undefined;
  html?: boolean | undefined;
  content_offset: number;
  content_max_chars: number;
}

/** The page size upstream; always the same, so that every page is fetched once. */
const UPSTREAM_LIMIT = 100;
/** Pages a call reads before it answers with the documents found so far. */
const MOST_PAGES = 5;

/** An upstream list with a filter; several are read one after the other. */
interface Stream {
  location?: string | undefined;
  category?: string | undefined;
  updatedAfter?: string | undefined;
}

export function documentsPart(shared: Shared) {
  const { api, cached, written, datasets, keyHash, now } = shared;

  /** Fetches one document again. */
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

  async function highlightsOf(document: Document, room: number, signal: AbortSignal) {
    const { view, complete, retry_after } = await datasets.open(exportList(api, keyHash), signal);
    const source = view.sourceOfDocument(document);
    const all: ShownHighlight[] =
      source === undefined ? [] : view.highlightsOf(source).map((one) => showHighlight(one, document.id));
    const highlights = fitting(all, room);
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

  const upstreamPage = ({ location, category, updatedAfter }: Stream, cursor: string | null, signal: AbortSignal) =>
    cached<DocumentsPage>(
      LIST,
      { location, category, updatedAfter, limit: UPSTREAM_LIMIT, pageCursor: cursor ?? undefined },
      signal,
      (own) => api.documents({ location, category, updatedAfter, limit: UPSTREAM_LIMIT, cursor }, own),
    );

  /** Reads streams page by page until `limit` matching documents are found. The mark is the position where it stopped. */
  async function walk(
    streams: readonly Stream[],
    isWanted: (document: Document) => boolean,
    { limit, mark }: { limit: number; mark: string | undefined },
    signal: AbortSignal,
  ) {
    let place = readMark(mark, streams.length);
    const found: Document[] = [];
    let count = 0;
    let skipped = 0;
    for (let pages = 0; pages < MOST_PAGES && place.stream < streams.length && found.length < limit; pages++) {
      const page = await upstreamPage(streams[place.stream]!, place.cursor, signal);
      if (place.cursor === null) count += Math.max(page.count, page.documents.length);
      skipped += page.skipped;
      let at = place.skip;
      for (; at < page.documents.length && found.length < limit; at++)
        if (isWanted(page.documents[at]!)) found.push(page.documents[at]!);
      if (at < page.documents.length) place = { ...place, skip: at };
      else if (page.next !== null) place = { stream: place.stream, cursor: page.next, skip: 0 };
      else place = { stream: place.stream + 1, cursor: null, skip: 0 };
    }
    const ended = place.stream >= streams.length;
    return { found, next: ended ? null : writeMark(place), skipped, count, whole: ended && mark === undefined };
  }

  return {
    fetchDocument,
    walk,

    async listDocuments(query: ListDocuments, mark: string | undefined, signal: AbortSignal) {
      const { location, category, updated_after, limit, include_children = false, fields } = query;
      const choose = fieldChoice("document", fields);
      const show = (document: Document) => choose(showDocument(document));
      if (query.filter !== undefined || query.sort !== undefined || query.count_by !== undefined) {
        const offset = offsetOf(mark);
        const { rows, next_cursor, answer } = await documentListing(shared, query, { offset, limit }, signal);
        return { ...answer, results: rows.map(show), has_more: next_cursor !== null, next_cursor, truncated: false };
      }
      const asksForChildren = include_children || category === "highlight" || category === "note";
      const stream = { location, category, updatedAfter: updated_after };
      const isWanted = (document: Document) => asksForChildren || !isChild(document);
      const { found, next, skipped, count, whole } = await walk([stream], isWanted, { limit, mark }, signal);
      const view = datasets.peek(documentList(api, keyHash));
      const exact = whole ? found.length : view ? view.itemsWhere(documentTest(view, query, now())).length : undefined;
      const first = exact ?? (count || (await upstreamPage(stream, null, signal)).count);
      return {
        count: Math.max(first, found.length),
        results: found.map(show),
        has_more: next !== null,
        next_cursor: next,
        truncated: false,
        ...(exact === undefined && !asksForChildren && category === undefined
          ? { hint: "count is Reader's own and includes highlights and notes, which are not listed here." }
          : {}),
        ...withWarnings(skippedWarning(skipped)),
      };
    },

    async document(
      { id, include_content, include_highlights, html, content_offset, content_max_chars }: ReadDocument,
      budget: number,
      signal: AbortSignal,
    ) {
      const document = await fetchDocument(id, signal, include_content);
      const { content, ...shown } = showDocument(document);
      const joined = include_highlights ? await highlightsOf(document, budget / 2, signal) : {};
      // The text of a highlight or note is always included; that of a document only on request.
      if (!include_content) return { ...shown, ...(content && isChild(document) ? { content } : {}), ...joined };
      if (!content)
        return {
          ...shown,
          content_length: 0,
          truncated: false,
          hint: "Reader has no text of this document, or is still fetching it.",
          ...joined,
        };
      const room = budget - JSON.stringify({ ...shown, ...joined }).length - 200;
      const whole = html || isChild(document) ? content : await shared.htmlMarkdown(content, signal);
      const { text, length, truncated, next } = windowOf(whole, content_offset, content_max_chars, room);
      return { ...shown, content: text, content_length: length, truncated, next_content_offset: next, ...joined };
    },

    async readerTags(signal: AbortSignal) {
      const tags = await cached(READER_TAGS, {}, signal, async (own) => {
        const all: ReaderTag[] = [];
        let cursor: string | null = null;
        do {
          const page: { tags: ReaderTag[]; next: string | null } = await api.readerTags(cursor, own);
          all.push(...page.tags);
          cursor = page.next;
        } while (cursor !== null);
        return all;
      });
      return { tags, count: tags.length, truncated: false };
    },
  };
}

export type DocumentsPart = ReturnType<typeof documentsPart>;

/** The position to continue at: the stream, the cursor of its page, and how many of the page's documents were read. */
interface Place {
  stream: number;
  cursor: string | null;
  skip: number;
}

const writeMark = ({ stream, cursor, skip }: Place) => JSON.stringify([stream, cursor, skip]);

function readMark(mark: string | undefined, streams: number): Place {
  if (mark === undefined) return { stream: 0, cursor: null, skip: 0 };
  const value = jsonOrUndefined(mark);
  const [stream, cursor, skip] = Array.isArray(value) ? (value as unknown[]) : [];
  const isNumber = (one: unknown): one is number => Number.isSafeInteger(one) && (one as number) >= 0;
  if (!isNumber(stream) || stream >= streams || !isNumber(skip) || (cursor !== null && typeof cursor !== "string"))
    throw unknownCursor();
  return { stream, cursor, skip };
}

function offsetOf(mark: string | undefined): number {
  const offset = Number(mark ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0) throw unknownCursor();
  return offset;
}
