import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { NotebookId, SourceId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const removeSource = defineTool({
  name: "remove_source",
  title: "Remove a source",
  description: "Take one source out of a notebook, for good.",
  profiles: ["notebooks-destructive", "notebooks"],
  annotations: destructive,
  timeoutMs: usualMs("remove_source"),
  input: z.object({ notebook_id: NotebookId, source_id: SourceId }),
  output: z.object({ removed: z.boolean(), source_id: z.string() }),
  run: ({ notebook_id, source_id }, { notebooks, signal }) => notebooks.removeSource(notebook_id, source_id, signal),
});
