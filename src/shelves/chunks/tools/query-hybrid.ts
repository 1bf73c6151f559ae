import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { Filters, Found, FullText, ProjectId, TopK } from "../schemas.js";

export const queryHybrid = defineTool({
  name: "query_hybrid",
  title: "Search chunks by words and meaning",
  description:
    "Find passages of one project by words (BM25) and by meaning, ranked together, ready to cite. best_match: none: nothing fits. On HYBRID_NOT_SUPPORTED use find_chunks.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 15_000,

  input: z.object({
    project: ProjectId,
    query: z.string().trim().min(1).max(10_000).describe('Plain words; "a phrase" must occur, begin* completes'),
    top_k: TopK,
    filters: Filters,
    include_full_text: FullText,
  }),

  output: z.object({ ...Found, hybrid_enabled: z.boolean() }),

  list: { items: "items", shown: "count" },

  run: ({ project, query, ...request }, { retrieval, signal }) =>
    retrieval.hybrid(project, query, { ...request, signal }),
});
