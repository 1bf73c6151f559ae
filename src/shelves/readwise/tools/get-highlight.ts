import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { HighlightId, ListedHighlight } from "../schemas.js";

export const getHighlight = defineTool({
  name: "get_highlight",
  title: "Get a highlight",
  description: "One highlight: text, note, location, colour, tags.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ id: HighlightId }),
  output: ListedHighlight,
  run: ({ id }, { readwise, signal }) => readwise.highlights.highlight(id, signal),
});
