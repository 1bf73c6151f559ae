import { badRequest, clampInt, dateQuery, type Endpoint, noContent, notFound, ok, page } from "./calls.js";
import type { Library } from "./library.js";
import { hash } from "./random.js";
import type { Book, Highlight } from "./records.js";
import { bookShape, exportBookShape, lastHighlightAt, liveHighlightsOf, reviewItemShape } from "./shapes-v2.js";
import { within } from "./v2-highlights.js";

export const libraryEndpoints: Endpoint[] = [
  { name: "GET /api/v2/auth/", perMinute: 240, handle: () => noContent },
  {
    name: "GET /api/v2/books/",
    perMinute: 20,
    handle(call) {
      const { query } = call;
      const dates = dateQuery(query, "updated__gt", "updated__lt", "last_highlight_at__gt", "last_highlight_at__lt");
      const number = (name: string) => {
        const text = query.get(name);
        return text === null ? undefined : clampInt(text, 0, 0, Number.MAX_SAFE_INTEGER);
      };
      const exactly = number("num_highlights");
      const found = call.library.booksNewestFirst().filter((book) => {
        const count = liveHighlightsOf(book).length;
        return (
          !book.is_deleted &&
          (query.get("category") ?? book.category) === book.category &&
          (query.get("source") ?? book.source) === book.source &&
          (exactly ?? count) === count &&
          within(count, number("num_highlights__gt"), number("num_highlights__lt")) &&
          within(book.updated, dates.updated__gt, dates.updated__lt) &&
          within(lastHighlightAt(book), dates.last_highlight_at__gt, dates.last_highlight_at__lt)
        );
      });
      return page(call, found, bookShape);
    },
  },
  {
    name: "GET /api/v2/books/:id/",
    perMinute: 240,
    handle({ library, params }) {
      const book = library.books.get(Number(params.id));
      return book && !book.is_deleted ? ok(bookShape(book)) : notFound;
    },
  },
  {
    name: "GET /api/v2/export/",
    perMinute: 240,
    handle({ library, query, exportPageSize, unknowns }) {
      const { updatedAfter } = dateQuery(query, "updatedAfter");
      const cursor = query.get("pageCursor");
      if (cursor && !/^\d+$/.test(cursor)) return badRequest({ pageCursor: ["A valid integer is required."] });
      const ids = query.get("ids");
      if (ids && !/^\d+(,\d+)*$/.test(ids)) return badRequest({ ids: ["Enter whole numbers separated by commas."] });
      const wanted = ids ? new Set(ids.split(",").map(Number)) : null;
      const includeDeleted = query.get("includeDeleted") === "true";
      const size =
        unknowns.exportPageSizeParam === "honour"
          ? clampInt(query.get("page_size"), exportPageSize, 1, 1000)
          : exportPageSize;

      let count = 0;
      const found: { book: Book; highlights: Highlight[] }[] = [];
      for (const book of library.booksNewestFirst()) {
        if ((wanted && !wanted.has(book.id)) || (book.is_deleted && !includeDeleted)) continue;
        const highlights = book.highlights.filter(
          (each) =>
            (includeDeleted || !each.is_deleted) && (updatedAfter === undefined || each.updated_at > updatedAfter),
        );
        const bookChanged = unknowns.exportBookChanges === "list" && book.updated > (updatedAfter ?? 0);
        if (updatedAfter !== undefined && highlights.length === 0 && !bookChanged) continue;
        count += highlights.length;
        found.push({ book, highlights });
      }

      // The cursor is the id of the next source, so it stays good while sources come and go.
      const start = cursor ? found.findIndex(({ book }) => book.id <= Number(cursor)) : 0;
      const shown = start === -1 ? [] : found.slice(start, start + size);
      const next = start === -1 ? undefined : found[start + size];
      return ok({
        count,
        nextPageCursor: next ? next.book.id : null,
        results: shown.map(({ book, highlights }) => exportBookShape(book, highlights)),
      });
    },
  },
  {
    name: "GET /api/v2/review/",
    perMinute: 240,
    handle({ library, now }) {
      const day = new Date(now).toISOString().slice(0, 10);
      const id = hash(`${library.seed} ${day}`) % 100_000_000;
      return ok({
        review_id: id,
        review_url: `https://readwise.io/reviews/${id}`,
        review_completed: false,
        highlights: reviewOf(library, day).map((each) => reviewItemShape(each, library.books.get(each.book_id)!)),
      });
    },
  },
];

const REVIEW_SIZE = 5;
const reviews = new WeakMap<Library, { day: string; ids: number[] }>();

/** Settled by the day's first request; what is deleted later drops out. */
function reviewOf(library: Library, day: string): Highlight[] {
  const known = reviews.get(library);
  const ids = known?.day === day ? known.ids : drawReview(library, day);
  reviews.set(library, { day, ids });
  return ids.map((id) => library.highlights.get(id)!).filter((each) => !each.is_deleted);
}

function drawReview(library: Library, day: string): number[] {
  return library
    .liveHighlights()
    .filter((each) => !each.is_discard)
    .map((each) => ({ id: each.id, rank: hash(`${day} ${each.id}`) }))
    .sort((a, b) => a.rank - b.rank || a.id - b.id)
    .slice(0, REVIEW_SIZE)
    .map(({ id }) => id);
}
