import { z } from "zod";
import { defineTool, idempotent, openWorld } from "../../../catalog/define-tool.js";
import { atMost, DocumentId, MoveLocation, ShownDocument, someChange, Tags, Warnings } from "../schemas.js";

export const updateDocument = defineTool({
  name: "update_document",
  title: "Update a Reader document",
  description:
    "Changes the given fields of a Reader document and answers with it as it now stands. warnings name what Reader did not keep.",
  profiles: ["write", "reader"],
  annotations: openWorld(idempotent),
  timeoutMs: 90_000,
  input: z
    .object({
      id: DocumentId,
      title: atMost(2000).optional().describe("Title"),
      author: atMost(1024).optional().describe("Author"),
      summary: atMost(20_000).optional().describe("Summary"),
      location: MoveLocation,
      tags: Tags.describe("Replace all tags; [] clears"),
      seen: z.boolean().optional().describe("Opened or not"),
    })
    .superRefine(someChange),
  output: ShownDocument.extend({ warnings: Warnings }),
  run: ({ id, ...changes }, { readwise, signal }) => readwise.updateDocument(id, changes, signal),
});
