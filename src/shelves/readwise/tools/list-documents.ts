import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Cursor, DocumentCategory, DocumentPage, Location, UpdatedAfter } from "../schemas.js";

export const listDocuments = defineTool({
  name: "list_documents",
  title: "List Reader documents",
  description: "Reader documents, newest first, without their text. next_cursor leads on. By words: search_documents.",
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,
  input: z.object({
    location: Location,
    category: DocumentCategory,
    updated_after: UpdatedAfter,
    limit: z.int().min(1).max(100).default(100).describe("Most results"),
    cursor: Cursor,
  }),
  output: DocumentPage,
  run: (query, { readwise, signal }) => readwise.listDocuments(query, signal),
});
