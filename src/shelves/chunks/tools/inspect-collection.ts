import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { withoutNulls } from "../../../kernel/json.js";
import { DocumentRecord, ProjectId } from "../schemas.js";

export const inspectCollection = defineTool({
  name: "inspect_collection",
  title: "Inspect a project",
  description:
    "Show a project's size, model, payload keys, indexes and up to 5 sample payloads without their text; how far an ingest or a move to another model is.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 5_000,

  input: z.object({
    project: ProjectId,
    sample: z.int().min(0).max(5).default(0).describe("Sample payloads"),
    documents: z.boolean().default(false).describe("List its documents with their records"),
  }),

  output: z.object({
    project: z.string(),
    collection: z.string(),
    size: z.int(),
    embed_model: z.string(),
    dimension: z.int(),
    hybrid_enabled: z.boolean(),
    languages: z.array(z.string()),
    payload_keys: z.array(z.string()),
    indexes: z.object({ keyword: z.array(z.string()), fulltext: z.array(z.string()) }),
    documents: z.array(DocumentRecord).optional(),
    document_count: z.int().optional(),
    ingest: z
      .object({
        status: z.enum(["running", "done", "failed"]),
        started_at: z.string(),
        done: z.int(),
        total: z.int().optional(),
        current: z.string().optional(),
        error: z.string().optional(),
      })
      .optional(),
    migration: z.object({ to: z.string(), done: z.int(), total: z.int() }).nullable(),
    sample: z.array(
      z.object({
        id: z.string(),
        project: z.string(),
        source: z.record(z.string(), z.unknown()),
        zotero: z.record(z.string(), z.unknown()),
        doc: z.record(z.string(), z.unknown()),
        other: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),

  list: "documents",

  async run({ project, sample, documents }, { retrieval, ingestJobs }) {
    const ingest = ingestJobs.state(project);
    const inspected = await retrieval.inspect(project, sample, documents);
    return { ...inspected, ...(ingest && { ingest: withoutNulls(ingest) }) };
  },
});
