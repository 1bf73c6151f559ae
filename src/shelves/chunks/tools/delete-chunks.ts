import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { ChunkId, ProjectId } from "../schemas.js";

export const deleteChunks = defineTool({
  name: "delete_chunks",
  title: "Delete chunks",
  description: "Delete chunks of one project by id. Ids it does not have are counted in not_found.",
  profiles: ["chunks-destructive"],
  annotations: destructive,
  timeoutMs: 15_000,

  input: z.object({
    project: ProjectId,
    ids: z.array(ChunkId).min(1).max(500).describe("Chunk ids"),
  }),
  output: z.object({ project: z.string(), chunks_deleted: z.int(), not_found: z.int() }),

  run: ({ project, ids }, { retrieval }) => retrieval.deleteChunks(project, ids),
});
