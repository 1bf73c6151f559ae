import { z } from "zod";
import { defineTool, idempotent } from "../../../catalog/define-tool.js";
import { Notebook, NotebookId, NotebookName } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const renameNotebook = defineTool({
  name: "rename_notebook",
  title: "Rename a notebook",
  description: "Give a notebook another name; its id and sources stay.",
  profiles: ["notebooks"],
  annotations: idempotent,
  timeoutMs: usualMs("rename_notebook"),
  input: z.object({ notebook_id: NotebookId, name: NotebookName }),
  output: Notebook,
  run: ({ notebook_id, name }, { notebooks, signal }) => notebooks.rename(notebook_id, name, signal),
});
