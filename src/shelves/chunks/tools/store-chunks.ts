import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { ChunkId, ProjectId } from "../schemas.js";
import { MOST_WITH_EMBEDDINGS } from "../storing.js";

export const storeChunks = defineTool({
  name: "store_chunks",
  title: "Store chunks in a project",
  description:
    "Write passages by id; the same id again replaces it. Without embedding the server embeds the text (up to 100 items, 100,000 characters; 500 with embeddings). All or nothing.",
  profiles: ["chunks"],
  annotations: destructive,
  timeoutMs: 15_000,

  input: z.object({
    project: ProjectId,
    items: z
      .array(
        z.strictObject({
          id: ChunkId.describe("Deterministic id"),
          text: z.string().min(1).max(200_000).describe("Verbatim passage"),
          embedding: z.array(z.number()).max(16_384).optional().describe("Of the project's model"),
          metadata: z
            .record(z.string(), z.unknown())
            .optional()
            .describe(
              "source, zotero {citekey, tags, year, doi}, doc {id, page_span, section, section_path}, embed_model",
            ),
        }),
      )
      .min(1)
      .max(MOST_WITH_EMBEDDINGS)
      .describe("Chunks"),
    allow_model_migration: z.boolean().default(false).describe("Move the project to another model if need be"),
  }),

  output: z.object({
    chunks_written: z.int(),
    chunks_added: z.int(),
    chunks_updated: z.int(),
    project: z.string(),
    embed_model: z.string(),
    warnings: z.array(z.string()),
  }),

  run: ({ project, items, allow_model_migration }, { retrieval, signal }) =>
    retrieval.store(project, items, { allow_model_migration, signal }),
});
