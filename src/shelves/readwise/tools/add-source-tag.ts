import { z } from "zod";
import { defineTool, idempotent, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { AddedTag, SourceId } from "../schemas.js";

export const addSourceTag = defineTool({
  name: "add_source_tag",
  title: "Tag a source",
  description: "Adds a tag to a source; twice changes nothing.",
  profiles: ["write", "readwise"],
  annotations: openWorld(idempotent),
  timeoutMs: 60_000,
  input: z.object({ source_id: SourceId, name: text({ min: 1, max: 512 }).describe("Tag name") }),
  output: AddedTag,
  run: ({ source_id, name }, { readwise, signal }) => readwise.writing.addTag("source", source_id, name, signal),
});
