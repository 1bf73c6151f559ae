import { z } from "zod";
import { defineTool, idempotent, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { AddedTag, HighlightId } from "../schemas.js";

export const addHighlightTag = defineTool({
  name: "add_highlight_tag",
  title: "Tag a highlight",
  description: "Adds a tag to a highlight; twice changes nothing.",
  profiles: ["write", "readwise"],
  annotations: openWorld(idempotent),
  timeoutMs: 60_000,
  input: z.object({ highlight_id: HighlightId, name: text({ min: 1, max: 127 }).describe("Tag name") }),
  output: AddedTag,
  run: ({ highlight_id, name }, { readwise, signal }) =>
    readwise.writing.addTag("highlight", highlight_id, name, signal),
});
