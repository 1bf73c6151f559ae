import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { NotebookId, NotebookName } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const deleteNotebook = defineTool({
  name: "delete_notebook",
  title: "Delete a notebook",
  description: "Delete a notebook with all its sources, for good. Needs its name too.",
  profiles: ["notebooks-destructive", "notebooks"],
  annotations: destructive,
  timeoutMs: usualMs("delete_notebook"),
  input: z.object({ notebook_id: NotebookId, name: NotebookName.describe("Its name") }),
  output: z.object({ deleted: z.boolean(), id: z.string(), name: z.string() }),
  run: ({ notebook_id, name }, { notebooks, signal }) => notebooks.remove(notebook_id, name, signal),
});
