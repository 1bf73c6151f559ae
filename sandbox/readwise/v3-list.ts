import { badRequest, clampInt, dateQuery, type Endpoint, ok } from "./calls.js";
import type { Library } from "./library.js";
import type { ReaderDocument } from "./records.js";
import { documentShape } from "./shapes-v3.js";

export const CATEGORIES = ["article", "email", "rss", "highlight", "note", "pdf", "epub", "tweet", "video", "podcast"];
export const LOCATIONS = ["new", "later", "shortlist", "archive", "feed"];
const COUNT_SATURATES_AT = 10_000;
const RAW_LINK_LIVES_MS = 3_600_000;

export const listEndpoints: Endpoint[] = [
  {
    name: "GET /api/v3/list/",
    perMinute: 20,
    handle({ library, query, unknowns, now, origin, withoutHtml }) {
      const { updatedAfter } = dateQuery(query, "updatedAfter");
      const id = query.get("id");
      const location = query.get("location");
      const category = query.get("category");
      const tags = query.getAll("tag");
      if (location && !LOCATIONS.includes(location)) return badRequest({ location: [invalid(location)] });
      if (category && !CATEGORIES.includes(category)) return badRequest({ category: [invalid(category)] });
      if (tags.length > 5) return badRequest({ tag: ["No more than 5 tags."] });

      const order = unknowns.listOrder;
      const found = library
        .documentsNewestFirst(order)
        .filter(
          (each) =>
            (id === null || each.id === id) &&
            (!location || each.location === location) &&
            (location !== "shortlist" || unknowns.shortlistListed === "all") &&
            (!category || each.category === category) &&
            (updatedAfter === undefined || each.updated_at > updatedAfter) &&
            tags.every((key) => (key === "" ? isUntagged(each) : each.tags?.[key] !== undefined)),
        );

      const cursor = query.get("pageCursor");
      const start = cursor ? positionAfter(library, found, cursor, order) : 0;
      if (start === null) return badRequest({ detail: "Invalid cursor." });
      const limit = clampInt(query.get("limit"), 100, 1, 100);
      const end = Math.min(start + limit, unknowns.listCeiling ?? found.length, found.length);
      const shown = found.slice(start, end);
      const last = shown.at(-1);
      const more = last !== undefined && end < Math.min(found.length, unknowns.listCeiling ?? found.length);
      if (more) remember(library, last, order);

      const matches = unknowns.listCount === "remaining" ? found.length - start : found.length;
      return ok({
        count: Math.min(matches, COUNT_SATURATES_AT),
        nextPageCursor: more ? last.id : null,
        results: shown.map((document) =>
          documentShape(document, {
            html: query.get("withHtmlContent") === "true",
            withoutHtml,
            ...(query.get("withRawSourceUrl") === "true"
              ? { rawSourceUrl: ({ id }) => `${origin}/_raw/${id}?expires=${now + RAW_LINK_LIVES_MS}` }
              : {}),
          }),
        ),
      });
    },
  },
  {
    name: "GET /api/v3/tags/",
    perMinute: 20,
    handle({ library, query, unknowns }) {
      const all = [...library.readerTags]
        .map(([key, name]) => ({ key, name }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      const cursor = query.get("pageCursor") ?? "";
      const left = all.filter(({ key }) => key > cursor);
      const results = left.slice(0, unknowns.readerTagsPageSize);
      const more = left.length > results.length;
      return ok({ count: all.length, nextPageCursor: more ? results.at(-1)!.key : null, results });
    },
  },
];

function invalid(value: string): string {
  return `Select a valid choice. ${value} is not one of the available choices.`;
}

function isUntagged({ tags }: ReaderDocument): boolean {
  return tags === null || Object.keys(tags).length === 0;
}

type Place = { at: number; id: string };
const issued = new WeakMap<Library, Map<string, Place>>();

function placeOf(document: ReaderDocument, order: "updated" | "saved"): Place {
  return { at: order === "updated" ? document.updated_at : document.saved_at, id: document.id };
}

/** A cursor names a document, yet stays good when that document is changed or deleted meanwhile. */
function remember(library: Library, document: ReaderDocument, order: "updated" | "saved"): void {
  const places = issued.get(library) ?? new Map<string, Place>();
  issued.set(library, places);
  places.set(document.id, placeOf(document, order));
}

function positionAfter(
  library: Library,
  found: ReaderDocument[],
  cursor: string,
  order: "updated" | "saved",
): number | null {
  const document = library.documents.get(cursor);
  const place = issued.get(library)?.get(cursor) ?? (document && placeOf(document, order));
  if (!place) return null;
  const index = found.findIndex((each) => {
    const { at, id } = placeOf(each, order);
    return at < place.at || (at === place.at && id < place.id);
  });
  return index === -1 ? found.length : index;
}
