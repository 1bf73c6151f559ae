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

const ProcessingStatus = z.enum(["complete", "processing", "failed"]);

export const Source = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(["url", "text", "pdf", "gdoc", "gslides", "youtube", "audio", "unknown"]),
  url: z.string().nullable(),
  added_at: z.string().nullable(),
  processing_status: ProcessingStatus,
  progress: z.number().optional().describe("Of processing, 0 to 1"),
});

export const AddedSource = z.object({
  source_id: z.string().nullable(),
  title: z.string(),
  processing_status: ProcessingStatus,
  message: z.string().nullable(),
});

/** A whole passage of a source. */
export const Passage = z.object({
  source_id: z.string(),
  source_title: z.string(),
  section: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  text: z.string(),
});

export const Citation = z.object({
  /** The n of its [n] marks in the answer. */
  mark: z.int(),
  source_id: z.string(),
  source_title: z.string(),
  /** Verbatim text of the source. */
  excerpt: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  section: z.string().nullable(),
  url: z.string().nullable(),
});

export const Answer = z.object({
  answer: z.string(),
  citations: z.array(Citation),
  /** The passages the answer is based on, for callers that can read more than the chosen sentences. */
  passages: z.array(Passage),
  confidence: z.enum(["high", "medium", "low"]).nullable(),
  follow_up_questions: z.array(z.string()),
  /** Pass it with the next question to continue this conversation. */
  conversation_id: z.string().nullable(),
  method: z.enum(["extractive", "llm", "notebooklm"]),
  /** How the answer was composed, and what was checked. */
  notes: z.array(z.string()),
});
