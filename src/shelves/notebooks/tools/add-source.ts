import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import type { NewSource } from "../notebook-backend.js";
import { NotebookId, ProcessingStatus } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const addSource = defineTool({
  name: "add_source",
  title: "Add a source to a notebook",
  description:
    "Add a web page, PDF, video or Drive document by its address, text you paste, or a file. An address already there is not added twice; what fails leaves nothing behind.",
  profiles: ["notebooks"],
  annotations: openWorld(additive),
  timeoutMs: usualMs("add_source"),
  tooBig: { text: "CONTENT_TOO_LARGE" },
  input: z
    .object({
      notebook_id: NotebookId,
      source_type: z.enum(["url", "text", "file"]).describe("What is given"),
      url: z.string().max(8_000).optional().describe("http(s) address, for url"),
      text: text({ max: 500_000 }).optional().describe("Plain text or Markdown, for text"),
      file: z.string().max(4_000).optional().describe("Path below BOOKWHEEL_INGEST_ROOTS, for file"),
      title: text({ max: 200 }).optional().describe("Else taken from the content"),
    })
    .superRefine(({ source_type, ...given }, ctx) => {
      if (!given[source_type]?.trim())
        ctx.addIssue({ code: "custom", path: [source_type], message: `required where source_type is ${source_type}` });
    }),
  output: z.object({
    success: z.boolean(),
    source_id: z.string().nullable(),
    title: z.string(),
    processing_status: ProcessingStatus,
    message: z.string().nullable(),
  }),
  run: ({ notebook_id, source_type, url = "", text = "", file = "", title }, { notebooks, signal }) => {
    const named = title?.trim() ? { title: title.trim() } : {};
    if (source_type === "file") return notebooks.addFile(notebook_id, file, named.title, signal);
    const source: NewSource = source_type === "url" ? { source_type, url, ...named } : { source_type, text, ...named };
    return notebooks.addSource(notebook_id, source, signal);
  },
});
