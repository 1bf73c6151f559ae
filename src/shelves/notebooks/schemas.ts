import { z } from "zod";
import { text } from "../../catalog/fields.js";

export const NotebookId = z.string().min(1).max(200).describe("From list_notebooks");
export const SourceId = z.string().min(1).max(200).describe("From list_notebook_sources");
export const NotebookName = text({ min: 1, max: 200 })
  .refine((name) => name.trim() !== "", "must not be blank")
  .describe("Display name");

export const Notebook = z.object({
  id: z.string(),
  name: z.string(),
  source_count: z.int(),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  description: z.string().nullable(),
});

export const ListedNotebook = z.object({
  id: z.string(),
  name: z.string(),
  source_count: z.int().nullable(),
  updated_at: z.string().nullable(),
});

export const ProcessingStatus = z.enum(["complete", "processing", "failed"]);

export const Source = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(["url", "text", "pdf", "gdoc", "gslides", "youtube", "audio", "unknown"]),
  url: z.string().nullable(),
  added_at: z.string().nullable(),
  processing_status: ProcessingStatus,
  progress: z.number().optional().describe("Of processing, 0 to 1"),
});

export const Passage = z.object({
  source_id: z.string(),
  source_title: z.string(),
  section: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  text: z.string(),
});

export const Citation = z.object({
  mark: z.int(),
  source_id: z.string(),
  source_title: z.string(),
  excerpt: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  section: z.string().nullable(),
  url: z.string().nullable(),
});
