import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import {
  COLORS,
  HighlightId,
  HighlightText,
  Note,
  ShownHighlight,
  several,
  someChange,
  TagNames,
  Warnings,
} from "../schemas.js";

export const updateHighlight = defineTool({
  name: "update_highlight",
  title: "Update a highlight",
  description: "Changes the given fields of one highlight, or of several (ids), and answers with them.",
  profiles: ["write", "readwise"],
  annotations: openWorld({ ...destructive, idempotentHint: false }),
  timeoutMs: 120_000,
  input: z
    .object({
      id: HighlightId.optional(),
      ids: several(HighlightId, 50),
      text: HighlightText.optional().describe("New text"),
      note: Note.describe("Replaces the note; empty clears it"),
      append_note: Note.describe("Added to the note"),
      location: z.int().min(0).optional().describe("New location"),
      color: z.enum(COLORS).optional().describe("Colour"),
      add_tags: TagNames.describe("Added"),
      remove_tags: TagNames.describe("Taken away"),
    })
    .superRefine(someChange),
  output: ShownHighlight.extend({
    id: z.int().optional(),
    results: z
      .array(
        z.object({
          id: z.string(),
          success: z.boolean(),
          error: z.string().optional(),
          tags: ShownHighlight.shape.tags,
          note: ShownHighlight.shape.note,
          warnings: Warnings,
        }),
      )
      .optional(),
    updated: z.int().optional(),
    remaining: z.array(z.string()).optional(),
    retry_after: z.int().optional(),
    warnings: Warnings,
  }),
  run: ({ id, ids, ...edits }, { readwise, signal }) =>
    ids === undefined
      ? readwise.writing.updateHighlight(id!, edits, signal)
      : readwise.writing.updateHighlights(ids, edits, signal),
});
