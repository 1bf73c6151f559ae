import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { ContentMaxChars, ContentOffset, DocumentId, ShownDocument, ShownHighlight } from "../schemas.js";

export const getDocument = defineTool({
  name: "get_document",
  title: "Get a Reader document",
  description: "One Reader document; on request a window of its text and its highlights.",
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    id: DocumentId,
    include_content: z.boolean().optional().describe("With its text, as Markdown"),
    include_highlights: z.boolean().optional().describe("With its highlights"),
    html: z.boolean().optional().describe("HTML instead"),
    content_offset: ContentOffset,
    content_max_chars: ContentMaxChars,
  }),
  output: ShownDocument.extend({
    content_length: z.int().optional(),
    truncated: z.boolean().optional(),
    next_content_offset: z.int().nullable().optional(),
    highlights: z.array(ShownHighlight).optional(),
    highlight_source_id: z.int().nullable().optional(),
    highlights_complete: z.boolean().optional(),
    retry_after: z.int().optional(),
    hint: z.string().optional(),
  }),
  run: (query, { readwise, budget, signal }) => readwise.documents.document(query, budget, signal),
});
