import { z } from "zod";
import { additive, defineTool } from "../../../catalog/define-tool.js";
import { Notebook, NotebookName } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const createNotebook = defineTool({
  name: "create_notebook",
  title: "Create a notebook",
  description: "Start an empty notebook; fill it with add_source, then ask it.",
  profiles: ["notebooks"],
  annotations: additive,
  timeoutMs: usualMs("create_notebook"),
  input: z.object({ name: NotebookName }),
  output: Notebook,
  run: ({ name }, { notebooks, signal }) => notebooks.create(name, signal),
});
