import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cursor, Limit, Listed, ShownHighlight, ShownSource, UpdatedAfter } from "../schemas.js";

export const exportHighlights = defineTool({
  name: "export_highlights",
  title: "Export all highlights",
  description:
    "All highlights grouped by source, newest source first; with updated_after only what changed. In pages: pass next_cursor on as cursor. To find something: search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    updated_after: UpdatedAfter,
    limit: Limit(100, 1000),
    cursor: Cursor,
  }),
  output: z.object({
    highlight_count: z.int(),
    results: z.array(ShownSource.extend({ highlights: z.array(ShownHighlight) })),
    next_cursor: z.string().nullable(),
    ...Listed,
  }),
  run: (query, { readwise, budget, signal }) => readwise.exporting.exportHighlights(query, budget, signal),
});
