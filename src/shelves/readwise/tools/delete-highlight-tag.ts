import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { HighlightId, TagId, Warnings } from "../schemas.js";

export const deleteHighlightTag = defineTool({
  name: "delete_highlight_tag",
  title: "Remove a tag from a highlight",
  description: "Removes a tag from a highlight; tag_id comes from list_highlight_tags.",
  profiles: ["destructive", "readwise"],
  annotations: openWorld(destructive),
  timeoutMs: 60_000,
  input: z.object({ highlight_id: HighlightId, tag_id: TagId }),
  output: z.object({ deleted: z.literal(true), warnings: Warnings }),
  run: ({ highlight_id, tag_id }, { readwise, signal }) =>
    readwise.writing.deleteTag("highlight", highlight_id, tag_id, signal),
});
