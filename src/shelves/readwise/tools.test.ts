import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Connected } from "../../../tests/support/connect.js";
import { type Fixture, NOON, readwiseFixture } from "../../../tests/support/readwise.js";
import { type SmallLibrary, smallLibrary } from "../../../tests/support/small-library.js";

let fixture: Fixture;
let small: SmallLibrary;
let client: Connected;
beforeEach(async () => {
  small = smallLibrary();
  fixture = await readwiseFixture({ libraries: { key: small.library } });
  client = await fixture.as("key");
});
afterEach(() => fixture.close());

describe("reading highlights", () => {
  it("lists sources", async () => {
    expect(await client.call("list_sources", { category: "books" })).toMatchInlineSnapshot(`
      {
        "count": 1,
        "next": null,
        "previous": null,
        "results": [
          {
            "author": "R. Moss",
            "category": "books",
            "highlight_count": 2,
            "id": 41000001,
            "last_highlight_at": "2026-05-16T12:00:01Z",
            "readwise_url": "https://readwise.io/bookreview/41000001",
            "source": "kindle",
            "tags": [
              {
                "id": 91000001,
                "name": "sea",
              },
            ],
            "title": "A Field Guide to Tides",
            "updated_at": "2026-05-16T12:00:01Z",
          },
        ],
        "truncated": false,
      }
    `);
  });
  it("gets a source, with what a cached export adds to it", async () => {
    expect(await client.call("get_source", { id: small.law.id })).not.toHaveProperty("readable_title");
    await client.call("search_highlights", { query: "law" });
    expect(await client.call("get_source", { id: String(small.law.id) })).toMatchInlineSnapshot(`
      {
        "category": "articles",
        "cover_image_url": "https://readwise-assets.example/covers/default.png",
        "highlight_count": 1,
        "id": 41000002,
        "last_highlight_at": "2026-05-16T12:00:02Z",
        "readable_title": "On the Rule of Law",
        "readwise_url": "https://readwise.io/bookreview/41000002",
        "source": "instapaper",
        "source_url": "https://law.example/rule",
        "tags": [],
        "title": "On the Rule of Law",
        "updated_at": "2026-05-16T12:00:02Z",
      }
    `);
  });
  it("lists highlights of a source", async () => {
    expect(
      await client.call("list_highlights", { source_id: small.tides.id, page_size: 1, page: 2 }),
    ).toMatchInlineSnapshot(
      { previous: 1 },
      `
      {
        "count": 2,
        "next": null,
        "previous": 1,
        "results": [
          {
            "book_id": 41000001,
            "created_at": "2026-05-16T12:00:00.000Z",
            "highlighted_at": "2026-05-16T12:00:00Z",
            "id": 702000001,
            "is_discard": false,
            "is_favorite": false,
            "location": 12,
            "location_type": "page",
            "note": "compare rivers",
            "readwise_url": "https://readwise.io/open/702000001",
            "source_id": 41000001,
            "tags": [
              {
                "id": 91000002,
                "name": "shape",
              },
            ],
            "text": "Water keeps no straight lines.",
          },
        ],
        "truncated": false,
      }
    `,
    );
  });
  it("gets a highlight", async () => {
    expect(await client.call("get_highlight", { id: small.lines.id })).toMatchInlineSnapshot(`
      {
        "book_id": 41000001,
        "created_at": "2026-05-16T12:00:00.000Z",
        "highlighted_at": "2026-05-16T12:00:00Z",
        "id": 702000001,
        "is_discard": false,
        "is_favorite": false,
        "location": 12,
        "location_type": "page",
        "note": "compare rivers",
        "readwise_url": "https://readwise.io/open/702000001",
        "source_id": 41000001,
        "tags": [
          {
            "id": 91000002,
            "name": "shape",
          },
        ],
        "text": "Water keeps no straight lines.",
        "updated_at": "2026-05-16T12:00:00Z",
      }
    `);
  });
  it("exports everything, a page of sources at a time", async () => {
    const first = await client.call("export_highlights", { limit: 1 });
    expect(first).toMatchInlineSnapshot(`
      {
        "as_of": "2026-06-15T12:00:00.000Z",
        "count": 3,
        "highlight_count": 4,
        "hint": "Call again with cursor set to next_cursor for the rest.",
        "next_cursor": "41000002",
        "results": [
          {
            "author": "Ana Sol",
            "category": "articles",
            "cover_image_url": "https://readwise-assets.example/covers/reader.png",
            "document_id": "01krragpg0fkvdwjm1g477scpk",
            "external_id": "01krragpg0fkvdwjm1g477scpk",
            "highlight_count": 1,
            "highlights": [
              {
                "book_id": 41000003,
                "created_at": "2026-05-16T12:00:03.000Z",
                "external_id": "01krragsdrxtdeqv6mpzns6amq",
                "highlighted_at": "2026-05-16T12:00:03.000Z",
                "id": 702000004,
                "is_discard": false,
                "is_favorite": false,
                "location_type": "offset",
                "readwise_url": "https://readwise.io/open/702000004",
                "source_id": 41000003,
                "tags": [],
                "text": "Salt moved by camel.",
                "updated_at": "2026-05-16T12:00:03.000Z",
                "url": "https://read.readwise.io/read/01krragsdrxtdeqv6mpzns6amq",
              },
            ],
            "id": 41000003,
            "last_highlight_at": "2026-05-16T12:00:03.000Z",
            "readable_title": "How salt travels",
            "readwise_url": "https://readwise.io/bookreview/41000003",
            "source": "reader",
            "source_url": "https://salt.example/travels",
            "summary": "Caravans, ships and the price of salt.",
            "tags": [
              {
                "id": 91000003,
                "name": "Trade Routes",
              },
            ],
            "title": "How salt travels",
            "unique_url": "https://read.readwise.io/read/01krragpg0fkvdwjm1g477scpk",
            "updated_at": "2026-05-16T12:00:03.000Z",
          },
        ],
        "truncated": true,
      }
    `);
    const rest = await client.call("export_highlights", { cursor: first.next_cursor });
    expect(rest).toMatchObject({
      next_cursor: null,
      truncated: false,
      results: [{ id: small.law.id }, { id: small.tides.id }],
    });
  });
  it("exports what changed", async () => {
    const later = await client.call("create_highlight", { text: "a later thought", source_id: small.tides.id });
    const changed = await client.call("export_highlights", { updated_after: new Date(NOON - 1000).toISOString() });
    expect(changed).toMatchObject({
      count: 1,
      highlight_count: 1,
      results: [{ id: small.tides.id, highlights: [{ id: later.id }] }],
    });
  });
  it("gets the daily review", async () => {
    const { highlights, ...review } = await client.call("get_daily_review");
    expect(review).toMatchInlineSnapshot(`
      {
        "review_completed": false,
        "review_id": 71845456,
        "review_url": "https://readwise.io/reviews/71845456",
      }
    `);
    expect(Object.keys((highlights as object[])[0]!)).toContain("source_type");
    for (const highlight of highlights as object[])
      expect(highlight).toMatchObject({ source_id: expect.any(Number), tags: expect.any(Array) });
  });
  it("lists only the fields that were asked for", async () => {
    const { results } = await client.call("list_sources", { fields: "title,author" });
    for (const source of results as object[])
      expect(["id", "title", "author"]).toEqual(expect.arrayContaining(Object.keys(source)));
    expect((await client.call("list_videos", { fields: "title" })).results).toEqual(
      expect.arrayContaining([{ id: expect.any(String), title: expect.any(String) }]),
    );
    expect(await client.call("list_videos", { fields: "colour" })).toMatchObject({
      error: { code: "invalid_param", message: expect.stringContaining("listening_time") },
    });
  });
  it("lists tags", async () => {
    expect(await client.call("list_source_tags", { source_id: small.tides.id })).toMatchInlineSnapshot(`
      {
        "count": 1,
        "tags": [
          {
            "id": 91000001,
            "name": "sea",
          },
        ],
      }
    `);
    expect(await client.call("list_highlight_tags", { highlight_id: small.lines.id })).toMatchInlineSnapshot(`
      {
        "count": 1,
        "tags": [
          {
            "id": 91000002,
            "name": "shape",
          },
        ],
      }
    `);
  });
  it("searches highlights", async () => {
    expect(await client.call("search_highlights", { query: "rule of law" })).toMatchInlineSnapshot(`
      {
        "as_of": "2026-06-15T12:00:00.000Z",
        "best_match": "good",
        "by_meaning": 0,
        "complete": true,
        "count": 1,
        "not_searched": [
          "Reader documents, projects and notebooks: search_library searches all of them",
        ],
        "results": [
          {
            "author": null,
            "highlight": {
              "book_id": 41000002,
              "color": "yellow",
              "highlighted_at": "2026-05-16T12:00:02.000Z",
              "id": 702000003,
              "is_discard": false,
              "is_favorite": false,
              "location_type": "none",
              "readwise_url": "https://readwise.io/open/702000003",
              "source_id": 41000002,
              "tags": [],
              "text": "The rule of law is older than the state.",
            },
            "relevance_score": 0.9357,
            "snippet": {
              "field": "text",
              "start": 4,
              "text": "The rule of law is older than the state.",
            },
            "source_title": "On the Rule of Law",
          },
        ],
        "searched": 4,
        "truncated": false,
      }
    `);
  });
  it("searches one source, and says how much was searched where nothing is found", async () => {
    expect(await client.call("search_highlights", { query: "moon", source_id: small.law.id })).toMatchInlineSnapshot(`
      {
        "as_of": "2026-06-15T12:00:00.000Z",
        "best_match": "none",
        "by_meaning": 0,
        "complete": true,
        "count": 0,
        "hint": "Nothing fits in all 1 highlights of source 41000002, searched by words. Try other words, or a prefix*.",
        "not_searched": [
          "Reader documents, projects and notebooks: search_library searches all of them",
        ],
        "results": [],
        "searched": 1,
        "truncated": false,
      }
    `);
  });
});

