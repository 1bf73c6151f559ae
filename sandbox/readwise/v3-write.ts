import {
  type Answer,
  badRequest,
  type Call,
  type Endpoint,
  isRecord,
  noContent,
  notFound,
  ok,
  parseDate,
} from "./calls.js";
import { checkChoice, checkText } from "./fields.js";
import type { ReaderDocument } from "./records.js";
import { escapeHtml, htmlFacts } from "./saved-page.js";
import { savedShape } from "./shapes-v3.js";
import { saveHighlight, updateReaderHighlight } from "./v3-highlights.js";
import { CATEGORIES, LOCATIONS } from "./v3-list.js";

type Errors = Record<string, string[]>;
type Body = Record<string, unknown>;

const BULK_MAX = 50;

export const writeEndpoints: Endpoint[] = [
  { name: "POST /api/v3/save/", perMinute: 50, handle: save },
  {
    name: "PATCH /api/v3/update/:id/",
    perMinute: 50,
    handle(call) {
      const document = call.library.documents.get(call.params.id!);
      if (!document) return call.unknowns.updateUnknownId === 404 ? notFound : noContent;
      if (!isRecord(call.body)) return badRequest({ non_field_errors: ["Invalid data. Expected a dictionary."] });
      const errors = checkFields(call, call.body);
      if (Object.keys(errors).length > 0) return badRequest(errors);
      applyUpdate(call, document, call.body);
      return ok(savedShape(document));
    },
  },
  {
    name: "PATCH /api/v3/bulk_update/",
    perMinute: ({ bulkUpdatePerMinute }) => bulkUpdatePerMinute,
    handle: bulkUpdate,
  },
  {
    name: "DELETE /api/v3/delete/:id/",
    perMinute: 20,
    handle({ library, params, unknowns }) {
      if (!library.documents.has(params.id!)) return unknowns.deleteUnknownId === 404 ? notFound : noContent;
      library.removeDocument(params.id!);
      return noContent;
    },
  },
];

function checkFields({ unknowns }: Call, body: Body): Errors {
  const errors: Errors = {};
  for (const key of ["title", "author", "summary", "image_url", "notes", "html", "saved_using"])
    checkText(errors, body, key, { max: Number.POSITIVE_INFINITY, blank: true });
  const locations = unknowns.shortlist === "reject" ? LOCATIONS.filter((each) => each !== "shortlist") : LOCATIONS;
  checkChoice(errors, body, "location", locations);
  checkChoice(errors, body, "category", CATEGORIES);
  const { tags, published_date, seen } = body;
  if (tags !== undefined && tags !== null) {
    if (!Array.isArray(tags)) errors.tags = ['Expected a list of items but got type "str".'];
    else if (!tags.every((tag) => typeof tag === "string" && tag.trim() !== "")) errors.tags = ["Not a valid string."];
  }
  if (published_date !== undefined && published_date !== null)
    if (typeof published_date !== "string" || parseDate(published_date) === null)
      errors.published_date = ["Datetime has wrong format."];
  if (seen !== undefined && typeof seen !== "boolean") errors.seen = ["Must be a valid boolean."];
  return errors;
}

function save(call: Call): Answer {
  const { library, now, unknowns } = call;
  const body = isRecord(call.body) ? call.body : {};
  const errors = checkFields(call, body);
  if (Object.keys(errors).length === 0 && typeof body.parent_id === "string") return saveHighlight(call, body);
  checkText(errors, body, "url", { max: 2047, required: true });
  if (typeof body.url === "string" && !errors.url && !URL.canParse(body.url)) errors.url = ["Enter a valid URL."];
  if (Object.keys(errors).length > 0) return badRequest(errors);

  const url = String(body.url);
  const tags = tagNames(body.tags) ?? [];
  for (const known of library.documents.values())
    if (known.source_url === url && known.parent_id === null) return saveAgain(call, known, tags, body.location);

  const title = typeof body.title === "string" && body.title !== "" ? body.title : titleFromUrl(url);
  const html =
    typeof body.html === "string" && body.html !== ""
      ? body.html
      : `<article><h1>${escapeHtml(title)}</h1><p>Saved from ${escapeHtml(url)}.</p></article>`;
  const document = library.addDocument(
    {
      category: typeof body.category === "string" ? body.category : categoryFromUrl(url),
      title,
      author: textOrNull(body.author),
      summary: textOrNull(body.summary),
      image_url: typeof body.image_url === "string" ? body.image_url : "",
      published_date: typeof body.published_date === "string" ? body.published_date.slice(0, 10) : null,
      location: wantedLocation(call, body.location) ?? "new",
      source: textOrNull(body.saved_using) ?? "api",
      source_url: url,
      site_name: new URL(url).hostname || null,
      notes: typeof body.notes === "string" ? body.notes : "",
      ...htmlFacts(html),
      html: unknowns.scrapeDelayMs > 0 ? "" : html,
    },
    now,
  );
  document.tags = library.makeReaderTags(tags, now, unknowns.tagKey);
  if (unknowns.scrapeDelayMs > 0)
    library.later(now + unknowns.scrapeDelayMs, () => {
      document.html = html;
    });
  return { status: 201, body: savedShape(document) };
}

