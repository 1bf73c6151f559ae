import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { withoutNulls } from "../../../kernel/json.js";

export const listProjects = defineTool({
  name: "list_projects",
  title: "List projects",
  description:
    "List the projects that hold chunks, each with its embedding model and whether query_hybrid works on it. Call it first.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 2_000,

  input: z.object({}),

  output: z.object({
    projects: z.array(
      z.object({
        id: z.string(),
        name: z.string().optional(),
        collection: z.string(),
        embed_model: z.string(),
        hybrid_enabled: z.boolean(),
        description: z.string().optional(),
      }),
    ),
  }),

  list: "projects",

  run: async (_input, { retrieval }) => ({ projects: (await retrieval.list()).map(withoutNulls) }),
});