describe("reading documents", () => {
  it("lists documents, and leads on", async () => {
    const first = await client.call("list_documents", { limit: 1, category: "article" });
    expect(first).toMatchInlineSnapshot(`
      {
        "count": 1,
        "has_more": false,
        "results": [
          {
            "author": "Ana Sol",
            "category": "article",
            "id": "01krragpg0fkvdwjm1g477scpk",
            "location": "later",
            "published_date": "2026-01-17",
            "reading_progress": 0,
            "saved_at": "2026-05-16T12:00:00.000000+00:00",
            "source": "Reader add from clipboard",
            "source_url": "https://salt.example/travels",
            "summary": "Caravans, ships and the price of salt.",
            "tags": [
              {
                "key": "trade-routes",
                "name": "Trade Routes",
              },
            ],
            "title": "How salt travels",
            "updated_at": "2026-05-16T12:00:00.000000+00:00",
            "url": "https://read.readwise.io/read/01krragpg0fkvdwjm1g477scpk",
          },
        ],
        "truncated": false,
      }
    `);
    const all = await client.call("list_documents", { limit: 1 });
    expect(all).toMatchObject({ count: 3, has_more: true, next_cursor: expect.any(String) });
    expect(all.hint).toContain("includes highlights and notes");
    const last = await client.call("list_documents", { limit: 1, cursor: all.next_cursor });
    expect(last).toMatchObject({ has_more: false, results: [{}] });
    expect(last).not.toHaveProperty("next_cursor");
  });
  it("lists highlights and notes only where they are asked for", async () => {
    const kinds = async (args: object) =>
      ((await client.call("list_documents", { ...args })).results as { category: string }[]).map(
        (each) => each.category,
      );
    expect(await kinds({})).toEqual(["video", "article"]);
    expect(await kinds({ include_children: true })).toEqual(["highlight", "video", "article"]);
    expect(await kinds({ category: "highlight" })).toEqual(["highlight"]);
    expect(await kinds({ filter: "-untagged" })).toEqual(["article"]);
  });
  it("gets a window of a document's text and its highlights", async () => {
    const answer = await client.call("get_document", {
      id: small.article.id,
      include_content: true,
      html: true,
      content_offset: 3,
      content_max_chars: 10,
      include_highlights: true,
    });
    expect(answer).toMatchObject({
      content: "Salt moved",
      content_length: 56,
      truncated: true,
      next_content_offset: 13,
      highlights: [{ text: "Salt moved by camel." }],
      highlights_complete: true,
    });
    expect(await client.call("get_document", { id: small.article.id, include_content: true })).toMatchObject({
      content: "Salt moved by camel.\n\nThen it moved by ship.",
    });
    const plain = await client.call("get_document", { id: small.article.id });
    expect(plain).toMatchObject({ published_date: "2026-01-17" });
    expect(plain).not.toHaveProperty("content");
  });
  it("lists Reader tags", async () => {
    expect(await client.call("list_reader_tags")).toMatchInlineSnapshot(`
      {
        "count": 1,
        "tags": [
          {
            "key": "trade-routes",
            "name": "Trade Routes",
          },
        ],
        "truncated": false,
      }
    `);
  });
  it("searches documents, their highlights only where asked for", async () => {
    expect(await client.call("search_documents", { query: "salt caravan" })).toMatchInlineSnapshot(`
      {
        "as_of": "2026-06-15T12:00:00.000Z",
        "best_match": "good",
        "by_meaning": 0,
        "complete": true,
        "count": 1,
        "not_searched": [
          "full texts of documents: sync_library puts them into a project, query_hybrid searches it",
        ],
        "results": [
          {
            "document": {
              "author": "Ana Sol",
              "category": "article",
              "id": "01krragpg0fkvdwjm1g477scpk",
              "location": "later",
              "published_date": "2026-01-17",
              "reading_progress": 0,
              "saved_at": "2026-05-16T12:00:00.000000+00:00",
              "source": "Reader add from clipboard",
              "source_url": "https://salt.example/travels",
              "summary": "Caravans, ships and the price of salt.",
              "tags": [
                {
                  "key": "trade-routes",
                  "name": "Trade Routes",
                },
              ],
              "title": "How salt travels",
              "updated_at": "2026-05-16T12:00:00.000000+00:00",
              "url": "https://read.readwise.io/read/01krragpg0fkvdwjm1g477scpk",
            },
            "relevance_score": 0.5124,
            "snippet": {
              "field": "title",
              "start": 4,
              "text": "How salt travels",
            },
          },
        ],
        "searched": 3,
        "truncated": false,
      }
    `);
    expect(await client.call("search_documents", { query: "camel" })).toMatchObject({
      results: [],
      searched: 3,
      complete: true,
    });
    expect(await client.call("search_documents", { query: "camel", category: "highlight" })).toMatchObject({
      count: 1,
    });
  });
});

