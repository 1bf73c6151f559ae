import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../sandbox/readwise/faults.js";
import type { Connected } from "../../../tests/support/connect.js";
import { type Fixture, readwiseFixture, readwiseTools } from "../../../tests/support/readwise.js";
import { type SmallLibrary, smallLibrary } from "../../../tests/support/small-library.js";

let fixture: Fixture;
let small: SmallLibrary;
let client: Connected;
/** The same, with a short deadline: only what never answers may meet it. */
let hasty: Fixture;
beforeAll(async () => {
  small = smallLibrary();
  fixture = await readwiseFixture({ libraries: { key: small.library }, limits: false });
  hasty = await readwiseFixture({ libraries: { key: small.library }, limits: false, timeoutMs: 100 });
  hasty.sandbox.faults.set({ kind: "no_answer" });
  client = await fixture.as("key");
});
afterEach(() => fixture.sandbox.faults.clear());
afterAll(async () => {
  await fixture.close();
  await hasty.close();
});

type Args = Record<string, unknown>;
const good: Record<string, () => Args> = {
  list_sources: () => ({}),
  get_source: () => ({ id: small.tides.id }),
  list_highlights: () => ({ source_id: String(small.tides.id) }),
  get_highlight: () => ({ id: small.lines.id }),
  export_highlights: () => ({}),
  get_daily_review: () => ({}),
  list_source_tags: () => ({ source_id: small.tides.id }),
  list_highlight_tags: () => ({ highlight_id: small.lines.id }),
  search_highlights: () => ({ query: "tides" }),
  list_documents: () => ({}),
  get_document: () => ({ id: small.article.id }),
  list_reader_tags: () => ({}),
  search_documents: () => ({ query: "salt" }),
  save_document: () => ({ url: "https://new.example/" }),
  update_document: () => ({ id: small.article.id, title: "Salt" }),
  create_highlight: () => ({ text: "new", source_title: "Somewhere" }),
  update_highlight: () => ({ id: small.lines.id, note: "changed" }),
  add_source_tag: () => ({ source_id: small.tides.id, name: "moon" }),
  add_highlight_tag: () => ({ highlight_id: small.lines.id, name: "moon" }),
  bulk_create_highlights: () => ({ highlights: [{ text: "new", source_title: "Somewhere" }] }),
  list_videos: () => ({}),
  get_video: () => ({ id: small.video.id }),
  get_video_position: () => ({ id: small.video.id }),
  update_video_position: () => ({ id: small.video.id, position: 0.5 }),
  create_video_highlight: () => ({ id: small.video.id, text: "said", timestamp: 1 }),
  delete_highlight: () => ({ id: small.lines.id }),
  delete_highlight_tag: () => ({ highlight_id: small.lines.id, tag_id: small.lines.tags[0]!.id }),
  delete_source_tag: () => ({ source_id: small.tides.id, tag_id: small.tides.tags[0]!.id }),
  delete_document: () => ({ id: small.article.id }),
};
const names = Object.keys(good);

it("covers every tool of the shelf", async () => {
  expect(names.toSorted()).toEqual((await readwiseTools()).map(({ name }) => name).toSorted());
});

const faults: [what: string, fault: Fault, expected: Args, except: string[]][] = [
  [
    "Readwise throttles",
    { kind: "throttle", retry_after_s: 16 },
    { type: "api_error", code: "rate_limited", retry_after: 16, recoverable: true },
    [],
  ],
  [
    "Readwise has an internal error",
    { kind: "status", status: 500 },
    { type: "api_error", code: "upstream_error", recoverable: true },
    [],
  ],
  ["Readwise is overloaded", { kind: "status", status: 503 }, { type: "api_error", code: "upstream_error" }, []],
  ["a CDN answers with a page", { kind: "html_page", status: 502 }, { type: "api_error", code: "upstream_error" }, []],
  // A deletion has no body that could be broken.
  [
    "the answer breaks off",
    { kind: "truncated" },
    { type: "api_error", code: "upstream_error" },
    names.filter((name) => name.startsWith("delete_")),
  ],
];

describe.each(faults)("where %s", (_what, fault, expected, except) => {
  it.each(names.filter((name) => !except.includes(name)))("%s says so", async (name) => {
    fixture.sandbox.faults.set(fault);
    const answer = await client.call(name, good[name]!());
    expect(answer).toMatchObject({ error: expected });
    expect(JSON.stringify(answer)).not.toContain("straight lines");
  });
});

describe("where no answer comes", () => {
  it.concurrent.each(names)("%s says so in time", async (name) => {
    const hurried = await hasty.as("key");
    expect(await hurried.call(name, good[name]!())).toMatchObject({
      error: { type: "api_error", code: "timeout", recoverable: true },
    });
  });
});

describe.each([
  ["a key Readwise does not know", "nobody", "access_token"],
  ["no key at all", undefined, "X-Readwise-Token"],
])("with %s", (_what, key, wayOut) => {
  it.each(names)("%s answers auth_error with the way out", async (name) => {
    const other = await fixture.as(key);
    expect(await other.call(name, good[name]!())).toMatchObject({
      error: { type: "auth_error", code: "auth_error", recoverable: false, message: expect.stringContaining(wayOut) },
    });
  });
});

