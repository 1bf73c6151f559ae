import { z } from "zod";
import { defineTool, idempotent } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { NewProjectId } from "../schemas.js";

export const createProject = defineTool({
  name: "create_project",
  title: "Create a project",
  description:
    "Make a project to store chunks in, bound to one embedding model. Making it again changes its name at most.",
  profiles: ["chunks"],
  annotations: idempotent,
  timeoutMs: 5_000,

  input: z.object({
    project: NewProjectId,
    embed_model: z.string().max(200).optional().describe("Default: the server's own"),
    hybrid_enabled: z.boolean().optional().describe("Allow query_hybrid; default true"),
    name: text({ min: 1, max: 200 }).optional().describe("What people call it"),
    description: z.string().max(2_000).optional().describe("What it holds"),
  }),

  output: z.object({
    project: z.string(),
    name: z.string().optional(),
    collection: z.string(),
    embed_model: z.string(),
    hybrid_enabled: z.boolean(),
    created: z.boolean(),
  }),

  run: (request, { retrieval }) => retrieval.createProject(request),
});
