import { AnswerTooLarge, boundedText } from "../../../kernel/bounded-text.js";
import { ShelfError } from "../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../kernel/json.js";
import { redact } from "../../../kernel/log.js";
import type { ReadwiseApi, Tagged } from "../readwise-api.js";
import { isWebPage, redirected, refusal, webPageInstead } from "./refusal.js";
import {
  list,
  num,
  type OnUnreadable,
  object,
  readable,
  str,
  toDocument,
  toExportedSource,
  toHighlight,
  toReaderTag,
  toReview,
  toSource,
  toTag,
  toTouchedSource,
  unreadable,
} from "./wire.js";

interface HttpReadwiseOptions {
  /** Such as `https://readwise.io`. */
  baseUrl: string;
  timeoutMs: number;
  /** Called after every request; `status` is 0 if there was no answer. */
  observer?: { request(event: { endpoint: string; status: number; ms: number }): void };
  /** The clock that a date in `Retry-After` is compared with. */
  clock?: () => number;
}

/** A request; `:id` in the endpoint, which is also its name in metrics, stands for the id. */
interface Call {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  endpoint: string;
  id?: string;
  /** Where the path is not the endpoint's. */
  path?: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal: AbortSignal;
  /** The message for a 404, with the way out. */
  missing?: string;
}
interface Answer {
  status: number;
  text: string;
}

