import { badRequest, type Call, dateQuery, type Endpoint, isRecord, noContent, notFound, ok, page } from "./calls.js";
import { createHighlights } from "./create-highlights.js";
import { checkText, isInteger } from "./fields.js";
import { addInlineTags } from "./inline-tags.js";
import type { Highlight } from "./records.js";
import { highlightShape } from "./shapes-v2.js";

const COLORS = ["yellow", "blue", "pink", "orange", "green", "purple"];

export const highlightEndpoints: Endpoint[] = [
  {
    name: "GET /api/v2/highlights/",
    perMinute: 20,
    handle(call) {
      const { query } = call;
      const after = dateQuery(query, "updated__gt", "updated__lt", "highlighted_at__gt", "highlighted_at__lt");
      const bookId = query.get("book_id");
      if (bookId !== null && !/^\d+$/.test(bookId)) return badRequest({ book_id: ["Enter a number."] });
      const found = call.library
        .liveHighlights()
        .filter(
          (highlight) =>
            (bookId === null || highlight.book_id === Number(bookId)) &&
            within(highlight.updated_at, after.updated__gt, after.updated__lt) &&
            within(highlight.highlighted_at, after.highlighted_at__gt, after.highlighted_at__lt),
        );
      return page(call, found, highlightShape);
    },
  },
  { name: "POST /api/v2/highlights/", perMinute: 240, handle: createHighlights },
  {
    name: "GET /api/v2/highlights/:id/",
    perMinute: 240,
    handle(call) {
      const highlight = find(call);
      return highlight ? ok(highlightShape(highlight)) : notFound;
    },
  },
  {
    name: "PATCH /api/v2/highlights/:id/",
    perMinute: 240,
    handle(call) {
      const highlight = find(call);
      if (!highlight) return notFound;
      if (!isRecord(call.body)) return badRequest({ non_field_errors: ["Invalid data. Expected a dictionary."] });
      const errors = checkUpdate(call.body);
      if (Object.keys(errors).length > 0) return badRequest(errors);
      const { text, note, url, color, location } = call.body;
      if (typeof text === "string") highlight.text = text;
      if (typeof note === "string") highlight.note = note;
      if (typeof color === "string") highlight.color = color;
      if (location === null) highlight.location = null;
      else if (location !== undefined) highlight.location = Number(location);
      if (typeof url === "string" || url === null) call.library.setUrl(highlight, url);
      if (typeof note === "string") addInlineTags(call.library, highlight);
      call.library.changed(highlight, call.now);
      if (typeof note === "string") showInReader(call, highlight, note);
      return ok(highlightShape(highlight));
    },
  },
  {
    name: "DELETE /api/v2/highlights/:id/",
    perMinute: 240,
    handle(call) {
      const highlight = find(call);
      if (!highlight) return notFound;
      call.library.deleteHighlight(highlight, call.now);
      return noContent;
    },
  },
];

function find({ library, params }: Call): Highlight | undefined {
  const highlight = library.highlights.get(Number(params.id));
  return highlight && !highlight.is_deleted ? highlight : undefined;
}

/** A note changed here reaches the highlight in Reader after a while. */
function showInReader({ library, unknowns, now }: Call, { external_id }: Highlight, note: string): void {
  const child = external_id === null ? undefined : library.documents.get(external_id);
  if (!child) return;
  library.later(now + unknowns.v2ToReaderDelayMs, () => library.setReaderNote(child, note, now));
  library.catchUp(now);
}

/** An item without the date drops out as soon as a bound is given. */
export function within(value: number | null, above: number | undefined, below: number | undefined): boolean {
  if (above === undefined && below === undefined) return true;
  if (value === null) return false;
  return (above === undefined || value > above) && (below === undefined || value < below);
}

function checkUpdate(body: Record<string, unknown>): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  if ("text" in body) checkText(errors, body, "text", { max: 8191, required: true });
  checkText(errors, body, "note", { max: 8191, blank: true });
  checkText(errors, body, "url", { max: 4095, blank: true });
  const { color, location } = body;
  if (color !== undefined && color !== "" && !COLORS.includes(String(color)))
    errors.color = [`"${String(color)}" is not a valid choice.`];
  const digits = typeof location === "string" && /^\d+$/.test(location);
  if (location !== undefined && location !== null && !isInteger(location) && !digits)
    errors.location = ["A valid integer is required."];
  return errors;
}
