import { BOOKS } from "../cache/endpoints.js";
import { exportFeed } from "../cache/feeds.js";
import type { PageOf } from "../readwise-api.js";
import type { Highlight, Source } from "../schemas.js";
import { fitting } from "./answer-budget.js";
import type { Shared } from "./library.js";

/** Sources and highlights one page or one item at a time. */
export function highlightsPart({ api, cached, datasets, keyHash }: Shared) {
  /** Fills what an endpoint does not give from an export that happens to be at hand. */
  const known = () => datasets.peek(exportFeed(api, keyHash));

  return {
    async listSources(
      query: { page: number; page_size: number; category?: string | undefined; updated_after?: string | undefined },
      signal: AbortSignal,
    ) {
      const { page, page_size, category, updated_after } = query;
      const found = await cached(BOOKS, query, signal, (shared) =>
        api.sources({ page, pageSize: page_size, category, updatedAfter: updated_after }, shared),
      );
      return cutPage(found, query);
    },

    async source(id: string, signal: AbortSignal): Promise<Source> {
      const source = await api.source(id, signal);
      const exported = known()?.source(source.id);
      if (!exported) return source;
      const { readable_title, unique_url, summary } = exported;
      return {
        ...source,
        readable_title: source.readable_title ?? readable_title,
        unique_url: source.unique_url ?? unique_url,
        summary: source.summary ?? summary,
      };
    },

    async listHighlights(
      query: { page: number; page_size: number; source_id?: string | undefined; updated_after?: string | undefined },
      signal: AbortSignal,
    ) {
      const { page, page_size, source_id, updated_after } = query;
      return cutPage(
        await api.highlights({ page, pageSize: page_size, sourceId: source_id, updatedAfter: updated_after }, signal),
        query,
      );
    },

    async highlight(id: string, signal: AbortSignal): Promise<Highlight> {
      return completed(await api.highlight(id, signal), known()?.highlight(Number(id)));
    },

    dailyReview: (signal: AbortSignal) => api.review(signal),

    async tagsOf(kind: "source" | "highlight", id: string, signal: AbortSignal) {
      const tags = await api.tagsOf(kind, id, signal);
      return { tags, count: tags.length };
    },
  };
}

function completed(highlight: Highlight, exported: Highlight | undefined): Highlight {
  if (!exported) return highlight;
  const { created_at, is_favorite, is_discard, external_id, readwise_url } = exported;
  return {
    ...highlight,
    created_at: highlight.created_at ?? created_at,
    is_favorite: highlight.is_favorite ?? is_favorite,
    is_discard: highlight.is_discard ?? is_discard,
    external_id: highlight.external_id ?? external_id,
    readwise_url: highlight.readwise_url ?? readwise_url,
  };
}

function cutPage<T>(
  { count, next, previous, results }: PageOf<T>,
  { page, page_size }: { page: number; page_size: number },
) {
  const shown = fitting(results);
  const answer = { count, next, previous, results: shown, truncated: shown.length < results.length };
  if (!answer.truncated) return answer;
  // The largest size that fits and that puts what is left out at the beginning of a page.
  const done = (page - 1) * page_size;
  let size = shown.length;
  while (size > 1 && done % size !== 0) size--;
  return {
    ...answer,
    hint: `Only ${shown.length} of this page's ${results.length} fit into one answer. Call again with page_size ${size} and page ${Math.floor((done + shown.length) / size) + 1}.`,
  };
}
