import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { howMany } from "../../../catalog/fields.js";
import { NotebookId, SourceId } from "../schemas.js";
import { usualMs } from "../timeouts.js";

export const getSourceText = defineTool({
  name: "get_source_text",
  title: "Read a source's text",
  description: "A window of the text of one source; where truncated, go on at next_content_offset.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: usualMs("get_source_text"),
  input: z.object({
    notebook_id: NotebookId,
    source_id: SourceId,
    content_offset: z.int().min(0).default(0).describe("Start of the window"),
    content_max_chars: howMany({ usual: 16_000, most: 36_000 }, "Length of the window"),
  }),
  output: z.object({
    source_id: z.string(),
    title: z.string(),
    content: z.string(),
    content_offset: z.int(),
    content_length: z.int(),
    truncated: z.boolean(),
    next_content_offset: z.int().nullable(),
  }),
  run: ({ notebook_id, source_id, content_offset, content_max_chars }, { notebooks, budget, signal }) =>
    notebooks.sourceText(
      notebook_id,
      source_id,
      { offset: content_offset, maxChars: content_max_chars, budget },
      signal,
    ),
});
