import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cut, Highlight, Page, PageSize, SourceId, UpdatedAfter } from "../schemas.js";

export const listHighlights = defineTool({
  name: "list_highlights",
  title: "List highlights",
  description:
    "Highlights a page at a time, of one source or of all. Readwise allows 20 calls a minute; to find something by its words use search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ page_size: PageSize, page: Page, source_id: SourceId.optional(), updated_after: UpdatedAfter }),
  output: z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(Highlight),
    ...Cut,
  }),
  run: (query, { readwise, signal }) => readwise.listHighlights(query, signal),
});
