import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { withoutNulls } from "../../../kernel/json.js";
import { ChunkId, ProjectId, WorkFields } from "../schemas.js";

export const readPassage = defineTool({
  name: "read_passage",
  title: "Read on around a passage",
  description:
    "Show a chunk with its neighbours, or a source by pages, heading, paragraphs or offset, with its citation.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 15_000,

  input: z.object({
    project: ProjectId,
    chunk_id: ChunkId.optional().describe("From a hit"),
    neighbours: z.int().min(0).max(20).default(1).describe("Chunks each side"),
    source: z.string().max(2_000).optional().describe("Or citekey, document id or title"),
    pages: z.array(z.int()).min(1).max(2).optional().describe("[first, last], physical"),
    heading: z.string().max(500).optional().describe("Its section"),
    paragraphs: z.array(z.int()).min(1).max(2).optional().describe("[first, last], from 1"),
    around: z.int().min(0).max(10_000).default(0).describe("Characters each side"),
    start: z.int().min(0).optional().describe("Offset; next_start goes on"),
    max_chars: z.int().min(200).max(30_000).default(6000).describe("Window"),
  }),

  output: z.object({
    ...WorkFields,
    cite: z.string().optional(),
    page_span: z.tuple([z.int(), z.int()]).optional(),
    page_labels: z.tuple([z.string(), z.string()]).optional(),
    section_path: z.array(z.string()),
    start: z.int(),
    end: z.int(),
    text: z.string(),
    printed: z.string().optional().describe("As in the file, where it differs"),
    next_start: z.int().optional(),
    truncated: z.boolean(),
    chars_before: z.int(),
    chars_after: z.int(),
    chunk_ids: z.array(z.string()),
  }),

  run: async ({ project, ...request }, { passages }) => withoutNulls(await passages.read(project, request)),
});
