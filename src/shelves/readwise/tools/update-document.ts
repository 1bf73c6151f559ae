import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import {
  atMost,
  DocumentId,
  MoveLocation,
  Note,
  ShownDocument,
  several,
  someChange,
  TagNames,
  Tags,
  Warnings,
} from "../schemas.js";

export const updateDocument = defineTool({
  name: "update_document",
  title: "Update Reader documents",
  description:
    "Changes the given fields of one Reader document, or of several (ids; one result each), and answers with them as they now are. undo takes the last change back, for a day.",
  profiles: ["write", "reader"],
  annotations: openWorld({ ...destructive, idempotentHint: false }),
  timeoutMs: 120_000,
  input: z
    .object({
      id: DocumentId.optional(),
      ids: several(DocumentId, 200),
      title: atMost(2000).optional().describe("Title"),
      author: atMost(1024).optional().describe("Author"),
      summary: atMost(20_000).optional().describe("Summary"),
      location: MoveLocation,
      tags: Tags.describe("Replace all tags; [] clears"),
      add_tags: TagNames.describe("Added"),
      remove_tags: TagNames.describe("Taken away"),
      append_note: Note.describe("Added to the note"),
      seen: z.boolean().optional().describe("Opened or not"),
      dry_run: z.boolean().optional().describe("With ids: only show what would change"),
      undo: z.boolean().optional().describe("Alone"),
    })
    .superRefine(someChange),
  output: ShownDocument.extend({
    id: z.string().optional(),
    results: z
      .array(
        z.object({
          id: z.string(),
          success: z.boolean(),
          error: z.string().optional(),
          document: ShownDocument.optional(),
          undone: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })).optional(),
        }),
      )
      .optional(),
    updated: z.int().optional(),
    remaining: z.array(z.string()).optional(),
    retry_after: z.int().optional(),
    dry_run: z.boolean().optional(),
    hint: z.string().optional(),
    warnings: Warnings,
  }),
  run: ({ id, ids, dry_run = false, undo, ...edits }, { readwise, signal }) => {
    if (undo) return readwise.bulk.undoDocuments(signal);
    return ids === undefined
      ? readwise.writing.updateDocument(id!, edits, signal)
      : readwise.bulk.updateDocuments(ids, edits, dry_run, signal);
  },
});
