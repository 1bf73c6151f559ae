import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { HighlightId, Tag } from "../schemas.js";

export const listHighlightTags = defineTool({
  name: "list_highlight_tags",
  title: "List tags of a highlight",
  description: "The tags of one highlight, with the ids delete_highlight_tag needs.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ highlight_id: HighlightId }),
  output: z.object({ tags: z.array(Tag), count: z.int() }),
  list: "tags",
  run: ({ highlight_id }, { readwise, signal }) => readwise.highlights.tagsOf("highlight", highlight_id, signal),
});
