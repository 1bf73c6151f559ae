import { ShelfError } from "../../../kernel/errors.js";
import { exportFeed } from "../cache/feeds.js";
import type { HighlightSet } from "../cache/highlight-set.js";
import type { Highlight, Source } from "../schemas.js";
import { ANSWER_BYTES, fitting, jsonSize } from "./answer-budget.js";
import type { Shared } from "./library.js";

type Exported = Source & { highlights: Highlight[] };

export function exportingPart({ api, datasets, keyHash }: Shared) {
  return {
    /** The whole export, a page of sources at a time. */
    async exportHighlights(
      {
        updated_after,
        limit,
        cursor,
      }: { updated_after?: string | undefined; limit: number; cursor?: string | undefined },
      signal: AbortSignal,
    ) {
      const { view, complete, retry_after } = await datasets.open(exportFeed(api, keyHash, updated_after), signal);
      if (!complete)
        throw new ShelfError(
          "rate_limited",
          `Readwise throttles this key. ${view.sourceCount} sources are kept so far; call again in ${retry_after} s to go on from there.`,
          {
            retry_after: retry_after ?? 60,
            details: { sources_so_far: view.sourceCount },
          },
        );
      const { results, next_cursor } = pageOf(view, limit, cursor);
      return {
        count: view.sourceCount,
        highlight_count: view.highlightCount,
        results,
        next_cursor,
        truncated: next_cursor !== null,
        ...(next_cursor === null ? {} : { hint: "Call again with cursor set to next_cursor for the rest." }),
      };
    },
  };
}

/** A cursor is the id of the next source, and, where it did not fit into one answer, how many of its highlights were given. */
function pageOf(
  view: HighlightSet,
  limit: number,
  cursor: string | undefined,
): { results: Exported[]; next_cursor: string | null } {
  const [from = "", given = "0"] = (cursor ?? "").split(".");
  if (cursor !== undefined && !/^\d+(\.\d+)?$/.test(cursor))
    throw new ShelfError("invalid_param", "cursor must be next_cursor of an earlier answer. Leave it out to begin.", {
      details: { fields: [{ field: "cursor", problem: "unknown cursor" }] },
    });
  const ids = view.sourceIds().filter((id) => cursor === undefined || id <= Number(from));
  const results: Exported[] = [];
  let room = ANSWER_BYTES;
  for (const id of ids) {
    if (results.length === limit) return { results, next_cursor: String(id) };
    const source = view.source(id)!;
    const skipped = results.length === 0 && String(id) === from ? Number(given) : 0;
    const highlights = view.highlightsOf(id).slice(skipped);
    const own = jsonSize(source);
    const fit = fitting(highlights, room - own);
    if (fit.length < highlights.length && results.length > 0) return { results, next_cursor: String(id) };
    results.push({ ...source, highlights: fit });
    if (fit.length < highlights.length) return { results, next_cursor: `${id}.${skipped + fit.length}` };
    room -= own + fit.reduce((sum, highlight) => sum + jsonSize(highlight), 0);
    if (room <= 0 && id !== ids.at(-1)) return { results, next_cursor: String(ids[ids.indexOf(id) + 1]) };
  }
  return { results, next_cursor: null };
}
