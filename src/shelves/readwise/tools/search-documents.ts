import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import {
  AnyCategory,
  Coverage,
  Limit,
  Location,
  Query,
  Relevance,
  SameDocumentFilter,
  ShownDocument,
} from "../schemas.js";

export const searchDocuments = defineTool({
  name: "search_documents",
  title: "Search Reader documents",
  description: [
    "Find Reader documents by words and meaning of title, author, tags, summary and notes, best first; not in their full text.",
    "best_match: none: nothing fits, only the nearest is listed. complete: false: still being fetched, ask again after retry_after seconds.",
  ].join(" "),
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    query: Query.optional(),
    location: Location,
    category: AnyCategory,
    limit: Limit(20, 200),
    filter: SameDocumentFilter,
  }),
  output: z.object({
    results: z.array(
      z.object({
        document: ShownDocument,
        ...Relevance,
      }),
    ),
    ...Coverage,
  }),
  list: "results",
  run: (query, { readwise, cursor, signal }) => readwise.searching.findDocuments(query, cursor, signal),
});
