import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { howMany } from "../../../catalog/fields.js";
import { ListedNotebook } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const listNotebooks = defineTool({
  name: "list_notebooks",
  title: "List notebooks",
  description: "Notebooks with their ids and source counts, last changed first.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("list_notebooks"),
  input: z.object({ limit: howMany({ usual: 50, most: 100 }, "At most this many") }),
  output: z.object({ notebooks: z.array(ListedNotebook), total: z.int(), truncated: z.boolean() }),
  list: "notebooks",
  run: ({ limit }, { notebooks, signal, cursor }) => notebooks.list(limit, Number(cursor ?? 0), signal),
});
