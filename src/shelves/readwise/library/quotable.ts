import { exportList } from "../cache/upstream-lists.js";
import type { Highlight, Source } from "../schemas.js";
import type { Shared } from "./shared.js";

export interface QuotableHighlight {
  highlight: Highlight;
  source_id: number;
}

/** Highlights as texts for quote checks, and their sources as works to cite. */
export interface Quotable {
  count: number;
  complete: boolean;
  retry_after?: number | undefined;
  /** The highlights with most of these words, best first; of one source if given. */
  find(query: string, limit: number, source?: number): QuotableHighlight[];
  highlightsOf(source: number): QuotableHighlight[];
  sources(): Source[];
  source(id: number): Source | undefined;
}

export function quotablePart({ api, datasets, keyHash }: Shared) {
  const list = exportList(api, keyHash);
  return {
    /** The hash of the key. */
    owner: keyHash,
    async quotable(signal: AbortSignal): Promise<Quotable> {
      const { view, complete, retry_after } = await datasets.open(list, signal);
      const index = await view.index(signal);
      datasets.account(list, view);
      return {
        count: view.liveCount,
        complete,
        retry_after,
        find(query, limit, source) {
          const { hits } = index.search(query, {
            limit,
            filter: source === undefined ? undefined : (item) => view.sourceIdOf(item) === source,
            order: (a, b) => view.highlightIdOf(b) - view.highlightIdOf(a),
          });
          return hits.map(({ document: item }) => ({
            highlight: view.item(item).highlight,
            source_id: view.sourceIdOf(item),
          }));
        },
        highlightsOf: (source) => view.highlightsOf(source).map((highlight) => ({ highlight, source_id: source })),
        sources: () => view.sourceIds().flatMap((id) => view.source(id) ?? []),
        source: (id) => view.source(id),
      };
    },
  };
}

export type QuotingPart = ReturnType<typeof quotablePart>;