/** Readwise over HTTPS. fetch keeps connections alive and shares them. */
export function httpReadwise({
  baseUrl,
  timeoutMs,
  observer,
  clock = Date.now,
}: HttpReadwiseOptions): (key: string) => ReadwiseApi {
  async function once(key: string, call: Call): Promise<Answer> {
    const url = new URL(call.path ?? `/api/${call.endpoint.replace(":id", () => call.id ?? "")}/`, baseUrl);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const deadline = AbortSignal.timeout(timeoutMs);
    const started = performance.now();
    let status = 0;
    try {
      const signal = AbortSignal.any([call.signal, deadline]);
      const response = await fetchOnHost(url, { ...requestOf(key, call), signal }, call.endpoint);
      status = response.status;
      const text = await boundedText(response);
      if (!response.ok)
        throw refusal({
          status,
          retryAfter: response.headers.get("retry-after"),
          // The body may repeat the request with its key, and this text goes into a transcript.
          body: redact(text, [key]),
          endpoint: call.endpoint,
          missing: call.missing,
          now: clock(),
        });
      return { status, text };
    } catch (error) {
      if (error instanceof ShelfError) throw error;
      if (error instanceof AnswerTooLarge)
        throw new ShelfError(
          "upstream_error",
          `Readwise sent something unreadable: ${error.message}. Call again later.`,
          { details: { endpoint: call.endpoint, status, reason: "too_large" } },
        );
      call.signal.throwIfAborted();
      if (deadline.aborted)
        throw new ShelfError(
          "timeout",
          `Readwise did not answer ${call.endpoint} within ${timeoutMs / 1000} s. Call again later.`,
          { details: { endpoint: call.endpoint, timeout_ms: timeoutMs } },
        );
      throw new Unreachable(error);
    } finally {
      observer?.request({ endpoint: call.endpoint, status, ms: performance.now() - started });
    }
  }

  async function send(key: string, call: Call): Promise<Answer> {
    const isRead = (call.method ?? "GET") === "GET";
    for (let attempt = 1; ; attempt++)
      try {
        return await once(key, call);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        if (!isRead || !error.reset || attempt === 2) throw error.asFailure(call.endpoint, isRead);
      }
  }

  return (key) => {
    const json = async (call: Call): Promise<unknown> => {
      const { text } = await send(key, call);
      return parsed(text, call.endpoint);
    };

    const page = async <T>(call: Call, read: (item: unknown, onUnreadable: OnUnreadable) => T) => {
      const raw = object(await json(call), call.endpoint);
      const { results, skipped } = records(raw.results, call.endpoint, read);
      return { count: num(raw.count) ?? 0, next: str(raw.next), results, skipped };
    };

    const cursorPage = async <T>(call: Call, what: string, read: (item: unknown, onUnreadable: OnUnreadable) => T) => {
      const raw = object(await json(call), what);
      return { ...records(raw.results, what, read), next: str(raw.nextPageCursor), count: num(raw.count) ?? 0 };
    };

    const save = async (body: object, what: string, signal: AbortSignal) => {
      const sent = { ...body, saved_using: "bookwheel" };
      const { status, text } = await send(key, { method: "POST", endpoint: "v3/save", body: sent, signal });
      const raw = object(parsed(text, what), what);
      const id = str(raw.id);
      if (!id) throw unreadable(what);
      return { id, url: str(raw.url) ?? "", created: status === 201 };
    };

    return {
      sources: ({ page: number, pageSize, category, updatedAfter }, signal) => {
        const query = { page: number, page_size: pageSize, category, updated__gt: updatedAfter };
        return page({ endpoint: "v2/books", query, signal, missing: noPage(number) }, toSource);
      },
      source: async (id, signal) => toSource(await json({ endpoint: SOURCE, id, signal, missing: noSource(id) })),
      highlights: ({ page: number, pageSize, sourceId, updatedAfter }, signal) => {
        const query = { page: number, page_size: pageSize, book_id: sourceId, updated__gt: updatedAfter };
        return page({ endpoint: "v2/highlights", query, signal, missing: noPage(number) }, toHighlight);
      },
      highlight: async (id, signal) =>
        toHighlight(await json({ endpoint: HIGHLIGHT, id, signal, missing: noHighlight(id) })),
      async exported({ updatedAfter, ids, includeDeleted, cursor }, signal) {
        const query = {
          updatedAfter,
          ids: ids?.join(","),
          includeDeleted: includeDeleted ? "true" : undefined,
          pageCursor: cursor ?? undefined,
        };
        const call = { endpoint: "v2/export", query, signal };
        const { results, next, skipped } = await cursorPage(call, "the export", toExportedSource);
        return { sources: results, next, skipped };
      },
      review: async (signal) => toReview(await json({ endpoint: "v2/review", signal })),

      async tagsOf(kind, id, signal) {
        const tags = [];
        for (let number = 1; ; number++) {
          const query = { page: number, page_size: 1000 };
          const { results, next } = await page({ ...tagCall(kind, id), query, signal }, toTag);
          tags.push(...results);
          if (next === null || results.length === 0) return tags;
        }
      },
      addTag: async (kind, id, name, signal) =>
        toTag(await json({ ...tagCall(kind, id, "/"), method: "POST", body: { name }, signal })),
      async deleteTag(kind, id, tag, signal) {
        await send(key, {
          ...tagCall(kind, id, `/${tag}`),
          endpoint: `${TAGGED[kind]}/:id/tags/:id`,
          method: "DELETE",
          signal,
          missing: `No tag ${tag} on ${kind} ${id}. List them with list_${kind}_tags.`,
        });
      },

      async createHighlights(highlights, signal) {
        const answer = await json({ method: "POST", endpoint: "v2/highlights", body: { highlights }, signal });
        return list(answer, "the new highlights").map(toTouchedSource);
      },
      updateHighlight: async (id, body, signal) =>
        toHighlight(await json({ method: "PATCH", endpoint: HIGHLIGHT, id, body, signal, missing: noHighlight(id) })),
      async deleteHighlight(id, signal) {
        await send(key, { method: "DELETE", endpoint: HIGHLIGHT, id, signal, missing: noHighlight(id) });
      },

      async documents({ id, location, category, updatedAfter, limit, cursor, withContent }, signal) {
        const query = {
          id,
          location,
          category,
          updatedAfter,
          limit,
          pageCursor: cursor ?? undefined,
          withHtmlContent: withContent ? "true" : undefined,
        };
        const call = { endpoint: "v3/list", query, signal };
        const { results, ...rest } = await cursorPage(call, "the document list", toDocument);
        return { documents: results, ...rest };
      },
      async readerTags(cursor, signal) {
        const call = { endpoint: "v3/tags", query: { pageCursor: cursor ?? undefined }, signal };
        const { results, next } = await cursorPage(call, "the tags", toReaderTag);
        return { tags: results, next };
      },
      saveDocument: (document, signal) => save(document, "the saved document", signal),
      createReaderHighlight: (highlight, signal) => save(highlight, "the new highlight", signal),
      async updateDocuments(updates, signal) {
        const answer = await json({ method: "PATCH", endpoint: "v3/bulk_update", body: { updates }, signal });
        const raw = object(answer, "the changed documents");
        return list(raw.results, "the changed documents").map((item) => {
          const one = object(item, "the changed documents");
          const error = str(one.error);
          return { id: str(one.id) ?? "", success: one.success === true, ...(error ? { error } : {}) };
        });
      },
      async updateDocument(id, body, signal) {
        await send(key, { method: "PATCH", endpoint: "v3/update/:id", id, body, signal, missing: noDocument(id) });
      },
      async deleteDocument(id, signal) {
        await send(key, { method: "DELETE", endpoint: "v3/delete/:id", id, signal, missing: noDocument(id) });
      },
    };
  };
}

