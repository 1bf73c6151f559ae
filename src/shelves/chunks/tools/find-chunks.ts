import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { Filters, Found, FullText, ProjectId, TopK } from "../schemas.js";

export const findChunks = defineTool({
  name: "find_chunks",
  title: "Search chunks by meaning",
  description:
    "Find passages of one project by meaning, ready to cite. best_match: none: nothing fits. Prefer query_hybrid for names, numbers or quoted phrases. Scores are cosines, no probabilities.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 8_000,

  input: z.object({
    project: ProjectId,
    query: z.string().trim().min(1).max(10_000).describe("Question in plain words"),
    top_k: TopK,
    filters: Filters,
    include_full_text: FullText,
  }),

  output: z.object(Found),

  list: { items: "items", shown: "count" },

  run: ({ project, query, ...request }, { retrieval, signal }) =>
    retrieval.find(project, query, { ...request, signal }),
});
