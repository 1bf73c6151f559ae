import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { readwiseTools } from "../../../../tests/support/readwise.js";
import { memoryCacheStore } from "../cache/stores/memory.js";
import { createReadwiseShelf } from "../library/library.js";
import { httpReadwise } from "./http.js";

// The sample answers of the fact sheet, byte for byte, served as they stand and read through the tools. The sheet has none for a
// highlight that was changed or deleted, adding a tag, the review, and a document's HTML: those are the simulator's.

const BOOKS = `{"count":3,"next":"https://readwise.io/api/v2/books/?page=2&page_size=1","previous":null,
 "results":[{"id":9001,"title":"A Field Guide to Tides","author":"R. Moss","category":"articles","source":"reader",
 "num_highlights":2,"last_highlight_at":"2026-02-01T08:00:00.120000Z","updated":"2026-02-01T08:00:01.5Z",
 "cover_image_url":"https://img.example/t.png","highlights_url":"https://readwise.io/bookreview/9001",
 "source_url":"https://tides.example/guide","asin":null,
 "tags":[{"id":71,"user_book":9001,"name":"sea"}],"document_note":""}]}`;
const HIGHLIGHT = `{"id":501,"text":"Water keeps no straight lines.","note":"","location":3076,"location_type":"offset",
 "highlighted_at":"2026-02-01T08:00:00.120000Z","url":"https://read.readwise.io/read/01kaaaaaaaaaaaaaaaaaaaaaaa",
 "color":"","updated":"2026-02-01T08:00:00.3Z","book_id":9001,"tags":[]}`;
const CREATED = `[{"id":9001,"title":"A Field Guide to Tides","author":"R. Moss","category":"articles","source":"our_app",
  "num_highlights":3,"last_highlight_at":"2026-02-03T10:00:00.0Z","updated":"2026-02-03T10:00:00.1Z",
  "cover_image_url":"https://img.example/t.png","highlights_url":"https://readwise.io/bookreview/9001",
  "source_url":"https://tides.example/guide","asin":null,"tags":[],"document_note":"",
  "resurface_weighting":1.0,"source_syncs_all_books_together":false,"modified_highlights":[777]}]`;
const EXPORT = `{"count":5,"nextPageCursor":9000,"results":[{"user_book_id":9001,"is_deleted":false,"title":"A Field Guide to Tides",
 "author":"R. Moss","readable_title":"A Field Guide to Tides","source":"reader","cover_image_url":"https://img.example/t.png",
 "unique_url":"https://read.readwise.io/read/01kbbbbbbbbbbbbbbbbbbbbbbb","summary":null,"book_tags":[{"id":71,"name":"sea"}],
 "category":"articles","document_note":null,"readwise_url":"https://readwise.io/bookreview/9001",
 "source_url":"https://tides.example/guide","external_id":"01kbbbbbbbbbbbbbbbbbbbbbbb","asin":null,
 "highlights":[{"id":501,"is_deleted":false,"text":"Water keeps no straight lines.","location":3076,"location_type":"offset",
 "note":"","color":"","highlighted_at":"2026-02-01T08:00:00.120Z","created_at":"2026-02-01T08:00:01.000Z",
 "updated_at":"2026-02-01T08:00:01.000Z","external_id":"01kaaaaaaaaaaaaaaaaaaaaaaa","end_location":null,
 "url":"https://read.readwise.io/read/01kaaaaaaaaaaaaaaaaaaaaaaa","book_id":9001,"tags":[],"is_favorite":false,
 "is_discard":false,"readwise_url":"https://readwise.io/open/501"}]}]}`;
