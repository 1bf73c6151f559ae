import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { howMany } from "../../../catalog/fields.js";
import { BEST_MATCHES } from "../../../text/best-match.js";
import { searchLibrary as search } from "../library-search.js";

const Maybe = z.string().optional();

export const searchLibrary = defineTool({
  name: "search_library",
  title: "Search everything read",
  description:
    "Ask highlights, Reader documents, the passages of every project and notebook at once, by words and meaning, best first. best_match: none: nothing fits; not_searched and incomplete name what was not looked at. For one project prefer query_hybrid.",
  profiles: ["chunks"],
  annotations: openWorld(readOnly),
  timeoutMs: 30_000,

  input: z.object({
    query: z.string().trim().min(1).max(1000).describe("In plain words"),
    limit: howMany({ usual: 10, most: 50 }, "Most hits"),
    project: z.string().min(1).max(200).optional().describe("Only its passages"),
  }),

  output: z.object({
    results: z.array(
      z.object({
        origin: z.enum(["highlight", "document", "passage"]),
        id: z.string(),
        title: Maybe,
        author: Maybe,
        text: z.string(),
        truncated: z.boolean(),
        snippet: z.object({ field: z.string(), text: z.string(), start: z.int() }).optional(),
        score: z.number().min(0).max(1),
        url: Maybe,
        date: Maybe,
        note: Maybe,
        tags: z.array(z.string()).optional(),
        highlight_id: z.int().optional(),
        source_id: z.int().optional(),
        document_id: Maybe,
        project: Maybe,
        notebook: Maybe,
        notebook_id: Maybe,
        chunk_id: Maybe,
        doc_id: Maybe,
        citekey: Maybe,
        page_span: z.tuple([z.int(), z.int()]).optional(),
        section_path: z.array(z.string()).optional(),
        found_in: z.array(z.string()),
      }),
    ),
    /** How many are shown. */
    count: z.int(),
    truncated: z.boolean(),
    best_match: z.enum(BEST_MATCHES),
    hint: z.string().optional(),
    searched: z.object({
      highlights: z.int().nullable(),
      documents: z.int().nullable(),
      projects: z.array(z.string()),
      notebooks: z.array(z.string()),
    }),
    not_searched: z.array(z.string()),
    incomplete: z.array(
      z.object({ what: z.string(), code: z.string(), message: z.string(), retry_after: z.int().optional() }),
    ),
    warnings: z.array(z.string()),
  }),

  list: { items: "results", shown: "count" },

  run: (request, { retrieval, readwise, signal }) =>
    search({ retrieval, readwise: readwise.searching }, request, signal),
});
