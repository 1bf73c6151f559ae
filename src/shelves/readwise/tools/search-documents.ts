import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { Coverage, Cut, Document, DocumentCategory, Location, Query } from "../schemas.js";

export const searchDocuments = defineTool({
  name: "search_documents",
  title: "Search Reader documents",
  description: [
    "Find Reader documents by words and meaning of title, author, tags, summary and notes, best first; not in their full text.",
    "best_match: none means that nothing fits and what is listed is only the nearest.",
    "complete: false means the list is still being fetched (Reader allows 2,000 documents a minute): ask again after retry_after seconds.",
  ].join(" "),
  profiles: ["reader"],
  annotations: openWorld(readOnly),
  timeoutMs: 120_000,
  input: z.object({
    query: Query,
    location: Location,
    category: DocumentCategory,
    limit: z.int().min(1).max(200).default(50).describe("Most results"),
  }),
  output: z.object({
    results: z.array(
      z.object({
        document: Document,
        relevance_score: z.number().gt(0).max(1),
        snippet: z.object({ field: z.string(), text: z.string(), start: z.int() }).nullable(),
      }),
    ),
    count: z.int(),
    total_matches: z.int(),
    ...Coverage,
    ...Cut,
  }),
  run: (query, { readwise, signal }) => readwise.searchDocuments(query, signal),
});
