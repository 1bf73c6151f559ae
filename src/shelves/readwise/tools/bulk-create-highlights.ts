import { z } from "zod";
import { additive, defineTool, openWorld } from "../../../catalog/define-tool.js";
import { atMost, HighlightFields, HighlightText, Moment, Warnings } from "../schemas.js";

export const bulkCreateHighlights = defineTool({
  name: "bulk_create_highlights",
  title: "Create many highlights",
  description:
    "Adds highlights to sources named by title. results keep the input's order; duplicate marks what Readwise already had. One bad item refuses its whole batch of 200.",
  profiles: ["write", "readwise"],
  annotations: openWorld(additive),
  timeoutMs: 120_000,
  input: z.object({
    highlights: z
      .array(
        z.strictObject({
          text: HighlightText.describe("Exact text"),
          source_title: atMost(511).min(1).describe("Title"),
          ...HighlightFields,
          highlighted_at: Moment("ISO 8601").optional(),
        }),
      )
      .min(1)
      .max(1000)
      .describe("Items"),
  }),
  output: z.object({
    results: z.array(z.object({ index: z.int(), id: z.int().nullable(), duplicate: z.boolean() })),
    count: z.int(),
    created: z.int(),
    warnings: Warnings,
  }),
  run: ({ highlights }, { readwise, signal }) => readwise.writing.bulkCreateHighlights(highlights, signal),
});
