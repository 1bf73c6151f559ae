import { fitting, jsonChars } from "../../../catalog/answer-budget.js";
import { ShelfError } from "../../../kernel/errors.js";
import { plural } from "../../../kernel/plural.js";
import type { HighlightSet } from "../cache/highlight-set.js";
import { exportList } from "../cache/upstream-lists.js";
import type { ShownHighlight, ShownSource } from "../schemas.js";
import { stateOf } from "./listing.js";
import type { Shared } from "./shared.js";
import { showHighlight, showSource, unknownCursor } from "./showing.js";

type Exported = ShownSource & { highlights: ShownHighlight[] };

/** Characters of an answer besides its sources. */
const FRAME_CHARS = 600;

export function exportingPart({ api, datasets, keyHash }: Shared) {
  return {
    /** The whole export, one page of sources at a time. */
    async exportHighlights(
      {
        updated_after,
        limit,
        cursor,
      }: { updated_after?: string | undefined; limit: number; cursor?: string | undefined },
      budget: number,
      signal: AbortSignal,
    ) {
      const opened = await datasets.open(exportList(api, keyHash, updated_after), signal);
      const { view, complete, retry_after } = opened;
      if (!complete)
        throw new ShelfError(
          "rate_limited",
          `Readwise throttles this key. ${plural(view.sourceCount, "source is", "sources are")} kept so far; call again in ${retry_after} s to go on from there.`,
          { retry_after: retry_after ?? 60, details: { sources_so_far: view.sourceCount } },
        );
      const { results, next_cursor } = pageOf(view, limit, cursor, budget - FRAME_CHARS);
      return {
        count: view.sourceCount,
        highlight_count: view.liveCount,
        results,
        next_cursor,
        truncated: next_cursor !== null,
        ...stateOf(opened, "sources"),
        ...(next_cursor === null ? {} : { hint: "Call again with cursor set to next_cursor for the rest." }),
      };
    },
  };
}

/** A cursor is the id of the next source and, if it did not fit into one answer, how many of its highlights were returned. */
function pageOf(
  view: HighlightSet,
  limit: number,
  cursor: string | undefined,
  budget: number,
): { results: Exported[]; next_cursor: string | null } {
  const [from = "", given = "0"] = (cursor ?? "").split(".");
  if (cursor !== undefined && !/^\d+(\.\d+)?$/.test(cursor)) throw unknownCursor();
  const ids = view.sourceIds().filter((id) => cursor === undefined || id <= Number(from));
  const results: Exported[] = [];
  let room = budget;
  for (const id of ids) {
    if (results.length === limit) return { results, next_cursor: String(id) };
    const source = view.source(id)!;
    const own = { ...showSource(source), highlights: [] };
    const skipped = results.length === 0 && String(id) === from ? Number(given) : 0;
    const highlights = view
      .highlightsOf(id)
      .slice(skipped)
      .map((highlight) => showHighlight(highlight));
    room -= jsonChars(own) + 1;
    const fit = fitting(highlights, room);
    if (results.length > 0 && (room < 0 || fit.length < highlights.length)) return { results, next_cursor: String(id) };
    results.push({ ...own, highlights: fit });
    if (fit.length < highlights.length) return { results, next_cursor: `${id}.${skipped + fit.length}` };
    room -= jsonChars(fit);
  }
  return { results, next_cursor: null };
}
