import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ShownSource, SourceId } from "../schemas.js";

export const getSource = defineTool({
  name: "get_source",
  title: "Get a source",
  description: "One source: title, author, category, addresses, tags, highlight count.",
  profiles: ["readwise"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({ id: SourceId }),
  output: ShownSource,
  run: ({ id }, { readwise, signal }) => readwise.highlights.source(id, signal),
});
