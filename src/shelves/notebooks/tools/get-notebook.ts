import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { Notebook, NotebookId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const getNotebook = defineTool({
  name: "get_notebook",
  title: "Get a notebook",
  description: "One notebook: name, description, dates, number of sources; with include_guide also what it is about.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("get_notebook"),
  input: z.object({
    notebook_id: NotebookId,
    include_guide: z.boolean().default(false).describe("With a summary and questions to ask"),
  }),
  output: Notebook.extend({
    summary: z.string().nullable().optional(),
    suggested_questions: z.array(z.string()).optional(),
  }),
  run: ({ notebook_id, include_guide }, { notebooks, signal }) => notebooks.get(notebook_id, include_guide, signal),
});
