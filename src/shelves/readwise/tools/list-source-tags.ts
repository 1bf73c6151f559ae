import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { SourceId, Tag } from "../schemas.js";

export const listSourceTags = defineTool({
  name: "list_source_tags",
  title: "List tags of a source",
  description: "The tags of one source, with the ids delete_source_tag needs.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ source_id: SourceId }),
  output: z.object({ tags: z.array(Tag), count: z.int() }),
  list: "tags",
  run: ({ source_id }, { readwise, signal }) => readwise.highlights.tagsOf("source", source_id, signal),
});
