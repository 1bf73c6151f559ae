import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import {
  Fields,
  Page,
  Paged,
  PageSize,
  SameHighlightFilter,
  ShownSource,
  SOURCE_CATEGORIES,
  UpdatedAfter,
} from "../schemas.js";

export const listSources = defineTool({
  name: "list_sources",
  title: "List sources",
  description:
    "Books, articles, tweets and podcasts with highlights, and how many; supplementals are quotes Readwise adds by itself. To find a passage use search_highlights.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    page_size: PageSize(40),
    page: Page,
    category: z.enum(SOURCE_CATEGORIES).optional().describe("Kind"),
    updated_after: UpdatedAfter,
    filter: SameHighlightFilter,
    sort: z.enum(["newest", "oldest", "most_highlighted"]).optional().describe("Order"),
    fields: Fields,
  }),
  output: z.object({ results: z.array(ShownSource), ...Paged }),
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.highlights.listSources(query, cursor, signal),
});
