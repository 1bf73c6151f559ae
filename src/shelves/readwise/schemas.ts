import { z } from "zod";
import { codePoints, howMany, text } from "../../catalog/fields.js";
import { BEST_MATCHES } from "../../text/best-match.js";

/** Text of a length nobody reaches: the limit is checked, and costs no words in the schema. */
export const atMost = (max: number) =>
  z
    .string()
    .refine((value) => codePoints(value) <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max, unsaid: true });

/** A v2 id: digits only, because it becomes part of an address. Numbers are taken as well. */
const digits = (about: string) =>
  z
    .preprocess(
      (value) => (typeof value === "number" ? String(value) : value),
      z.string().regex(/^\d{1,18}$/, "must be digits"),
    )
    // Answers give these ids as numbers; clients that check a call before they make it would refuse them otherwise.
    .meta({ type: ["string", "integer"], description: about });
export const SourceId = digits("Source id");
export const HighlightId = digits("Highlight id");
export const TagId = digits("Tag id");
export const DocumentId = z
  .preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string().regex(/^[\w-]{1,64}$/, "must be letters and digits"),
  )
  .describe("Document id");

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
export const Moment = (about: string) =>
  atMost(40)
    .refine(
      (value) => ISO.test(value) && !Number.isNaN(Date.parse(value)),
      "must be an ISO 8601 date-time, such as 2026-01-31T08:00:00Z",
    )
    .describe(about);
export const UpdatedAfter = Moment("ISO 8601; only what changed later").optional();
export const Page = z.int().min(1).default(1).describe("Page");
export const PageSize = (usual: number) => howMany({ usual, most: 1000 }, "Per page");
export const Limit = (usual: number, most: number) => howMany({ usual, most }, "Most results");
export const Cursor = z.string().max(400).optional().describe("From next_cursor");
export const Fields = atMost(1000).optional().describe("Only these, by commas; or all");

// Filters are one line in every list and search; library/filter.ts reads them.
const filterLike = (about: string) => atMost(1000).optional().describe(about);
export const HighlightFilter = filterLike(
  'All must hold: tag:x -tag:y untagged source_tag:z author:"A B" source:… category:… lang:de color:… has:note is:favorite after:2026-01 before:30d',
);
export const SameHighlightFilter = filterLike("As in list_highlights");
export const DocumentFilter = filterLike(
  'All must hold: tag:x -tag:y untagged author:"A B" site:… lang:de has:note is:seen progress:<0.5 after:2026-01 before:30d opened_after:…',
);
export const SameDocumentFilter = filterLike("As in list_documents");
export const Sort = z.enum(["newest", "oldest"]).optional().describe("Order");
export const Query = atMost(1000)
  .refine((value) => value.trim() !== "", "must not be empty")
  .describe('Words; "a phrase", prefix*');

export const SOURCE_CATEGORIES = ["books", "articles", "tweets", "supplementals", "podcasts"] as const;
export const LOCATIONS = ["new", "later", "shortlist", "archive", "feed"] as const;
const DOCUMENT_CATEGORIES = [
  "article",
  "email",
  "rss",
  "highlight",
  "note",
  "pdf",
  "epub",
  "tweet",
  "video",
  "podcast",
] as const;
const SAVE_LOCATIONS = ["new", "later", "shortlist", "archive"] as const;
export const COLORS = ["yellow", "blue", "pink", "orange", "green", "purple"] as const;

export const Location = z.enum(LOCATIONS).optional().describe("Where it is; new is the inbox");
/** The same where the list of kinds was given once: a wrong one is refused with all of them. */
export const AnyCategory = atMost(40)
  .refine(
    (kind) => (DOCUMENT_CATEGORIES as readonly string[]).includes(kind),
    `must be one of ${DOCUMENT_CATEGORIES.join(", ")}`,
  )
  .optional()
  .describe("Kind, as in list_documents");
