import { type Snippet, snippetsOf } from "../../../text/snippet.js";
import type { Opened, View } from "../cache/datasets.js";
import { DOCUMENT_FIELDS } from "../cache/document-set.js";
import { type DocumentFilter, documentFeed, exportFeed } from "../cache/feeds.js";
import { HIGHLIGHT_FIELDS } from "../cache/highlight-set.js";
import type { Document, Highlight } from "../schemas.js";
import { ANSWER_BYTES } from "./answer-budget.js";
import type { Shared } from "./library.js";

/** What a result weighs beside its record: field names, title, snippet. */
const RESULT_BYTES = 700;

export function searchingPart({ api, datasets, keyHash }: Shared) {
  const highlights = exportFeed(api, keyHash);
  return {
    async searchHighlights(
      { query, source_id, limit }: { query: string; source_id?: string | undefined; limit: number },
      signal: AbortSignal,
    ) {
      const opened = await datasets.open(highlights, signal);
      const { view } = opened;
      const index = await view.index(signal);
      datasets.account(highlights, view);
      const wanted = source_id === undefined ? undefined : Number(source_id);
      const { hits, total, words } = index.search(query, {
        limit,
        filter: wanted === undefined ? undefined : (item) => view.sourceIdOf(item) === wanted,
        order: (a, b) => view.highlightIdOf(b) - view.highlightIdOf(a),
      });
      const results: {
        highlight: Highlight;
        source_title: string;
        relevance_score: number;
        snippet: Snippet | null;
      }[] = [];
      const snippetOf = snippetsOf(HIGHLIGHT_FIELDS, words);
      let room = ANSWER_BYTES;
      for (const { document: item, score } of hits) {
        const { highlight, title, bytes, texts } = view.item(item);
        room -= bytes + RESULT_BYTES;
        if (room < 0 && results.length > 0) break;
        results.push({
          highlight,
          source_title: title,
          relevance_score: score,
          snippet: snippetOf(texts),
        });
      }
      const searched = wanted === undefined ? view.highlightCount : view.highlightsOf(wanted).length;
      const what = wanted === undefined ? "highlights" : `highlights of source ${wanted}`;
      return {
        results,
        count: results.length,
        total_matches: total,
        ...coverage(opened, searched, what, total, Math.min(hits.length, limit) > results.length),
      };
    },

    async searchDocuments(
      { query, location, category, limit }: { query: string; limit: number } & DocumentFilter,
      signal: AbortSignal,
    ) {
      // The whole list answers every filter, once it is there.
      const whole = documentFeed(api, keyHash);
      const filtered = location !== undefined || category !== undefined;
      const feed = filtered && !datasets.peek(whole) ? documentFeed(api, keyHash, { location, category }) : whole;
      const opened = await datasets.open(feed, signal);
      const { view } = opened;
      const index = await view.index(signal);
      datasets.account(feed, view);
      const isWanted = (item: number) => {
        const kind = view.category(item);
        // Highlights and notes are documents to Reader; here they are looked for only when asked for.
        if (category === undefined ? kind === "highlight" || kind === "note" : kind !== category) return false;
        return location === undefined || view.location(item) === location;
      };
      const { hits, total, words } = index.search(query, {
        limit,
        filter: isWanted,
        order: (a, b) => (view.idOf(a) < view.idOf(b) ? 1 : -1),
      });
      const results: { document: Document; relevance_score: number; snippet: Snippet | null }[] = [];
      const snippetOf = snippetsOf(DOCUMENT_FIELDS, words);
      let room = ANSWER_BYTES;
      for (const { document: item, score } of hits) {
        const { document, bytes, texts } = view.item(item);
        room -= bytes + RESULT_BYTES;
        if (room < 0 && results.length > 0) break;
        results.push({ document, relevance_score: score, snippet: snippetOf(texts) });
      }
      return {
        results,
        count: results.length,
        total_matches: total,
        ...coverage(opened, view.count, "documents", total, hits.length > results.length),
      };
    },
  };
}

/** How much was searched, whether that is all there is, and what to do where it is not. */
function coverage<V extends View>(
  { complete, retry_after }: Opened<V>,
  searched: number,
  what: string,
  found: number,
  cut: boolean,
) {
  const hints: string[] = [];
  if (!complete)
    hints.push(
      `Only ${searched} ${what} are here so far; Readwise's limit stopped the rest. Ask again in ${retry_after} s.`,
    );
  else if (searched === 0) hints.push(`There are no ${what} to search.`);
  else if (found === 0)
    hints.push(`Nothing matched in all ${searched} ${what}. Try fewer or other words, or a prefix*.`);
  if (cut) hints.push("More matched than fit into one answer: narrow the query.");
  return {
    searched,
    complete,
    ...(retry_after === undefined ? {} : { retry_after }),
    truncated: cut,
    ...(hints.length ? { hint: hints.join(" ") } : {}),
  };
}