describe("videos", () => {
  it("are listed", async () => {
    expect(await client.call("list_videos", { location: "new" })).toMatchObject({
      count: 1,
      results: [{ id: small.video.id }],
      has_more: false,
    });
  });
  it("come with their transcript as text", async () => {
    expect(await client.call("get_video", { id: small.video.id })).toMatchObject({
      transcript: "The moon pulls.\nTwice a day & always.",
      content_length: 37,
      truncated: false,
    });
  });
  it("say so where there is no transcript", async () => {
    fixture.sandbox.faults.set({ kind: "empty_html" });
    expect(await client.call("get_video", { id: small.video.id })).toMatchObject({
      transcript: null,
      hint: expect.stringContaining("no transcript"),
    });
  });
  it("have a position that Reader does not let anybody set", async () => {
    expect(await client.call("get_video_position", { id: small.video.id })).toMatchInlineSnapshot(`
      {
        "last_opened_at": "2026-05-16T12:00:00.000000+00:00",
        "reading_progress": 0.35,
      }
    `);
    expect(
      await client.call("update_video_position", { id: small.video.id, position: 30, duration: 60 }),
    ).toMatchInlineSnapshot(`
      {
        "error": {
          "code": "not_persisted",
          "details": {
            "reading_progress": 0.35,
            "requested": 0.5,
          },
          "message": "Reader's API does not store playback positions: 0.500 was sent and accepted, and the position still is 0.35. Nothing changed.",
          "recoverable": false,
          "type": "api_error",
        },
      }
    `);
  });
  it("keep a position should Reader ever begin to", async () => {
    fixture.sandbox.unknowns.readingProgress = "honour";
    expect(await client.call("update_video_position", { id: small.video.id, position: 30, duration: 60 })).toEqual({
      reading_progress: 0.5,
    });
  });
  it("are highlighted in Readwise, two at the same second apart", async () => {
    const one = await client.call("create_video_highlight", {
      id: small.video.id,
      text: "pulls",
      timestamp: 0,
      end_timestamp: 4.5,
      note: "n",
    });
    const two = await client.call("create_video_highlight", { id: small.video.id, text: "tugs", timestamp: 0 });
    expect(one).toMatchInlineSnapshot(`
      {
        "book_id": 41000004,
        "created_at": "2026-06-15T12:00:00.000Z",
        "document_id": "01krragqf8prg796jg2ba1ja2e",
        "duplicate": false,
        "end_timestamp": 4.5,
        "external_id": "01kv5je8g03h7gf11y2zz31wpd",
        "highlighted_at": "2026-06-15T12:00:00Z",
        "id": 702000005,
        "is_discard": false,
        "is_favorite": false,
        "kept_in": "reader",
        "location": 9,
        "location_type": "offset",
        "note": "n",
        "reader_highlight_id": "01kv5je8g03h7gf11y2zz31wpd",
        "readwise_url": "https://readwise.io/open/702000005",
        "source_id": 41000004,
        "tags": [],
        "text": "pulls",
        "timestamp": 0,
        "timestamps_kept_in": "the place of the text in the transcript",
        "updated_at": "2026-06-15T12:00:00Z",
        "url": "https://read.readwise.io/read/01kv5je8g03h7gf11y2zz31wpd",
      }
    `);
    expect(two.id).not.toBe(one.id);
  });
});

