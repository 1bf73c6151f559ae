import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import {
  atMost,
  DocumentId,
  HighlightFields,
  HighlightText,
  Moment,
  NewHighlightAnswer,
  SourceId,
} from "../schemas.js";

export const createHighlight = defineTool({
  name: "create_highlight",
  title: "Create a highlight",
  description:
    "Adds a highlight to a source, a Reader document (document_id; text as it stands there), or source_title. kept_in says where it is; warnings what went otherwise.",
  profiles: ["write", "readwise"],
  annotations: openWorld(additive),
  timeoutMs: 90_000,
  input: z
    .object({
      text: HighlightText.describe("Exact text"),
      source_id: SourceId.optional(),
      document_id: DocumentId.optional(),
      source_title: atMost(511).min(1).optional().describe("Needed without source_id"),
      ...HighlightFields,
      location_type: z.enum(["page", "order", "time_offset"]).optional().describe("Unit of location"),
      highlighted_at: Moment("ISO 8601").optional(),
    })
    .superRefine(({ source_id, document_id, source_title, location, location_type }, ctx) => {
      if (source_id === undefined && source_title === undefined && document_id === undefined)
        ctx.addIssue({ code: "custom", path: ["source_title"], message: "required without source_id and document_id" });
      if (location === undefined && location_type !== undefined && location_type !== "order")
        ctx.addIssue({ code: "custom", path: ["location"], message: `required with location_type ${location_type}` });
    }),
  output: NewHighlightAnswer,
  run: (input, { readwise, signal }) => readwise.writing.createHighlight(input, signal),
});
