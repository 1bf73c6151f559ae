import { z } from "zod";
import { defineTool, readOnly } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { ProjectId } from "../schemas.js";

const Passage = {
  similarity: z.number(),
  doc_id: z.string().nullable(),
  citekey: z.string().nullable(),
  title: z.string().nullable(),
  chunk_id: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  page_labels: z.tuple([z.string(), z.string()]).nullable(),
  section_path: z.array(z.string()),
  start: z.int().nullable(),
  end: z.int().nullable(),
  text: z.string().describe("The true wording"),
  printed: z.string().nullable().describe("As in the file, where it differs"),
  differences: z.array(z.object({ quote: z.string(), source: z.string() })).optional(),
  marked: z.string().optional().describe("[-quote's words-] {+source's words+}"),
};

export const verifyQuote = defineTool({
  name: "verify_quote",
  title: "Check a quote against its source",
  description:
    "Before quoting: are these words in the project's sources? Exact, normalised, fuzzy (differences marked), misattributed, stitched or absent, with page and true wording.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 30_000,

  input: z.object({
    project: ProjectId,
    quote: text({ max: 5000 }).describe("At least 3 words; … marks an omission"),
    source: z.string().optional().describe("Claimed citekey or document id"),
  }),

  output: z.object({
    verdict: z.enum(["exact", "normalised", "fuzzy", "misattributed", "stitched", "absent"]),
    matches: z.array(
      z.object({ level: z.enum(["exact", "normalised", "fuzzy"]), quoted: z.string().optional(), ...Passage }),
    ),
    closest: z.object(Passage).nullable(),
    note: z.string(),
  }),

  run: ({ project, quote, source }, { quotes, signal }) => quotes.verify(project, quote, { source, signal }),
});
