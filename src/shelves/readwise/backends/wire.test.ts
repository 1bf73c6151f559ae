import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showDocument, showHighlight, showSource } from "../library/showing.js";
import { toDocument, toExportedSource, toHighlight, toReview, toSource, toTouchedSource } from "./wire.js";

// Answers as the API's documentation and published live answers have them; every value is made up, the shapes are not.

const listedSource = {
  id: 9001,
  title: "A Field Guide to Tides",
  author: "R. Moss",
  category: "articles",
  source: "reader",
  num_highlights: 2,
  last_highlight_at: "2026-02-01T08:00:00.120000Z",
  updated: "2026-02-01T08:00:01.5Z",
  cover_image_url: "https://img.example/t.png",
  highlights_url: "https://readwise.io/bookreview/9001",
  source_url: "https://tides.example/guide",
  asin: "B00TIDES",
  tags: [{ id: 71, user_book: 9001, name: "sea" }],
  document_note: "good",
};
const listedHighlight = {
  id: 501,
  text: "Water keeps no straight lines.",
  note: "why",
  location: 3076,
  location_type: "offset",
  highlighted_at: "2026-02-01T08:00:00.120000Z",
  url: "https://read.readwise.io/read/01kaaaaaaaaaaaaaaaaaaaaaaa",
  color: "yellow",
  updated: "2026-02-01T08:00:00.3Z",
  book_id: 9001,
  tags: [{ id: 72, name: "shape" }],
  external_id: "01kaaaaaaaaaaaaaaaaaaaaaaa",
};
const exportedHighlight = {
  id: 501,
  is_deleted: false,
  text: "Water keeps no straight lines.",
  location: 3076,
  location_type: "offset",
  note: "why",
  color: "yellow",
  highlighted_at: "2026-02-01T08:00:00.120Z",
  created_at: "2026-02-01T08:00:01.000Z",
  updated_at: "2026-02-01T08:00:01.000Z",
  external_id: "01kaaaaaaaaaaaaaaaaaaaaaaa",
  end_location: null,
  url: "https://read.readwise.io/read/01kaaaaaaaaaaaaaaaaaaaaaaa",
  book_id: 9001,
  tags: [{ id: 72, name: "shape" }],
  is_favorite: true,
  is_discard: true,
  readwise_url: "https://readwise.io/open/501",
};
const exportedSource = {
  user_book_id: 9001,
  is_deleted: false,
  title: "A Field Guide to Tides",
  author: "R. Moss",
  readable_title: "A Field Guide",
  source: "reader",
  cover_image_url: "https://img.example/t.png",
  unique_url: "https://read.readwise.io/read/01kbbbbbbbbbbbbbbbbbbbbbbb",
  summary: "Tides.",
  book_tags: [{ id: 71, name: "sea" }],
  category: "articles",
  document_note: "good",
  readwise_url: "https://readwise.io/bookreview/9001",
  source_url: "https://tides.example/guide",
  external_id: "01kbbbbbbbbbbbbbbbbbbbbbbb",
  asin: "B00TIDES",
  highlights: [exportedHighlight],
};
const document = {
  id: "01kcccccccccccccccccccccccc",
  url: "https://read.readwise.io/read/01kcccccccccccccccccccccccc",
  title: "How tides work",
  author: "Sea Channel",
  source: "Reader add from clipboard",
  category: "highlight",
  location: "later",
  tags: { "deep-sea": { name: "Deep Sea", type: "manual", created: 1768613498536 } },
  site_name: "YouTube",
  word_count: 2100,
  reading_time: "9 mins",
  listening_time: "2 hrs 54 mins",
  created_at: "2026-02-01T07:00:00.102135+00:00",
  updated_at: "2026-02-02T07:00:00.000001+00:00",
  published_date: "2026-01-30",
  summary: "Why.",
  image_url: "https://img.example/v.png",
  content: "the moon pulls first",
  source_url: "https://video.example/watch?v=1",
  notes: "note",
  parent_id: "01kdddddddddddddddddddddddd",
  reading_progress: 0.35,
  first_opened_at: "2026-02-01T07:01:00.000000+00:00",
  last_opened_at: "2026-02-02T06:59:00.000000+00:00",
  saved_at: "2026-02-01T07:00:00.000000+00:00",
  last_moved_at: "2026-02-01T07:00:00.000000+00:00",
  highlight_offset: 12,
  highlight_location: "p3",
};

