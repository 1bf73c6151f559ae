import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cut, Page, PageSize, SOURCE_CATEGORIES, Source, UpdatedAfter } from "../schemas.js";

export const listSources = defineTool({
  name: "list_sources",
  title: "List sources",
  description:
    "Books, articles, tweets and podcasts that have highlights, a page at a time, with their ids and highlight counts. To find a passage use search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    page_size: PageSize,
    page: Page,
    category: z.enum(SOURCE_CATEGORIES).optional().describe("Kind"),
    updated_after: UpdatedAfter,
  }),
  output: z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(Source),
    ...Cut,
  }),
  run: (query, { readwise, signal }) => readwise.listSources(query, signal),
});
