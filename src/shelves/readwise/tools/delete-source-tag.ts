import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { SourceId, TagId } from "../schemas.js";

export const deleteSourceTag = defineTool({
  name: "delete_source_tag",
  title: "Remove a tag from a source",
  description: "Removes a tag from a source; tag_id comes from list_source_tags.",
  profiles: ["destructive", "readwise"],
  annotations: openWorld(destructive),
  timeoutMs: 60_000,
  input: z.object({ source_id: SourceId, tag_id: TagId }),
  output: z.object({ deleted: z.literal(true) }),
  run: ({ source_id, tag_id }, { readwise, signal }) => readwise.writing.deleteTag("source", source_id, tag_id, signal),
});
