import { z } from "zod";
import { defineTool, openWorld, readOnly } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { Searched, SearchedProjects, WorkFields } from "../schemas.js";

const Passage = {
  similarity: z.number(),
  project: z.string().optional(),
  origin: z.enum(["project", "notebook", "highlights"]),
  ...WorkFields,
  source_id: z.int().optional(),
  highlight_id: z.int().optional(),
  note: z.string().optional().describe("The person's own note on the highlight"),
  location: z.number().optional(),
  location_type: z.string().optional(),
  chunk_id: z.string().optional(),
  page_span: z.tuple([z.int(), z.int()]).optional(),
  page_labels: z.tuple([z.string(), z.string()]).optional(),
  section_path: z.array(z.string()).optional(),
  start: z.int().optional(),
  end: z.int().optional(),
  text: z.string().describe("The true wording"),
  printed: z.string().optional().describe("As in the file, where it differs"),
  cite: z.string().optional(),
  differences: z.array(z.object({ quote: z.string(), source: z.string() })).optional(),
  marked: z.string().optional().describe("[-quote's words-] {+source's words+}"),
};
const Match = z.object({
  level: z.enum(["exact", "normalised", "fuzzy"]),
  quoted: z.string().optional(),
  ...Passage,
});

export const verifyQuote = defineTool({
  name: "verify_quote",
  title: "Check a quote against its source",
  description:
    "Before quoting: are these words in what the person has read (projects, notebooks, highlights)? Exact, normalised, fuzzy, misattributed, stitched or absent, with page, true wording and citation.",
  profiles: ["chunks"],
  annotations: openWorld(readOnly),
  timeoutMs: 60_000,

  input: z.object({
    project: SearchedProjects,
    quote: text({ max: 5000 }).describe("At least 3 words; … marks an omission"),
    source: z.string().max(2_000).optional().describe("Claimed citekey, document id, title or author"),
  }),

  output: z.object({
    verdict: z.enum(["exact", "normalised", "fuzzy", "misattributed", "stitched", "absent"]),
    matches: z.array(Match),
    closest: z.object(Passage).nullable(),
    searched: Searched,
    not_searched: z.array(z.string()).optional(),
    elsewhere: z.array(Match).optional().describe("Outside the project asked about"),
    note: z.string(),
  }),

  run: ({ project, quote, source }, { quotes, readwise, signal }) =>
    quotes.verify(project, quote, { source, readwise: readwise.quoting, signal }),
});
