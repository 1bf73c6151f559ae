/**
 * What nobody outside Readwise knows for sure. A client has to survive every value;
 * the defaults are the likelier or, where both are as likely, the less convenient one.
 */
export interface Unknowns {
  /** `location: "shortlist"` on save and update: kept, replaced by `new` without a word, or refused with 400. */
  shortlist: "honour" | "fallback" | "reject";
  /** `location=shortlist` on list: some accounts keep their shortlist elsewhere and list nothing there. */
  shortlistListed: "all" | "none";
  /**
   * `POST /save/` with `parent_id` and `content`: a highlight inside the document, nowhere (as before 2026, when the
   * missing `url` was the complaint), or in texts but not in transcripts.
   */
  v3Highlights: "accept" | "refuse" | "refuse_in_videos";
  /** Milliseconds until a note or tag changed through v2 shows in Reader. */
  v2ToReaderDelayMs: number;
  bulkUpdatePerMinute: number;
  /** PATCH /update/ of an id that does not exist. */
  updateUnknownId: 404 | 204;
  /** DELETE /delete/ of an id that does not exist. */
  deleteUnknownId: 404 | 204;
  /** Status of a created v2 tag. */
  tagCreate: 200 | 201;
  /** Adding a tag name twice: answer the tag that is there, or make a second one with the same name. */
  tagTwice: "existing" | "second";
  /** How a Reader tag name becomes its key. */
  tagKey: "slug" | "lower";
  /** Where a URL that is saved again ends up. */
  resave: "requested_or_new" | "new" | "keep";
  /** The real service drops `reading_progress`; honouring it shows what a client does if that ever changes. */
  readingProgress: "drop" | "honour";
  /** What must be equal for a created highlight to join an existing source. */
  bookMatch: "title_author_url" | "title_author" | "title_author_url_source";
  /** Whether `page_size` changes the export's pages. */
  exportPageSizeParam: "ignore" | "honour";
  /** Whether an export with `updatedAfter` names a source of which only its own fields or tags changed. */
  exportBookChanges: "omit" | "list";
  /** Whether tagging a highlight counts as changing it, so that `updatedAfter` sees it. */
  tagTouchesHighlight: boolean;
  /** Order of the Reader list, always newest first. */
  listOrder: "updated" | "saved";
  /** Whether the Reader list's `count` is what is left from the cursor on, or all matches. */
  listCount: "remaining" | "total";
  /** Number of documents after which Reader's paging ends, or null for no end. */
  listCeiling: number | null;
  readerTagsPageSize: number;
  /** Milliseconds until a highlight made in Reader shows in v2. */
  readerToV2DelayMs: number;
  /** Milliseconds until a saved page has its `html_content`; empty before. */
  scrapeDelayMs: number;
  /** v2 category of a Reader video with highlights. */
  videoCategory: string;
  /** `Authorization: Bearer` instead of `Token`. */
  bearer: "reject" | "accept";
  /** v3 answers were seen with `Connection: close`. */
  v3Connection: "close" | "keep-alive";
  /** More created highlights than this in one request end in a 503. */
  createMax: number;
}

export const defaultUnknowns: Unknowns = {
  shortlist: "fallback",
  shortlistListed: "all",
  v3Highlights: "accept",
  v2ToReaderDelayMs: 0,
  bulkUpdatePerMinute: 20,
  updateUnknownId: 404,
  deleteUnknownId: 404,
  tagCreate: 200,
  tagTwice: "existing",
  tagKey: "slug",
  resave: "requested_or_new",
  readingProgress: "drop",
  bookMatch: "title_author_url",
  exportPageSizeParam: "ignore",
  exportBookChanges: "omit",
  tagTouchesHighlight: true,
  listOrder: "updated",
  listCount: "remaining",
  listCeiling: null,
  readerTagsPageSize: 100,
  readerToV2DelayMs: 0,
  scrapeDelayMs: 0,
  videoCategory: "articles",
  bearer: "reject",
  v3Connection: "close",
  createMax: 12_000,
};