const BOOK_TAGS = `{"count":1,"next":null,"previous":null,"results":[{"id":71,"name":"sea"}]}`;
const LIST = `{"count":2,"nextPageCursor":null,"results":[
 {"id":"01kcccccccccccccccccccccccc","url":"https://read.readwise.io/read/01kcccccccccccccccccccccccc",
  "title":"How tides work","author":"Sea Channel","source":"Reader add from clipboard","category":"video","location":"later",
  "tags":{"deep-sea":{"name":"Deep Sea","type":"manual","created":1768613498536}},"site_name":"YouTube","word_count":2100,
  "reading_time":"9 mins","listening_time":null,"created_at":"2026-02-01T07:00:00.102135+00:00",
  "updated_at":"2026-02-02T07:00:00.000001+00:00","published_date":"2026-01-30","summary":null,"image_url":"",
  "content":null,"source_url":"https://video.example/watch?v=1","notes":"","parent_id":null,"reading_progress":0.35,
  "first_opened_at":"2026-02-01T07:01:00.000000+00:00","last_opened_at":"2026-02-02T06:59:00.000000+00:00",
  "saved_at":"2026-02-01T07:00:00.000000+00:00","last_moved_at":"2026-02-01T07:00:00.000000+00:00"},
 {"id":"01kdddddddddddddddddddddddd","url":"https://read.readwise.io/read/01kdddddddddddddddddddddddd","title":null,
  "author":null,"source":"reader-web-app","category":"highlight","location":null,"tags":null,"site_name":null,
  "word_count":null,"reading_time":null,"listening_time":null,"created_at":"2026-02-01T07:05:00.000000+00:00",
  "updated_at":"2026-02-01T07:05:00.000000+00:00","published_date":null,"summary":null,"image_url":null,
  "content":"the moon pulls first","source_url":null,"notes":"","parent_id":"01kcccccccccccccccccccccccc",
  "reading_progress":0,"first_opened_at":null,"last_opened_at":null,"saved_at":"2026-02-01T07:05:00.000000+00:00",
  "last_moved_at":"2026-02-01T07:05:00.000000+00:00"}]}`;
const NOBODY = `{"count":0,"nextPageCursor":null,"results":[]}`;
const READER_TAGS = `{"count":1,"nextPageCursor":null,"results":[{"key":"deep-sea","name":"Deep Sea"}]}`;
const SAVED = `{"id":"01k…","url":"https://read.readwise.io/read/01k…"}`;
const BULK = `{"results":[{"id":"01ka…","success":true},{"id":"nope","success":false,"error":"…"}]}`;
const THROTTLED = `{"detail":"Request was throttled. Expected available in 16 seconds."}`;
const EMPTY_LIST = `{"non_field_errors":["No data provided"]}`;

let throttled = false;
let refused = false;
function answerTo({ method, url = "" }: IncomingMessage): [status: number, body: string, headers?: object] {
  if (throttled) return [429, THROTTLED, { "retry-after": "16" }];
  const { pathname, searchParams } = new URL(url, "http://replay");
  const route = `${method} ${pathname}`;
  if (route === "GET /api/v2/books/") return [200, BOOKS];
  if (route === "GET /api/v2/books/9001/tags" || route === "GET /api/v2/books/9001/tags/") return [200, BOOK_TAGS];
  if (route === "GET /api/v2/highlights/501/") return [200, HIGHLIGHT];
  if (route === "POST /api/v2/highlights/") return refused ? [400, EMPTY_LIST] : [200, CREATED];
  if (route === "GET /api/v2/export/")
    return [
      200,
      searchParams.get("pageCursor") ? EXPORT.replace("9000", "null").replace(/\[\{.*\}\]\}/s, "[]}") : EXPORT,
    ];
  if (route === "GET /api/v3/list/") return [200, searchParams.get("id") === "unknown" ? NOBODY : LIST];
  if (route === "GET /api/v3/tags/") return [200, READER_TAGS];
  if (route === "POST /api/v3/save/") return [201, SAVED];
  if (route === "PATCH /api/v3/bulk_update/") return [207, BULK];
  return [404, `{"detail":"Not found."}`];
}
const upstream = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const [status, body, headers] = answerTo(request);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
});

let client: Connected;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  const readwise = createReadwiseShelf({
    api: httpReadwise({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 5_000 }),
    cache: { enabled: false, maxBytes: 2 ** 20, ttlMs: 1_000 },
    store: memoryCacheStore,
  });
  client = await connect({ services: { readwise }, tools: await readwiseTools(), readwiseKey: "key" });
});
afterAll(async () => {
  await client.close();
  upstream.closeAllConnections();
  upstream.close();
});

it("reads a page of sources", async () => {
  expect(await client.call("list_sources", { page_size: 1, fields: "all" })).toMatchObject({
    count: 3,
    results: [
      {
        id: 9001,
        title: "A Field Guide to Tides",
        author: "R. Moss",
        category: "articles",
        source: "reader",
        highlight_count: 2,
        last_highlight_at: "2026-02-01T08:00:00.120000Z",
        updated_at: "2026-02-01T08:00:01.5Z",
        cover_image_url: "https://img.example/t.png",
        readwise_url: "https://readwise.io/bookreview/9001",
        source_url: "https://tides.example/guide",
        tags: [{ id: 71, name: "sea" }],
      },
    ],
    next_cursor: expect.any(String),
  });
});

