import { z } from "zod";
import { defineTool, idempotent, openWorld } from "../../../catalog/define-tool.js";
import { COLORS, HighlightId, HighlightText, Note, ShownHighlight, someChange, Warnings } from "../schemas.js";

export const updateHighlight = defineTool({
  name: "update_highlight",
  title: "Update a highlight",
  description: "Changes the given fields of a highlight and answers with it. An empty note clears it.",
  profiles: ["write", "readwise"],
  annotations: openWorld(idempotent),
  timeoutMs: 60_000,
  input: z
    .object({
      id: HighlightId,
      text: HighlightText.optional().describe("New text"),
      note: Note.describe("New note"),
      location: z.int().min(0).optional().describe("New location"),
      color: z.enum(COLORS).optional().describe("Colour"),
    })
    .superRefine(someChange),
  output: ShownHighlight.extend({ warnings: Warnings }),
  run: ({ id, ...changes }, { readwise, signal }) => readwise.updateHighlight(id, changes, signal),
});
