import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Coverage, Limit, Query, Relevance, SameHighlightFilter, ShownHighlight, SourceId } from "../schemas.js";

export const searchHighlights = defineTool({
  name: "search_highlights",
  title: "Search highlights",
  description: [
    "Find highlights by words (text, note, tags, title, author) and by meaning, best first; names and titles come first.",
    "best_match: none: nothing fits, only the nearest is listed. complete: false: still being fetched, ask again after retry_after seconds.",
  ].join(" "),
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    query: Query.optional(),
    source_id: SourceId.optional(),
    limit: Limit(20, 200),
    filter: SameHighlightFilter,
  }),
  output: z.object({
    results: z.array(
      z.object({
        highlight: ShownHighlight,
        source_title: z.string(),
        author: z.string().nullish(),
        ...Relevance,
      }),
    ),
    ...Coverage,
  }),
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.searching.findHighlights(query, cursor, signal),
});