it("reads one highlight, and completes it from the export", async () => {
  expect(await client.call("get_highlight", { id: 501 })).toEqual({
    id: 501,
    text: "Water keeps no straight lines.",
    location: 3076,
    location_type: "offset",
    highlighted_at: "2026-02-01T08:00:00.120000Z",
    created_at: "2026-02-01T08:00:01.000Z",
    updated_at: expect.stringMatching(/^2026-02-01T08:00:0/),
    book_id: 9001,
    source_id: 9001,
    source_title: "A Field Guide to Tides",
    author: "R. Moss",
    url: "https://read.readwise.io/read/01kaaaaaaaaaaaaaaaaaaaaaaa",
    readwise_url: "https://readwise.io/open/501",
    external_id: "01kaaaaaaaaaaaaaaaaaaaaaaa",
    document_id: "01kbbbbbbbbbbbbbbbbbbbbbbb",
    tags: [],
    is_favorite: false,
    is_discard: false,
  });
});

it("reads what a write answers: one made, and a refusal in Readwise's words", async () => {
  const highlights = [{ text: "The moon pulls first.", source_title: "A Field Guide to Tides" }];
  expect(await client.call("bulk_create_highlights", { highlights })).toMatchObject({
    created: 1,
    results: [{ index: 0, duplicate: false }],
  });
  refused = true;
  expect(await client.call("bulk_create_highlights", { highlights })).toMatchObject({
    error: { code: "upstream_rejected", message: expect.stringContaining("No data provided") },
  });
  refused = false;
});

it("reads both pages of an export, an integer cursor between them", async () => {
  expect(await client.call("export_highlights")).toMatchObject({
    highlight_count: 1,
    results: [
      {
        id: 9001,
        readable_title: "A Field Guide to Tides",
        external_id: "01kbbbbbbbbbbbbbbbbbbbbbbb",
        highlights: [{ id: 501, text: "Water keeps no straight lines.", external_id: "01kaaaaaaaaaaaaaaaaaaaaaaa" }],
      },
    ],
  });
});

it("reads tags on both sides", async () => {
  expect(await client.call("list_source_tags", { source_id: 9001 })).toEqual({
    tags: [{ id: 71, name: "sea" }],
    count: 1,
  });
  expect(await client.call("list_reader_tags")).toMatchObject({ tags: [{ key: "deep-sea", name: "Deep Sea" }] });
});

it("reads a list of documents: the video whole, the highlight inside it only when it is asked for", async () => {
  const video = {
    id: "01kcccccccccccccccccccccccc",
    title: "How tides work",
    author: "Sea Channel",
    source: "Reader add from clipboard",
    category: "video",
    location: "later",
    tags: [{ key: "deep-sea", name: "Deep Sea" }],
    site_name: "YouTube",
    word_count: 2100,
    reading_time: "9 mins",
    published_date: "2026-01-30",
    source_url: "https://video.example/watch?v=1",
    reading_progress: 0.35,
    last_opened_at: "2026-02-02T06:59:00.000000+00:00",
  };
  expect((await client.call("list_documents")).results).toEqual([expect.objectContaining(video)]);
  const { results } = await client.call("list_documents", { include_children: true, fields: "all" });
  expect(results).toEqual([
    expect.objectContaining(video),
    expect.objectContaining({
      id: "01kdddddddddddddddddddddddd",
      parent_id: "01kcccccccccccccccccccccccc",
      category: "highlight",
    }),
  ]);
  expect(await client.call("get_document", { id: "unknown" })).toMatchObject({ error: { code: "not_found" } });
});

it("reads a 207 item by item", async () => {
  expect(
    await client.call("update_document", { ids: ["01kcccccccccccccccccccccccc", "nope"], seen: true }),
  ).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ id: "nope", success: false })]),
  });
});

it("reads a throttled answer", async () => {
  throttled = true;
  expect(await client.call("get_highlight", { id: 501 })).toMatchObject({
    error: { code: "rate_limited", retry_after: 16, recoverable: true },
  });
  throttled = false;
});