/** What answers do not repeat, with the reason. */
const DROPPED = new Set([
  "is_deleted", // deleted things are not shown at all
  "end_location", // null in every known answer
  "user_book", // the id of the source a tag already stands in
  "type", // of a Reader tag: always "manual"
  "created", // of a Reader tag
  "highlights", // shown one by one
  "resurface_weighting", // how often Readwise's review repeats a source
  "source_syncs_all_books_together",
  "modified_highlights", // becomes the ids of what was created
]);

/** Every value that stands somewhere in an answer. */
function valuesIn(value: unknown): Set<unknown> {
  if (typeof value !== "object" || value === null) return new Set([value]);
  return new Set(Object.entries(value).flatMap(([key, one]) => [key, ...valuesIn(one)]));
}

/** The fields of an upstream record whose value does not stand in the answer. */
function lost(record: object, shown: unknown): string[] {
  const there = valuesIn(shown);
  return Object.entries(record).flatMap(([key, value]) => {
    if (DROPPED.has(key) || value === null || value === "") return [];
    if (typeof value === "object") return lost(value, shown).map((inner) => `${key}.${inner}`);
    return there.has(value) ? [] : [key];
  });
}

describe("no field that Readwise sends is lost on the way to an answer, unless the list names it", () => {
  it.each([
    ["a listed source", listedSource, showSource(toSource(listedSource))],
    ["an exported source", exportedSource, showSource(toExportedSource(exportedSource).source)],
    ["a listed highlight", listedHighlight, showHighlight(toHighlight(listedHighlight))],
    ["an exported highlight", exportedHighlight, showHighlight(toHighlight(exportedHighlight))],
    ["a document", document, showDocument(toDocument(document))],
  ])("%s", (_name, record, shown) => {
    expect(lost(record, shown)).toEqual([]);
  });

  it("whatever stands in them", () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.trim() !== "");
    const scrambled = <T extends Record<string, unknown>>(record: T, keep: readonly string[]) =>
      fc.record(
        Object.fromEntries(
          Object.entries(record).map(([key, value]) => [
            key,
            typeof value !== "string" || keep.includes(key)
              ? fc.constant(value)
              : fc.oneof(fc.constant(null), fc.constant(""), text),
          ]),
        ),
      );
    fc.assert(
      fc.property(
        scrambled(document, ["id"]),
        scrambled(exportedSource, []),
        scrambled(exportedHighlight, ["text"]),
        (one, source, highlight) => {
          expect(lost(one, showDocument(toDocument(one)))).toEqual([]);
          expect(lost(source, showSource(toSource(source)))).toEqual([]);
          expect(lost(highlight, showHighlight(toHighlight(highlight)))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("an answer as it was published", () => {
  it("is read right, field by field", () => {
    expect(showSource(toSource(listedSource))).toMatchObject({
      id: 9001,
      highlight_count: 2,
      updated_at: "2026-02-01T08:00:01.5Z",
      readwise_url: "https://readwise.io/bookreview/9001",
      tags: [{ id: 71, name: "sea" }],
      asin: "B00TIDES",
    });
    expect(showSource(toExportedSource(exportedSource).source)).toMatchObject({
      id: 9001,
      readable_title: "A Field Guide",
      document_id: "01kbbbbbbbbbbbbbbbbbbbbbbb",
    });
    expect(showHighlight(toHighlight(listedHighlight))).toMatchObject({
      source_id: 9001,
      book_id: 9001,
      readwise_url: "https://readwise.io/open/501",
      updated_at: "2026-02-01T08:00:00.3Z",
    });
    expect(showDocument(toDocument(document)).tags).toEqual([{ key: "deep-sea", name: "Deep Sea" }]);
  });
  it("with nulls, numbers for dates and fields nobody knows is read as well", () => {
    const bare = toDocument({ id: "01k", tags: null, published_date: 1768613498536, brand_new: { a: 1 } });
    expect(showDocument(bare)).toEqual({
      id: "01k",
      url: "https://read.readwise.io/read/01k",
      tags: [],
      published_date: "2026-01-17",
    });
    const touched = { ...listedSource, resurface_weighting: 1, source_syncs_all_books_together: false };
    expect(toTouchedSource({ ...touched, modified_highlights: [777] }).modified_highlights).toEqual([777]);
    expect(toReview({ review_id: 1, highlights: [{ id: 5, text: "t", source_type: "book" }] }).highlights).toHaveLength(
      1,
    );
    expect(toHighlight({ id: "501", text: "t", location: "12", tags: [{ name: "no id" }] })).toMatchObject({
      id: 501,
      location: 12,
      tags: [],
    });
  });
});