describe("where there is no such item", () => {
  const unknown: [string, Args][] = [
    ["get_source", { id: 1 }],
    ["get_highlight", { id: "1" }],
    ["list_source_tags", { source_id: 1 }],
    ["list_highlight_tags", { highlight_id: 1 }],
    ["list_sources", { page: 99 }],
    ["get_document", { id: "01nothing" }],
    ["update_document", { id: "01nothing", title: "x" }],
    ["update_highlight", { id: 1, note: "x" }],
    ["create_highlight", { text: "x", source_id: 1 }],
    ["add_source_tag", { source_id: 1, name: "x" }],
    ["add_highlight_tag", { highlight_id: 1, name: "x" }],
    ["get_video", { id: "01nothing" }],
    ["get_video_position", { id: "01nothing" }],
    ["update_video_position", { id: "01nothing", position: 0.1 }],
    ["create_video_highlight", { id: "01nothing", text: "x", timestamp: 0 }],
    ["delete_highlight", { id: 1 }],
    ["delete_highlight_tag", { highlight_id: 1, tag_id: 1 }],
    ["delete_source_tag", { source_id: 1, tag_id: 1 }],
    ["delete_document", { id: "01nothing" }],
  ];
  it.each(unknown)("%s answers not_found", async (name, args) => {
    expect(await client.call(name, args)).toMatchObject({
      error: { type: "api_error", code: "not_found", recoverable: true },
    });
  });
});

describe("a call that cannot be meant", () => {
  const long = "x".repeat(8192);
  const wrong: [string, () => Args, string][] = [
    ["list_sources", () => ({ page_size: 0 }), "page_size"],
    ["list_sources", () => ({ page_size: 1001 }), "page_size"],
    ["list_sources", () => ({ page: 0 }), "page"],
    ["list_sources", () => ({ category: "films" }), "category"],
    ["list_sources", () => ({ updated_after: "yesterday" }), "updated_after"],
    ["get_source", () => ({}), "id"],
    ["get_source", () => ({ id: "../export" }), "id"],
    ["list_highlights", () => ({ source_id: "" }), "source_id"],
    ["get_highlight", () => ({ id: "abc" }), "id"],
    ["export_highlights", () => ({ updated_after: "2026-13-01" }), "updated_after"],
    ["export_highlights", () => ({ cursor: "nonsense" }), "cursor"],
    ["search_highlights", () => ({ query: "" }), "query"],
    ["search_highlights", () => ({ query: "  " }), "query"],
    ["search_highlights", () => ({ query: "x", limit: 201 }), "limit"],
    ["list_documents", () => ({ location: "shelf" }), "location"],
    ["list_documents", () => ({ limit: 101 }), "limit"],
    ["list_documents", () => ({ cursor: "bm9uc2Vuc2U" }), "cursor"],
    ["get_document", () => ({ id: "a/b" }), "id"],
    ["search_documents", () => ({ query: "x", category: "film" }), "category"],
    ["save_document", () => ({ url: "not a url" }), "url"],
    ["save_document", () => ({ url: "file:///etc/passwd" }), "url"],
    ["save_document", () => ({ url: "https://a.example", location: "feed" }), "location"],
    ["update_document", () => ({ id: small.article.id }), "arguments"],
    ["create_highlight", () => ({ text: "x" }), "source_title"],
    ["create_highlight", () => ({ text: "", source_title: "t" }), "text"],
    ["create_highlight", () => ({ text: " \n", source_title: "t" }), "text"],
    ["create_highlight", () => ({ text: long, source_title: "t" }), "text"],
    ["create_highlight", () => ({ text: "x", source_title: "t", location_type: "page" }), "location"],
    ["update_highlight", () => ({ id: 5 }), "arguments"],
    ["update_highlight", () => ({ id: 5, color: "black" }), "color"],
    ["add_highlight_tag", () => ({ highlight_id: 5, name: "x".repeat(128) }), "name"],
    ["bulk_create_highlights", () => ({ highlights: [] }), "highlights"],
    ["bulk_create_highlights", () => ({ highlights: [{ text: "x" }] }), "highlights.0.source_title"],
    ["list_videos", () => ({ limit: 0 }), "limit"],
    ["get_video", () => ({ id: small.article.id }), "id"],
    ["update_video_position", () => ({ id: small.video.id, position: -1 }), "position"],
    ["update_video_position", () => ({ id: small.video.id, position: 95 }), "duration"],
    [
      "create_video_highlight",
      () => ({ id: small.video.id, text: "x", timestamp: 5, end_timestamp: 4 }),
      "end_timestamp",
    ],
    ["get_daily_review", () => ({ date: "today" }), "date"],
  ];
  it.each(wrong)("to %s is refused with the field named", async (name, args, field) => {
    expect(await client.call(name, args())).toMatchObject({
      error: {
        type: "validation_error",
        code: "invalid_param",
        details: { fields: expect.arrayContaining([expect.objectContaining({ field })]) },
      },
    });
  });

  it("counts characters as Readwise does, not UTF-16 units", async () => {
    const answer = await client.call("create_highlight", { text: "🌊".repeat(8191), source_title: "Waves" });
    expect(answer).toMatchObject({ duplicate: false, id: expect.any(Number) });
  });
});

it("passes Readwise's own reasons on where it refuses a request", async () => {
  fixture.sandbox.faults.set({ kind: "status", status: 400, endpoint: "POST /api/v2/highlights/" });
  expect(await client.call("bulk_create_highlights", good.bulk_create_highlights!())).toMatchObject({
    error: {
      type: "api_error",
      code: "upstream_rejected",
      recoverable: true,
      message: expect.stringContaining("A server error occurred."),
    },
  });
});
