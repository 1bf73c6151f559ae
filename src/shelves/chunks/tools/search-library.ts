import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { howMany } from "../../../catalog/fields.js";
import { BEST_MATCHES } from "../../../text/best-match.js";
import { searchLibrary as search } from "../library-search.js";
import { LibraryHit } from "../schemas.js";

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
    results: z.array(LibraryHit),
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