function saveAgain(call: Call, document: ReaderDocument, tags: string[], location: unknown): Answer {
  const { library, now, unknowns } = call;
  document.tags = { ...document.tags, ...library.makeReaderTags(tags, now, unknowns.tagKey) };
  if (unknowns.resave !== "keep") {
    const asked = unknowns.resave === "new" ? "new" : (wantedLocation(call, location) ?? "new");
    move(document, asked, now);
  }
  document.updated_at = now;
  library.touch();
  return ok(savedShape(document));
}

/** A 200 proves nothing: what is not written here was dropped without a word. */
function applyUpdate(call: Call, document: ReaderDocument, body: Body): void {
  const { library, now, unknowns } = call;
  if (document.category === "highlight") return updateReaderHighlight(call, document, body);
  for (const key of ["title", "author", "summary", "image_url"] as const)
    if (typeof body[key] === "string") document[key] = body[key];
  if (typeof body.notes === "string") document.notes = body.notes;
  if (typeof body.category === "string") document.category = body.category;
  if (typeof body.published_date === "string") document.published_date = body.published_date.slice(0, 10);
  const location = wantedLocation(call, body.location);
  if (location) move(document, location, now);
  const tags = tagNames(body.tags);
  if (tags) document.tags = library.makeReaderTags(tags, now, unknowns.tagKey);
  if (body.seen === true) {
    document.first_opened_at ??= now;
    document.last_opened_at = now;
  } else if (body.seen === false) {
    document.first_opened_at = null;
    document.last_opened_at = null;
  }
  if (unknowns.readingProgress === "honour" && typeof body.reading_progress === "number")
    document.reading_progress = Math.min(1, Math.max(0, body.reading_progress));
  document.updated_at = now;
  library.touch();
}

function bulkUpdate(call: Call): Answer {
  const updates = isRecord(call.body) ? call.body.updates : undefined;
  if (!Array.isArray(updates)) return badRequest({ updates: ["This field is required."] });
  if (updates.length === 0) return badRequest({ updates: ["This list may not be empty."] });
  if (updates.length > BULK_MAX)
    return badRequest({ updates: [`Ensure this field has no more than ${BULK_MAX} elements.`] });
  if (!updates.every((each) => isRecord(each) && typeof each.id === "string"))
    return badRequest({ updates: ["Every item needs an id."] });

  const results = updates.map((update: Body & { id: string }) => {
    const document = call.library.documents.get(update.id);
    if (!document) return { id: update.id, success: false, error: "Document not found." };
    const [field, messages] = Object.entries(checkFields(call, update))[0] ?? [];
    if (messages) return { id: update.id, success: false, error: `${field}: ${messages[0]}` };
    applyUpdate(call, document, update);
    return { id: update.id, success: true };
  });
  return { status: results.every((each) => each.success) ? 200 : 207, body: { results } };
}

function wantedLocation({ unknowns }: Call, location: unknown): string | null {
  if (typeof location !== "string") return null;
  return location === "shortlist" && unknowns.shortlist === "fallback" ? "new" : location;
}

function move(document: ReaderDocument, location: string, now: number): void {
  if (document.location !== location) document.last_moved_at = now;
  document.location = location;
}

function tagNames(tags: unknown): string[] | null {
  return Array.isArray(tags) ? tags.map(String) : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function titleFromUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  const last = pathname.split("/").filter(Boolean).at(-1) ?? hostname;
  const words = last.replace(/\.\w+$/, "").replace(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function categoryFromUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  if (/(^|\.)(youtube\.com|youtu\.be|vimeo\.com)$/.test(hostname)) return "video";
  if (/(^|\.)(twitter|x)\.com$/.test(hostname)) return "tweet";
  if (pathname.endsWith(".pdf")) return "pdf";
  if (pathname.endsWith(".epub")) return "epub";
  return "article";
}
