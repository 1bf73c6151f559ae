import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import type { NewSource } from "../notebook-backend.js";
import { AddedSource, NotebookId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const addSource = defineTool({
  name: "add_source",
  title: "Add a source to a notebook",
  description:
    "Add a web page, PDF, video or Drive document by its address, text you paste, a file, or passages of a project. An address already there is not added twice; what fails leaves nothing behind.",
  profiles: ["notebooks"],
  annotations: openWorld(additive),
  timeoutMs: usualMs("add_source"),
  tooBig: { text: "CONTENT_TOO_LARGE" },
  input: z
    .object({
      notebook_id: NotebookId,
      source_type: z.enum(["url", "text", "file", "chunks"]).describe("What is given"),
      url: z.string().max(8_000).optional().describe("http(s) address, for url"),
      text: text({ max: 500_000 }).optional().describe("Plain text or Markdown, for text"),
      file: z.string().max(4_000).optional().describe("Path below BOOKWHEEL_INGEST_ROOTS, for file"),
      project: z.string().max(200).optional().describe("For chunks"),
      chunk_ids: z.array(z.string().min(1).max(512)).max(100).meta({ unsaid: true }).optional().describe("From hits"),
      title: text({ max: 200 }).optional().describe("Else taken from the content"),
    })
    .superRefine(({ source_type, ...given }, ctx) => {
      const needed = source_type === "chunks" ? (["project", "chunk_ids"] as const) : [source_type];
      for (const field of needed) {
        const value = given[field];
        if (!(typeof value === "string" ? value.trim() : value?.length))
          ctx.addIssue({ code: "custom", path: [field], message: `required where source_type is ${source_type}` });
      }
    }),
  output: z.object({ success: z.boolean(), ...AddedSource.shape }),
  async run({ notebook_id, source_type, url = "", text = "", file = "", ...given }, { notebooks, retrieval, signal }) {
    const { project = "", chunk_ids = [], title } = given;
    const named = title?.trim() ? { title: title.trim() } : {};
    if (source_type === "chunks") {
      const passages = await retrieval.asText(project, chunk_ids);
      return notebooks.addSource(notebook_id, { source_type: "text", ...passages, ...named }, signal);
    }
    if (source_type === "file") return notebooks.addFile(notebook_id, file, named.title, signal);
    const source: NewSource = source_type === "url" ? { source_type, url, ...named } : { source_type, text, ...named };
    return notebooks.addSource(notebook_id, source, signal);
  },
});
