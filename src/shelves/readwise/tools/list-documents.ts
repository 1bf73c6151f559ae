import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { DOCUMENT_COUNTS } from "../library/counting.js";
import {
  DocumentCategory,
  DocumentFilter,
  DocumentPage,
  Fields,
  Limit,
  Location,
  Sort,
  UpdatedAfter,
} from "../schemas.js";

export const listDocuments = defineTool({
  name: "list_documents",
  title: "List Reader documents",
  description:
    "Reader documents, last changed first, without their text; by filter, or counted by tag, site, month. By words: search_documents.",
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    location: Location,
    category: DocumentCategory,
    updated_after: UpdatedAfter,
    limit: Limit(25, 100),
    filter: DocumentFilter,
    sort: Sort,
    count_by: z.enum(DOCUMENT_COUNTS).optional().describe("Counts instead of items"),
    include_children: z.boolean().optional().describe("Also highlights and notes"),
    fields: Fields,
  }),
  output: DocumentPage,
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.documents.listDocuments(query, cursor, signal),
});
