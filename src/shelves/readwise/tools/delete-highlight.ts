import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { HighlightId } from "../schemas.js";

export const deleteHighlight = defineTool({
  name: "delete_highlight",
  title: "Delete a highlight",
  description: "Deletes a highlight for good, with its note and tags.",
  profiles: ["destructive", "readwise"],
  annotations: openWorld(destructive),
  timeoutMs: 60_000,
  input: z.object({ id: HighlightId }),
  output: z.object({ deleted: z.literal(true) }),
  run: ({ id }, { readwise, signal }) => readwise.writing.deleteHighlight(id, signal),
});
