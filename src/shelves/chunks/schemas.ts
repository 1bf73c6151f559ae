import { z } from "zod";
import { howMany } from "../../catalog/fields.js";
import { BEST_MATCHES } from "../../text/best-match.js";
import { PASSAGE_KINDS } from "./chunk-store.js";

export const ProjectId = z.string().min(1).max(200).describe("Project id");
export const SearchedProjects = z
  .union([z.string().min(1).max(200), z.array(z.string().min(1).max(200)).max(50)])
  .transform((value) => (typeof value === "string" ? [value] : value))
  .optional()
  .describe("Project id or ids; everything if left out");
export const NewProjectId = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,199}$/u, "must be letters, digits and . _ - /, at most 200")
  .describe("Name such as 'citeloom/clean-arch'");
export const ChunkId = z.string().min(1).max(512);
export const TopK = howMany({ usual: 6, most: 20 }, "Most items");
export const FullText = z.boolean().default(false).describe("Also return whole texts");

const Name = z.string().max(2_000);
const Tags = z.array(z.string().max(200)).max(50).meta({ unsaid: true });
const Year = z.int();

/** The same in both searches; a key that is not here is refused, never ignored. */
export const Filters = z
  .strictObject({
    tags: Tags.optional().describe("Has all"),
    tags_any: Tags.optional().describe("Has one"),
    citekey: Name.optional().describe("Exact"),
    doc_id: Name.optional().describe("Exact"),
    year: Year.optional().describe("Exact"),
    year_from: Year.optional().describe("Inclusive"),
    year_to: Year.optional().describe("Inclusive"),
    section_prefix: z.array(z.string().max(500)).max(50).meta({ unsaid: true }).optional().describe("First headings"),
    kind: z.enum(PASSAGE_KINDS).optional().describe("Only these"),
  })
  .optional()
  .describe("Narrow");

export const Hit = z.object({
  id: z.string(),
  render_text: z.string(),
  truncated: z.boolean(),
  score: z.number().min(0).max(1),
  score_kind: z.enum(["cosine", "weighted", "words"]),
  matched_by: z.object({
    words: z.object({ rank: z.int(), bm25: z.number(), coverage: z.number() }).optional(),
    meaning: z.object({ rank: z.int(), similarity: z.number() }).optional(),
  }),
  // The contract has these in every hit; what else is not known is left out.
  citekey: z.string().nullable(),
  title: z.string().optional(),
  author: z.string().optional(),
  doc_id: z.string().optional(),
  year: z.int().optional(),
  cite: z.string().optional(),
  section: z.string().nullable(),
  page_span: z.tuple([z.int(), z.int()]).nullable(),
  section_path: z.array(z.string()),
  doi: z.string().optional(),
  url: z.string().optional(),
  full_text: z.string().nullable(),
});

/** What is known about a document, and where that came from. */
export const DocumentRecord = z.object({
  id: z.string(),
  title: z.string(),
  citekey: z.string().nullable(),
  kind: z.string(),
  chunk_count: z.int(),
  author: z.string().optional(),
  translator: z.string().optional(),
  year: z.int().optional(),
  publisher: z.string().optional(),
  path: z.string().optional(),
  url: z.string().optional(),
  language: z.string().optional(),
  added_at: z.string().optional(),
  fields_from: z.record(z.string(), z.string()).optional(),
  suspicious: z.array(z.object({ field: z.string(), value: z.string(), why: z.string() })).optional(),
});

/** What a search of one project answers with. */
export const Found = {
  items: z.array(Hit),
  count: z.int(),
  best_match: z.enum(BEST_MATCHES),
  hint: z.string().optional(),
  not_searched: z.array(z.string()),
  warnings: z.array(z.string()),
};

/** What a check of quotations looked at; highlights are null where they were not looked at. */
export const Searched = z.object({
  projects: z.array(z.string()),
  notebooks: z.array(z.string()),
  highlights: z.int().nullable(),
});

/** The work a passage belongs to, as far as it is known. */
export const WorkFields = {
  doc_id: z.string().optional(),
  citekey: z.string().optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  url: z.string().optional(),
};

const Maybe = z.string().optional();
/** A place in what somebody has read, whichever shelf it stands on; what is not known or empty is left out. */
export const LibraryHit = z.object({
  origin: z.enum(["highlight", "document", "passage"]),
  id: z.string(),
  title: Maybe,
  author: Maybe,
  text: z.string(),
  truncated: z.boolean(),
  snippet: z.object({ field: z.string(), text: z.string(), start: z.int() }).optional(),
  score: z.number().min(0).max(1),
  /** A link a person can open. */
  url: Maybe,
  /** When it was highlighted, saved or published. */
  date: Maybe,
  note: Maybe,
  tags: z.array(z.string()).optional(),
  highlight_id: z.int().optional(),
  source_id: z.int().optional(),
  document_id: Maybe,
  project: Maybe,
  /** Name of the notebook it stands in. */
  notebook: Maybe,
  notebook_id: Maybe,
  chunk_id: Maybe,
  doc_id: Maybe,
  citekey: Maybe,
  page_span: z.tuple([z.int(), z.int()]).optional(),
  section_path: z.array(z.string()).optional(),
  /** Every list it was found in: highlights, documents, and projects by name. */
  found_in: z.array(z.string()),
});
export type LibraryHit = z.infer<typeof LibraryHit>;
