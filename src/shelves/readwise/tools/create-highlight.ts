import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { atMost, HighlightText, Moment, Note, ShownHighlight, SourceId, Warnings } from "../schemas.js";

export const createHighlight = defineTool({
  name: "create_highlight",
  title: "Create a highlight",
  description:
    "Adds a highlight to a source: source_id, or source_title for a new one. duplicate is true where Readwise had it; a source_mismatch warning says it landed elsewhere.",
  profiles: ["write", "readwise"],
  annotations: openWorld(additive),
  timeoutMs: 90_000,
  input: z
    .object({
      text: HighlightText.describe("Exact text"),
      source_id: SourceId.optional(),
      source_title: text({ min: 1, max: 511 }).optional().describe("Needed without source_id"),
      source_author: atMost(1024).optional().describe("Author"),
      source_url: atMost(2047).optional().describe("Address"),
      note: Note.describe("Note"),
      location: z.int().min(0).optional().describe("Place in the source"),
      location_type: z.enum(["page", "order", "time_offset"]).optional().describe("Unit of location"),
      highlighted_at: Moment("ISO 8601").optional(),
    })
    .superRefine(({ source_id, source_title, location, location_type }, ctx) => {
      if (source_id === undefined && source_title === undefined)
        ctx.addIssue({ code: "custom", path: ["source_title"], message: "required without source_id" });
      if (location === undefined && location_type !== undefined && location_type !== "order")
        ctx.addIssue({ code: "custom", path: ["location"], message: `required with location_type ${location_type}` });
    }),
  output: ShownHighlight.extend({ duplicate: z.boolean(), warnings: Warnings }),
  run: (input, { readwise, signal }) => readwise.createHighlight(input, signal),
});
