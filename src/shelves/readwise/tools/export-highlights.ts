import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cursor, Cut, Highlight, Source, UpdatedAfter } from "../schemas.js";

export const exportHighlights = defineTool({
  name: "export_highlights",
  title: "Export all highlights",
  description:
    "All highlights grouped by source, newest source first; with updated_after only what changed. Large exports come in pages: pass next_cursor on as cursor. To find something use search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    updated_after: UpdatedAfter,
    limit: z.int().min(1).max(1000).default(100).describe("Sources an answer"),
    cursor: Cursor,
  }),
  output: z.object({
    count: z.int(),
    highlight_count: z.int(),
    results: z.array(Source.extend({ highlights: z.array(Highlight) })),
    next_cursor: z.string().nullable(),
    ...Cut,
  }),
  run: (query, { readwise, signal }) => readwise.exportHighlights(query, signal),
});
