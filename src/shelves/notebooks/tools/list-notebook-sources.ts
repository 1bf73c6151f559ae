import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { NotebookId, Source } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const listNotebookSources = defineTool({
  name: "list_notebook_sources",
  doorName: "list_sources",
  title: "List a notebook's sources",
  description: "The sources of one notebook with their ids, kinds and addresses.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("list_notebook_sources"),
  input: z.object({ notebook_id: NotebookId }),
  output: z.object({ sources: z.array(Source), total: z.int() }),
  list: "sources",
  run: ({ notebook_id }, { notebooks, signal }) => notebooks.sources(notebook_id, signal),
});
