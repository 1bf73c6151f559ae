import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { ProjectId } from "../schemas.js";

export const deleteProject = defineTool({
  name: "delete_project",
  title: "Delete a project",
  description: "Delete a project with all it holds, for good. Needs its size from inspect_collection.",
  profiles: ["chunks-destructive"],
  annotations: destructive,
  timeoutMs: 30_000,

  input: z.object({ project: ProjectId, chunks: z.int().min(0).describe("Its size") }),
  output: z.object({ project: z.string(), deleted: z.boolean(), chunks_deleted: z.int() }),

  run: ({ project, chunks }, { retrieval }) => retrieval.deleteProject(project, chunks),
});
