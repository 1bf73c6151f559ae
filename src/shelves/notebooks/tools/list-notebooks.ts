import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { ListedNotebook } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const listNotebooks = defineTool({
  name: "list_notebooks",
  title: "List notebooks",
  description: "Notebooks with their ids and source counts, last changed first.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("list_notebooks"),
  input: z.object({ limit: z.int().min(1).max(100).default(50).describe("At most this many") }),
  output: z.object({ notebooks: z.array(ListedNotebook), total: z.int(), truncated: z.boolean() }),
  run: ({ limit }, { notebooks, signal }) => notebooks.list(limit, signal),
});