describe("writing highlights", () => {
  it("creates one in a source it makes", async () => {
    expect(
      await client.call("create_highlight", {
        text: "Ebb",
        source_title: "New book",
        source_author: "A",
        note: "n",
        location: 0,
        location_type: "page",
      }),
    ).toMatchInlineSnapshot(`
      {
        "book_id": 41000004,
        "created_at": "2026-06-15T12:00:00.000Z",
        "duplicate": false,
        "highlighted_at": "2026-06-15T12:00:00Z",
        "id": 702000005,
        "is_discard": false,
        "is_favorite": false,
        "kept_in": "readwise",
        "location": 0,
        "location_type": "page",
        "note": "n",
        "readwise_url": "https://readwise.io/open/702000005",
        "source_id": 41000004,
        "tags": [],
        "text": "Ebb",
        "updated_at": "2026-06-15T12:00:00Z",
      }
    `);
  });
  it("creates one in a source that is there", async () => {
    expect(await client.call("create_highlight", { text: "Flow", source_id: small.tides.id })).toMatchObject({
      book_id: small.tides.id,
      duplicate: false,
    });
  });
  it("says so when there is nothing to search", async () => {
    expect(await client.call("search_highlights", { query: "moon", source_id: 99999 })).toMatchObject({
      searched: 0,
      hint: "There are no highlights of source 99999 to search.",
    });
  });
  it("says that a source keeps its own title when another came along with its id", async () => {
    expect(
      await client.call("create_highlight", { text: "Flow", source_id: small.tides.id, source_title: "Rivers" }),
    ).toMatchObject({
      book_id: small.tides.id,
      warnings: [{ code: "not_kept", details: { fields: ["source_title"] } }],
    });
  });
  it("says how long to wait before looking at a change that could not be read back", async () => {
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v3/list/", retry_after_s: 5 });
    expect(await client.call("update_document", { id: small.article.id, title: "New" })).toMatchObject({
      error: { code: "upstream_error", retry_after: 5, details: { accepted: true } },
    });
  });
  it("says where it landed if Readwise took the source for another one", async () => {
    fixture.sandbox.unknowns.bookMatch = "title_author_url_source";
    const answer = await client.call("create_highlight", { text: "Flow", source_id: small.law.id });
    expect(answer).toMatchObject({
      warnings: [
        { code: "source_mismatch", details: { requested_source_id: small.law.id, actual_source_id: answer.book_id } },
      ],
    });
    expect(answer.book_id).not.toBe(small.law.id);
  });
  it("finds the highlight a duplicate stands for", async () => {
    expect(
      await client.call("create_highlight", { text: small.lines.text, source_id: small.tides.id, note: "another" }),
    ).toMatchObject({
      id: small.lines.id,
      duplicate: true,
      note: "compare rivers",
      warnings: [{ code: "duplicate" }],
    });
  });
  it("does not report a write as failed because it could not be read back", async () => {
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v2/highlights/:id/" });
    expect(await client.call("create_highlight", { text: "Ebb", source_title: "New book" })).toMatchObject({
      id: expect.any(Number),
      text: "Ebb",
      warnings: [{ code: "not_read_back" }],
    });
  });
  it("never sends a write twice", async () => {
    fixture.sandbox.faults.set({ kind: "reset", endpoint: "POST /api/v2/highlights/", times: 1 });
    expect(await client.call("create_highlight", { text: "Ebb", source_title: "New book" })).toMatchObject({
      error: { code: "upstream_error", message: expect.stringContaining("check before") },
    });
    expect(fixture.sandbox.requests.count("POST /api/v2/highlights/")).toBe(1);
  });
  it("creates many, in the input's order, with duplicates marked", async () => {
    const highlights = [
      { text: "one", source_title: "T" },
      { text: small.lines.text, source_title: "A Field Guide to Tides", source_author: "R. Moss" },
      { text: "two", source_title: "U" },
      { text: "one", source_title: "T" },
      { text: "one", source_title: "U" },
    ];
    const { results } = (await client.call("bulk_create_highlights", { highlights })) as { results: { id: number }[] };
    expect(results).toMatchObject([
      { duplicate: false },
      { id: small.lines.id, duplicate: true },
      { duplicate: false },
      { id: results[0]!.id, duplicate: true },
      { duplicate: false },
    ]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(4);
  });
  it("says which items were written where a later batch fails", async () => {
    const highlights = Array.from({ length: 201 }, (_, i) => ({ text: `number ${i}`, source_title: "T" }));
    fixture.sandbox.faults.set({ kind: "status", status: 503, endpoint: "POST /api/v2/highlights/", nth: 2 });
    expect(await client.call("bulk_create_highlights", { highlights })).toMatchObject({
      count: 200,
      created: 200,
      warnings: [{ code: "partial", details: { first_unwritten: 200 } }],
    });
  });
  it("updates one, an empty note and location 0 included", async () => {
    expect(
      await client.call("update_highlight", { id: small.lines.id, note: "", location: 0, color: "blue" }),
    ).toMatchObject({ location: 0, color: "blue", text: small.lines.text });
    expect(await client.call("get_highlight", { id: small.lines.id })).not.toHaveProperty("note");
  });
  it("tags and untags", async () => {
    const tag = await client.call("add_highlight_tag", { highlight_id: small.lines.id, name: "moon" });
    expect(tag).toEqual({ id: expect.any(Number), name: "moon" });
    expect(await client.call("delete_highlight_tag", { highlight_id: small.lines.id, tag_id: tag.id })).toEqual({
      deleted: true,
    });
    const source = await client.call("add_source_tag", { source_id: small.tides.id, name: "moon" });
    expect(await client.call("delete_source_tag", { source_id: small.tides.id, tag_id: source.id })).toEqual({
      deleted: true,
    });
  });
  it("deletes one", async () => {
    expect(await client.call("delete_highlight", { id: small.lines.id })).toEqual({ deleted: true });
    expect(await client.call("get_highlight", { id: small.lines.id })).toMatchObject({ error: { code: "not_found" } });
  });
});

describe("writing documents", () => {
  it("saves a page, and says whether it is new", async () => {
    const first = await client.call("save_document", {
      url: "https://new.example/page",
      tags: ["Deep Sea"],
      location: "later",
    });
    expect(first).toEqual({ id: expect.any(String), url: expect.any(String), created: true });
    expect(await client.call("save_document", { url: "https://new.example/page" })).toMatchObject({
      id: first.id,
      created: false,
    });
  });
  it("says where a page landed that was to go elsewhere", async () => {
    expect(
      await client.call("save_document", { url: "https://new.example/page", location: "shortlist" }),
    ).toMatchObject({
      warnings: [{ code: "not_kept", details: { field: "location", requested: "shortlist", actual: "new" } }],
    });
  });
  it("updates a document and shows it as it is now", async () => {
    expect(
      await client.call("update_document", {
        id: small.article.id,
        title: "Salt",
        tags: [],
        seen: true,
        location: "archive",
      }),
    ).toMatchObject({
      title: "Salt",
      tags: {},
      location: "archive",
      first_opened_at: expect.any(String),
      author: "Ana Sol",
    });
  });
  it("warns of what Reader did not keep", async () => {
    expect(await client.call("update_document", { id: small.article.id, location: "shortlist" })).toMatchObject({
      location: "new",
      warnings: [{ code: "not_kept", details: { field: "location" } }],
    });
  });
  it("deletes a document", async () => {
    expect(await client.call("delete_document", { id: small.article.id })).toEqual({ deleted: true });
    expect(await client.call("get_document", { id: small.article.id })).toMatchObject({ error: { code: "not_found" } });
  });
});

it("reads once more where a connection is reset, and only once", async () => {
  fixture.sandbox.faults.set({ kind: "reset", endpoint: "GET /api/v2/books/:id/", times: 1 });
  expect(await client.call("get_source", { id: small.tides.id })).toMatchObject({ id: small.tides.id });
  fixture.sandbox.faults.set({ kind: "reset_body", endpoint: "GET /api/v2/books/:id/" });
  const before = fixture.sandbox.requests.count("GET /api/v2/books/:id/");
  expect(await client.call("get_source", { id: small.tides.id })).toMatchObject({ error: { code: "upstream_error" } });
  expect(fixture.sandbox.requests.count("GET /api/v2/books/:id/") - before).toBe(2);
});