/** The records of a page, and how many of them could not be read. */
function records<T>(value: unknown, what: string, read: (item: unknown, onUnreadable: OnUnreadable) => T) {
  let skipped = 0;
  const onUnreadable = () => {
    skipped++;
  };
  const results = readable(list(value, what), (item) => read(item, onUnreadable), onUnreadable);
  return { results, skipped };
}

const SOURCE = "v2/books/:id";
const HIGHLIGHT = "v2/highlights/:id";
const noPage = (number: number) => `There is no page ${number}. Start again at page 1.`;
const noSource = (id: string) => `Readwise has no source ${id}. Look it up with list_sources.`;
const noHighlight = (id: string) =>
  `Readwise has no highlight ${id}. Look it up with search_highlights or list_highlights.`;
const noDocument = (id: string) => `Reader has no document ${id}. Look it up with list_documents or search_documents.`;

const TAGGED: Record<Tagged, string> = { source: "v2/books", highlight: "v2/highlights" };
const tagCall = (kind: Tagged, id: string, rest = "") => ({
  path: `/api/${TAGGED[kind]}/${id}/tags${rest}`,
  endpoint: `${TAGGED[kind]}/:id/tags`,
  missing: kind === "source" ? noSource(id) : noHighlight(id),
});

function requestOf(key: string, { method = "GET", body }: Call): RequestInit & { method: string } {
  return {
    method,
    headers: {
      authorization: `Token ${key}`,
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

const MOST_REDIRECTS = 5;

/** Follows redirects only on the same host: the key must not go to another one, and a write must not become a read. */
async function fetchOnHost(
  first: URL,
  init: RequestInit & { method: string; signal: AbortSignal },
  endpoint: string,
): Promise<Response> {
  let url = first;
  for (let hops = 0; ; hops++) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const to = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || to === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(to, url.href) ? new URL(to, url) : undefined;
    const sameHost = next?.host === first.host && (next.protocol === first.protocol || next.protocol === "https:");
    const keepsMethod = init.method === "GET" || response.status === 307 || response.status === 308;
    if (!next || !sameHost || !keepsMethod || hops === MOST_REDIRECTS)
      throw redirected(endpoint, response.status, next, sameHost);
    url = next;
  }
}

function parsed(text: string, what: string): unknown {
  if (isWebPage(text)) throw webPageInstead(what, 200);
  const value = jsonOrUndefined(text);
  if (value === undefined) throw unreadable(what);
  return value;
}

/** No answer: the connection failed or was closed. */
class Unreachable extends Error {
  readonly reset: boolean;
  constructor(cause: unknown) {
    super("unreachable", { cause });
    const inner = cause instanceof Error ? cause.cause : undefined;
    const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
    this.reset = code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
  }
  asFailure(endpoint: string, read: boolean): ShelfError {
    const wayOut = read ? "Call again later." : "It may have been carried out: check before calling again.";
    return new ShelfError("upstream_error", `Readwise could not be reached for ${endpoint}. ${wayOut}`, {
      details: { endpoint },
      cause: this.cause,
    });
  }
}
