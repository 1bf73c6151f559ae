import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { Notebook, NotebookId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const getNotebook = defineTool({
  name: "get_notebook",
  title: "Get a notebook",
  description: "One notebook: name, description, dates, number of sources.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("get_notebook"),
  input: z.object({ notebook_id: NotebookId }),
  output: Notebook,
  run: ({ notebook_id }, { notebooks, signal }) => notebooks.get(notebook_id, signal),
});
