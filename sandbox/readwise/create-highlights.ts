import { type Answer, badRequest, type Call, isRecord, ok, parseDate } from "./calls.js";
import { checkChoice, checkText, isInteger } from "./fields.js";
import { addInlineTags } from "./inline-tags.js";
import type { Book, Highlight } from "./records.js";
import { createdBookShape } from "./shapes-v2.js";

const CATEGORIES = ["books", "articles", "tweets", "podcasts"] as const;
const LOCATION_TYPES = ["page", "order", "time_offset"] as const;
const WRONG_DATETIME =
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";

type Item = Record<string, unknown>;

/** Answers the touched sources, each with the ids it changed: a duplicate changes nothing and so has no id here. */
export function createHighlights(call: Call): Answer {
  const list = isRecord(call.body) ? call.body.highlights : undefined;
  if (!Array.isArray(list) || list.length === 0) return badRequest({ non_field_errors: ["No data provided"] });
  if (list.length > call.unknowns.createMax)
    return { status: 503, html: "<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>" };

  const errors = list.map(checkItem);
  if (errors.some((each) => Object.keys(each).length > 0)) return badRequest(errors);

  const touched = new Map<Book, number[]>();
  const known = new Map<string, Book>();
  list.filter(isRecord).forEach((item, index) => {
    const { book, modified } = createOne(call, item, index, known);
    const ids = touched.get(book) ?? [];
    touched.set(book, ids);
    if (modified !== null && !ids.includes(modified)) ids.push(modified);
  });
  return ok([...touched].map(([book, ids]) => createdBookShape(book, ids)));
}

function checkItem(item: unknown): Record<string, string[]> {
  if (!isRecord(item)) return { non_field_errors: ["Invalid data. Expected a dictionary."] };
  const errors: Record<string, string[]> = {};
  checkText(errors, item, "text", { max: 8191, required: true });
  checkText(errors, item, "title", { max: 511, blank: true });
  checkText(errors, item, "author", { max: 1024, blank: true });
  checkText(errors, item, "image_url", { max: 2047, blank: true });
  checkText(errors, item, "source_url", { max: 2047, blank: true });
  checkText(errors, item, "source_type", { max: 64, min: 3 });
  checkText(errors, item, "note", { max: 8191, blank: true });
  checkText(errors, item, "highlight_url", { max: 4095, blank: true });
  checkChoice(errors, item, "category", CATEGORIES);
  checkChoice(errors, item, "location_type", LOCATION_TYPES);
  if (typeof item.source_type === "string" && /\s/.test(item.source_type))
    errors.source_type ??= ["This field may not contain spaces."];
  if (item.location !== undefined && item.location !== null && !isInteger(item.location))
    errors.location = ["A valid integer is required."];
  const date = item.highlighted_at;
  if (date !== undefined && date !== null && (typeof date !== "string" || parseDate(date) === null))
    errors.highlighted_at = [WRONG_DATETIME];
  return errors;
}

function createOne(call: Call, item: Item, index: number, known: Map<string, Book>) {
  const { library, now } = call;
  const text = String(item.text);
  const note = textOr(item.note, "");
  const url = textOr(item.highlight_url, null);

  const earlier = url === null ? undefined : library.highlightByUrl(url);
  if (earlier) {
    const book = library.books.get(earlier.book_id)!;
    if (earlier.text === text && (note === "" || note === earlier.note)) return { book, modified: null };
    earlier.text = text;
    if (note !== "") earlier.note = note;
    addInlineTags(library, earlier);
    library.changed(earlier, now);
    return { book, modified: earlier.id };
  }

  const book = bookFor(call, item, known);
  const duplicate = book.highlights.find((each) => !each.is_deleted && each.text === text);
  if (duplicate) return { book, modified: null };

  const highlight: Highlight = library.addHighlight(
    book,
    {
      text,
      note,
      location: isInteger(item.location) ? item.location : index + 1,
      location_type: textOr(item.location_type, "order"),
      highlighted_at: typeof item.highlighted_at === "string" ? parseDate(item.highlighted_at) : now,
      url,
    },
    now,
  );
  addInlineTags(library, highlight);
  return { book, modified: highlight.id };
}

function bookFor({ library, unknowns, now }: Call, item: Item, known: Map<string, Book>): Book {
  const source_url = textOr(item.source_url, null);
  const title = textOr(item.title, "Quotes");
  const author = textOr(item.author, source_url === null ? null : domain(source_url));
  const category = textOr(item.category, source_url === null ? "books" : "articles");
  const source = textOr(item.source_type, `api_${category.replace(/s$/, "")}`);
  const rule = unknowns.bookMatch;

  const key = JSON.stringify([title, author, source_url, source]);
  const book =
    known.get(key) ??
    library
      .booksNewestFirst()
      .find(
        (each) =>
          !each.is_deleted &&
          each.title === title &&
          (each.author || null) === (author || null) &&
          (rule === "title_author" || each.source_url === source_url) &&
          (rule !== "title_author_url_source" || each.source === source),
      ) ??
    library.addBook(
      {
        title,
        author,
        category,
        source,
        source_url,
        ...(item.image_url ? { cover_image_url: String(item.image_url) } : {}),
      },
      now,
    );
  known.set(key, book);
  return book;
}

function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === "string" && value !== "" ? value : fallback;
}

function domain(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname || null : null;
}