export const DocumentCategory = z.enum(DOCUMENT_CATEGORIES).optional().describe("Kind");
export const SaveLocation = z.enum(SAVE_LOCATIONS).optional().describe("Where to keep it; new is the inbox");
export const MoveLocation = z.enum(LOCATIONS).optional().describe("Where to move it; new is the inbox");
export const HighlightText = text({ min: 1, max: 8191 }).refine(
  (words) => words === "" || words.trim() !== "",
  "must not be blank",
);
export const Note = atMost(8191).optional();
/** Addresses that a program which shows them as links would run. Others, such as kindle://, are somebody's own. */
const RUNS = /^[\s\p{Cc}]*(?:javascript|vbscript|data):/iu;
/** What a new highlight may say beside its text and its source's title. */
export const HighlightFields = {
  source_author: atMost(1024).optional().describe("Author"),
  source_url: atMost(2047)
    .refine((address) => !RUNS.test(address), "must not be an address that runs code or holds a page")
    .optional()
    .describe("Address"),
  note: Note.describe("Note"),
  location: z.int().min(0).optional().describe("Place in the source"),
};
export const WebAddress = text({ min: 1, max: 2047 })
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), "must be an http(s) address")
  .describe("http(s) address");
export const Tags = z
  .array(text({ min: 1, max: 512 }))
  .max(200)
  .optional();
/** Few at a time: names of tags to add or take away. */
export const TagNames = z.array(atMost(127).min(1)).max(50).meta({ unsaid: true }).optional();
export const several = <T extends z.ZodType>(one: T, most: number) =>
  z
    .array(one)
    .min(1)
    .max(most)
    .meta({ unsaid: true, description: `Several, at most ${most}` })
    .optional();
export const ContentOffset = z.int().min(0).default(0).describe("Start of the text window");
export const ContentMaxChars = howMany({ usual: 16_000, most: 36_000 }, "Its length");

const maybe = z.string().nullable();
const id = z.int();

export const Tag = z.object({ id, name: z.string() });
/** A tag that was added; one that Readwise does not show yet has no id. */
export const AddedTag = z.object({ id: id.optional(), name: z.string(), warnings: z.array(z.unknown()).optional() });
export const ReaderTag = z.object({ key: z.string(), name: z.string() });

export const Source = z.object({
  id,
  title: maybe,
  readable_title: maybe,
  author: maybe,
  category: maybe,
  source: maybe,
  cover_image_url: maybe,
  source_url: maybe,
  readwise_url: maybe,
  unique_url: maybe,
  highlight_count: z.int().nullable(),
  tags: z.array(Tag),
  document_note: maybe,
  summary: maybe,
  last_highlight_at: maybe,
  updated_at: maybe,
  asin: maybe,
  /** The Reader document's id where the source came from Reader. */
  external_id: maybe,
});

export const Highlight = z.object({
  id,
  text: z.string(),
  note: maybe,
  location: z.number().nullable(),
  location_type: maybe,
  color: maybe,
  highlighted_at: maybe,
  created_at: maybe,
  updated_at: maybe,
  book_id: id.nullable(),
  url: maybe,
  readwise_url: maybe,
  tags: z.array(Tag),
  is_favorite: z.boolean().nullable(),
  is_discard: z.boolean().nullable(),
  external_id: maybe,
});

export const ReviewHighlight = z.object({
  id,
  text: z.string(),
  title: maybe,
  author: maybe,
  url: maybe,
  source_url: maybe,
  source_type: maybe,
  category: maybe,
  location_type: maybe,
  location: z.number().nullable(),
  note: maybe,
  highlighted_at: maybe,
  highlight_url: maybe,
  image_url: maybe,
  api_source: maybe,
  readwise_url: z.string().optional(),
  source_id: id.optional(),
  tags: z.array(Tag).optional(),
});

export const ShownReviewHighlight = ReviewHighlight.partial().extend({ id, text: z.string() });

export const Document = z.object({
  id: z.string(),
  url: maybe,
  source_url: maybe,
  title: maybe,
  author: maybe,
  source: maybe,
  category: maybe,
  location: maybe,
  tags: z.record(z.string(), z.object({ name: z.string() })).nullable(),
  site_name: maybe,
  word_count: z.number().nullable(),
  reading_time: maybe,
  /** The length of a video or podcast, in words: "2 hrs 54 mins". */
  listening_time: maybe,
  created_at: maybe,
  updated_at: maybe,
  published_date: maybe,
  summary: maybe,
  image_url: maybe,
  notes: maybe,
  parent_id: maybe,
  reading_progress: z.number().nullable(),
  first_opened_at: maybe,
  last_opened_at: maybe,
  last_moved_at: maybe,
  saved_at: maybe,
  content: maybe,
  /** Where a highlight begins in its parent; only highlights have them. */
  highlight_offset: z.number().nullable(),
  highlight_location: maybe,
});

