import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { HIGHLIGHT_COUNTS } from "../library/counting.js";
import {
  Fields,
  HighlightFilter,
  ListedHighlight,
  Page,
  Paged,
  PageSize,
  Sort,
  SourceId,
  UpdatedAfter,
} from "../schemas.js";

export const listHighlights = defineTool({
  name: "list_highlights",
  title: "List highlights",
  description:
    "Highlights of one source or of all, by filter, or counted by tag, source, month. By their words: search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    page_size: PageSize(30),
    page: Page,
    source_id: SourceId.optional(),
    updated_after: UpdatedAfter,
    filter: HighlightFilter,
    sort: Sort,
    count_by: z.enum(HIGHLIGHT_COUNTS).optional().describe("Counts instead of items"),
    fields: Fields,
  }),
  output: z.object({ results: z.array(ListedHighlight), ...Paged }),
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.highlights.listHighlights(query, cursor, signal),
});
