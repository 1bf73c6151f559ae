import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { ProjectId } from "../schemas.js";

export const deleteProject = defineTool({
  name: "delete_project",
  title: "Delete a project",
  description: "Delete a project with all its chunks and documents. There is no way back.",
  profiles: ["chunks-destructive"],
  annotations: destructive,
  timeoutMs: 30_000,

  input: z.object({ project: ProjectId }),
  output: z.object({ project: z.string(), deleted: z.boolean(), chunks_deleted: z.int() }),

  run: ({ project }, { retrieval }) => retrieval.deleteProject(project),
});