// What answers show of these records: nothing that is empty, and the same fields wherever the record came from.

export const ShownSource = Source.partial().extend({ id, document_id: z.string().optional() });
export const ShownHighlight = Highlight.partial().extend({
  id,
  source_id: id.optional(),
  /** The Reader document it was made in. */
  document_id: z.string().optional(),
});
/** In a list of many sources each says where it is from. */
export const ListedHighlight = ShownHighlight.extend({
  source_title: z.string().optional(),
  author: z.string().optional(),
});
export const ShownDocument = Document.partial().extend({
  id: z.string(),
  tags: z.array(z.object({ key: z.string(), name: z.string() })).optional(),
});

/** Something the caller should know about an answer that is otherwise good. */
export const Warning = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export const Warnings = z.array(Warning).optional();
/** What an answer left out, and how to get it. */
const Cut = { truncated: z.boolean(), hint: z.string().optional() };
/** How old and how whole a list from the cache is, and counts instead of its items. */
export const Listed = {
  /** How many match in all. */
  count: z.int(),
  counts: z.array(z.object({ value: z.string(), count: z.int(), source_id: id.optional() })).optional(),
  as_of: z.string().optional(),
  complete: z.boolean().optional(),
  retry_after: z.int().optional(),
  warnings: Warnings,
  ...Cut,
};
/** v2's page, with marks that the tool itself takes. */
export const Paged = {
  /** The same as next_cursor. */
  next: z.string().nullable(),
  /** A page number. */
  previous: z.int().nullable(),
  ...Listed,
};
export const DocumentPage = z.object({ results: z.array(ShownDocument), has_more: z.boolean(), ...Listed });
export const Relevance = {
  relevance_score: z.number().gt(0).max(1).optional(),
  snippet: z.object({ field: z.string(), text: z.string(), start: z.int() }).nullish(),
};
/** What a search looked through, how well the best of it fits, and what it did not look at. */
export const Coverage = {
  ...Listed,
  best_match: z.enum(BEST_MATCHES).optional(),
  searched: z.int(),
  by_meaning: z.int().optional(),
  not_searched: z.array(z.string()).optional(),
};

/** A new highlight; one that Readwise does not show yet has no id. */
export const NewHighlightAnswer = ShownHighlight.extend({
  id: id.optional(),
  reader_highlight_id: z.string().optional(),
  duplicate: z.boolean(),
  /** Inside the Reader document, or in Readwise alone. */
  kept_in: z.enum(["reader", "readwise"]),
  warnings: Warnings,
});

export type Tag = z.infer<typeof Tag>;
export type ReaderTag = z.infer<typeof ReaderTag>;
export type Source = z.infer<typeof Source>;
export type Highlight = z.infer<typeof Highlight>;
export type ReviewHighlight = z.infer<typeof ReviewHighlight>;
export type Document = z.infer<typeof Document>;
export type ShownSource = z.infer<typeof ShownSource>;
export type ShownHighlight = z.infer<typeof ShownHighlight>;
export type ListedHighlight = z.infer<typeof ListedHighlight>;
export type ShownDocument = z.infer<typeof ShownDocument>;
export type Warning = z.infer<typeof Warning>;

/** A change that changes nothing is a mistake. */
export function someChange(
  input: { id?: unknown; ids?: unknown; dry_run?: unknown; undo?: unknown },
  ctx: z.RefinementCtx,
): void {
  const { id: one, ids: several, dry_run: _dry, undo, ...changes } = input;
  if (undo === true) return;
  if ((one === undefined) === (several === undefined))
    ctx.addIssue({ code: "custom", path: ["id"], message: "give id, or ids for several" });
  if (Object.values(changes).every((value) => value === undefined))
    ctx.addIssue({ code: "custom", path: [], message: "nothing to change: give at least one field beside id" });
}
