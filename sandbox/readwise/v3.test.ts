import { afterEach, describe, expect, it } from "vitest";
import { Library } from "./library.js";
import { type ReadwiseSandbox, type ReadwiseSandboxOptions, startReadwiseSandbox } from "./server.js";
import type { Unknowns } from "./unknowns.js";

const NOW = Date.UTC(2026, 1, 3, 10);
const open: ReadwiseSandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

function readingList(): Library {
  const library = new Library("reading list");
  const video = library.addDocument(
    {
      category: "video",
      title: "How tides work",
      location: "later",
      tags: ["Deep Sea", "moon"],
      source_url: "https://video.example/watch?v=1",
      published_date: "2026-01-30",
      reading_progress: 0.35,
      html: "<p>Transcript</p>",
    },
    NOW - 5_000,
  );
  library.addReaderHighlight(video, { text: "the moon pulls first", note: "why?" }, NOW - 4_000);
  library.addDocument(
    { category: "pdf", title: "Charts", hasRawSource: true, html: "<p>Raw</p>", published_date: 1_700_000_000_000 },
    NOW - 3_000,
  );
  library.addDocument(
    { category: "article", title: "Salt", source_url: "https://salt.example/", tags: ["moon"] },
    NOW - 2_000,
  );
  return library;
}

async function start(unknowns: Partial<Unknowns> = {}, options: ReadwiseSandboxOptions = {}) {
  const sandbox = await startReadwiseSandbox({
    clock: () => NOW,
    libraries: { key: readingList },
    limits: false,
    unknowns,
    ...options,
  });
  open.push(sandbox);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${sandbox.url}/api/v3${path}`, {
      method,
      headers: { authorization: "Token key", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text) };
  };
  const list = async (query = "") => (await call("GET", `/list/${query}`)).json;
  const one = async (id: string) => (await list(`?id=${id}`)).results[0];
  const library = sandbox.state("key");
  const idOf = (title: string) => [...library.documents.values()].find((each) => each.title === title)!.id;
  return { sandbox, call, list, one, library, idOf };
}

const DOCUMENT_KEYS =
  "author category content created_at first_opened_at html_content id image_url last_moved_at last_opened_at listening_time location notes parent_id published_date raw_source_url reading_progress reading_time saved_at site_name source source_url summary tags title updated_at url word_count";
const PLAIN_KEYS = DOCUMENT_KEYS.replace("html_content ", "").replace("raw_source_url ", "");
const keys = (value: object) => Object.keys(value).sort().join(" ");

describe("GET /list/", () => {
  it("has these keys, with the text and the raw file only on request", async () => {
    const { list } = await start();
    const plain = await list();
    expect(keys(plain)).toBe("count nextPageCursor results");
    expect(plain).toMatchObject({ count: 5, nextPageCursor: null });
    const ownKeys = ({ highlight_offset, highlight_location, ...rest }: Record<string, unknown>) => keys(rest);
    for (const document of plain.results) expect(ownKeys(document)).toBe(PLAIN_KEYS);
    for (const document of plain.results)
      expect("highlight_offset" in document && "highlight_location" in document).toBe(
        document.category === "highlight",
      );
    const full = await list("?withHtmlContent=true&withRawSourceUrl=true");
    for (const document of full.results) expect(ownKeys(document)).toBe(DOCUMENT_KEYS);
  });

  it("comes chunked and closes the connection", async () => {
    const { call } = await start();
    const { headers } = await call("GET", "/list/");
    expect(headers.get("content-length")).toBeNull();
    expect(headers.get("connection")).toBe("close");
  });

  it("gives tags as a map by key, and the dates as they are kept", async () => {
    const { one, idOf } = await start();
    const video = await one(idOf("How tides work"));
    expect(video).toMatchObject({
      url: `https://read.readwise.io/read/${video.id}`,
      tags: {
        "deep-sea": { name: "Deep Sea", type: "manual", created: NOW - 5_000 },
        moon: { name: "moon", type: "manual", created: NOW - 5_000 },
      },
      content: null,
      published_date: "2026-01-30",
      created_at: "2026-02-03T09:59:55.000000+00:00",
      first_opened_at: null,
    });
    expect((await one(idOf("Charts"))).published_date).toBe(1_700_000_000_000);
    expect((await one(idOf("Salt"))).published_date).toBeNull();
  });

  it("holds highlights and notes as children with their text in content", async () => {
    const { list, idOf } = await start();
    const [highlight] = (await list("?category=highlight")).results;
    const [note] = (await list("?category=note")).results;
    expect(highlight).toMatchObject({
      title: null,
      content: "the moon pulls first",
      parent_id: idOf("How tides work"),
    });
    expect(note).toMatchObject({ title: null, content: "why?", parent_id: highlight.id, tags: null, location: null });
  });

  it("answers an unknown id with 200 and nothing", async () => {
    const { call } = await start();
    expect(await call("GET", "/list/?id=unknown")).toMatchObject({
      status: 200,
      json: { count: 0, nextPageCursor: null, results: [] },
    });
  });

  it("pages newest first by a cursor that is the last id, whatever happens to that document", async () => {
    const { call, list, one } = await start();
    const all = (await list()).results.map((each: { id: string }) => each.id);
    const first = await list("?limit=2");
    expect(first.results.map((each: { id: string }) => each.id)).toEqual(all.slice(0, 2));
    expect(first.nextPageCursor).toBe(all[1]);
    await call("DELETE", `/delete/${all[1]}/`);
    expect(await one(all[1])).toBeUndefined();
    const second = await list(`?limit=2&pageCursor=${first.nextPageCursor}`);
    expect(second.results.map((each: { id: string }) => each.id)).toEqual(all.slice(2, 4));
    expect((await call("GET", "/list/?pageCursor=nonsense")).status).toBe(400);
    expect((await list("?limit=0")).results).toHaveLength(1);
    expect((await list("?page_size=1&page=2")).results).toHaveLength(4);
  });

  it("counts what is left from the cursor on, or everything", async () => {
    const left = await start();
    const cursor = (await left.list("?limit=2")).nextPageCursor;
    expect((await left.list(`?limit=2&pageCursor=${cursor}`)).count).toBe(3);
    const total = await start({ listCount: "total" });
    const other = (await total.list("?limit=2")).nextPageCursor;
    expect((await total.list(`?limit=2&pageCursor=${other}`)).count).toBe(5);
  });

  it("saturates the count at 10,000 but goes on paging, unless set to end", async () => {
    const { list, library, sandbox } = await start();
    for (let i = 0; i < 10_050; i++) library.addDocument({ category: "rss", title: `${i}` }, NOW - 10_000 - i);
    expect((await list("?limit=1")).count).toBe(10_000);
    const late = [...library.documentsNewestFirst("updated")][10_010]!;
    expect((await list(`?pageCursor=${late.id}`)).results).toHaveLength(44);
    sandbox.unknowns.listCeiling = 3;
    const first = await list("?limit=2");
    expect(await list(`?limit=2&pageCursor=${first.nextPageCursor}`)).toMatchObject({
      nextPageCursor: null,
      results: [{}],
    });
  });

  it("filters by place, kind, time and up to five tag keys, and refuses what it does not know", async () => {
    const { call, list } = await start();
    const titles = async (query: string) => (await list(query)).results.map((each: { title: string }) => each.title);
    expect(await titles("?location=later")).toEqual(["How tides work"]);
    expect(await titles("?category=pdf")).toEqual(["Charts"]);
    expect(await titles("?tag=moon")).toEqual(["Salt", "How tides work"]);
    expect(await titles("?tag=moon&tag=deep-sea")).toEqual(["How tides work"]);
    expect(await titles("?tag=&category=pdf")).toEqual(["Charts"]);
    expect(await titles(`?updatedAfter=${new Date(NOW - 2_500).toISOString()}`)).toEqual(["Salt"]);
    for (const query of ["?location=shelf", "?category=scroll", "?updatedAfter=x", `?${"tag=a&".repeat(6)}`])
      expect((await call("GET", `/list/${query}`)).status).toBe(400);
  });

  it("links to the raw file for an hour, and only of uploads", async () => {
    const { list, sandbox, idOf } = await start();
    const { results } = await list("?withRawSourceUrl=true");
    const raw = new Map(results.map((each: { id: string; raw_source_url: string }) => [each.id, each.raw_source_url]));
    expect(raw.get(idOf("Salt"))).toBe("");
    const link = String(raw.get(idOf("Charts")));
    expect(await (await fetch(link)).text()).toBe("<p>Raw</p>");
    sandbox.advance(3_600_001);
    expect((await fetch(link)).status).toBe(403);
  });

  it("has no other way to a document", async () => {
    const { call, idOf } = await start();
    for (const path of [`/get/${idOf("Salt")}/`, "/highlights/", "/search/", "/auth/"])
      expect((await call("GET", path)).status).toBe(404);
  });
});

describe("POST /save/", () => {
  it("answers 201 for a new address and 200 with the same id for a known one, id and url only", async () => {
    const { call, one, sandbox } = await start();
    const first = await call("POST", "/save/", {
      url: "https://new.example/on-reading",
      tags: ["Slow Reading"],
      location: "archive",
      published_date: "2026-01-05T08:00:00Z",
      saved_using: "test",
    });
    expect(first.status).toBe(201);
    expect(keys(first.json)).toBe("id url");
    expect(await one(first.json.id)).toMatchObject({
      title: "On reading",
      location: "archive",
      source: "test",
      source_url: "https://new.example/on-reading",
      published_date: "2026-01-05",
      tags: { "slow-reading": { name: "Slow Reading" } },
    });
    sandbox.advance(1_000);
    const again = await call("POST", "/save/", { url: "https://new.example/on-reading", tags: ["more"] });
    expect(again).toMatchObject({ status: 200, json: first.json });
    const after = await one(first.json.id);
    expect(after.location).toBe("new");
    expect(Object.keys(after.tags)).toEqual(["slow-reading", "more"]);
  });

  it("keeps a known document where it is under another rule", async () => {
    const { call, one, idOf } = await start({ resave: "keep" });
    await call("POST", "/save/", { url: "https://video.example/watch?v=1" });
    expect((await one(idOf("How tides work"))).location).toBe("later");
  });

  it("refuses a body without a good url or with a wrong field", async () => {
    const { call } = await start();
    expect((await call("POST", "/save/", { title: "x" })).json).toEqual({ url: ["This field is required."] });
    for (const body of [
      { url: "nonsense" },
      { url: "https://a.example/", location: "shelf" },
      { url: "https://a.example/", tags: "a" },
    ])
      expect((await call("POST", "/save/", body)).status).toBe(400);
  });

  it("fills in the text only after a while", async () => {
    const { call, list, sandbox } = await start({ scrapeDelayMs: 5_000 });
    const { json } = await call("POST", "/save/", { url: "https://late.example/", html: "<p>Here</p>" });
    const html = async () => (await list(`?id=${json.id}&withHtmlContent=true`)).results[0].html_content;
    expect(await html()).toBe("");
    sandbox.advance(5_000);
    expect(await html()).toBe("<p>Here</p>");
  });

  it("does with shortlist what it is set to: keeps it, falls back, or refuses", async () => {
    const body = { url: "https://short.example/", location: "shortlist" };
    const honour = await start({ shortlist: "honour" });
    expect((await honour.one((await honour.call("POST", "/save/", body)).json.id)).location).toBe("shortlist");
    const fallback = await start({ shortlist: "fallback" });
    expect((await fallback.one((await fallback.call("POST", "/save/", body)).json.id)).location).toBe("new");
    const reject = await start({ shortlist: "reject" });
    expect((await reject.call("POST", "/save/", body)).status).toBe(400);
    expect((await reject.call("PATCH", `/update/${reject.idOf("Salt")}/`, { location: "shortlist" })).status).toBe(400);
  });
});

describe("PATCH /update/", () => {
  it("answers id and url only, replaces tags, and moves", async () => {
    const { call, one, idOf, sandbox } = await start();
    const id = idOf("How tides work");
    sandbox.advance(1_000);
    const { status, json } = await call("PATCH", `/update/${id}/`, {
      title: "Tides",
      tags: ["one"],
      location: "archive",
      notes: "n",
    });
    expect(status).toBe(200);
    expect(json).toEqual({ id, url: `https://read.readwise.io/read/${id}` });
    const document = await one(id);
    expect(document).toMatchObject({
      title: "Tides",
      location: "archive",
      notes: "n",
      last_moved_at: document.updated_at,
    });
    expect(Object.keys(document.tags)).toEqual(["one"]);
    await call("PATCH", `/update/${id}/`, { tags: [], notes: "" });
    expect(await one(id)).toMatchObject({ tags: {}, notes: "", title: "Tides" });
  });

  it("says 200 and drops reading_progress and keys it does not know", async () => {
    const { call, one, idOf } = await start();
    const id = idOf("How tides work");
    for (const reading_progress of [0.42, 42, "0.42", 1])
      expect((await call("PATCH", `/update/${id}/`, { reading_progress, shelf: "x" })).status).toBe(200);
    const document = await one(id);
    expect(document.reading_progress).toBe(0.35);
    expect(keys(document)).toBe(PLAIN_KEYS);
  });

  it("can be set to honour reading_progress", async () => {
    const { call, one, idOf } = await start({ readingProgress: "honour" });
    await call("PATCH", `/update/${idOf("Salt")}/`, { reading_progress: 0.5 });
    expect((await one(idOf("Salt"))).reading_progress).toBe(0.5);
  });

  it("marks as seen and unseen", async () => {
    const { call, one, idOf } = await start();
    const id = idOf("Salt");
    await call("PATCH", `/update/${id}/`, { seen: true });
    const seen = await one(id);
    expect(seen.first_opened_at).toBe("2026-02-03T10:00:00.000000+00:00");
    expect(seen.last_opened_at).toBe(seen.first_opened_at);
    await call("PATCH", `/update/${id}/`, { seen: false });
    expect(await one(id)).toMatchObject({ first_opened_at: null, last_opened_at: null });
  });

  it("answers an unknown id with 404 or 204", async () => {
    expect((await (await start()).call("PATCH", "/update/nope/", { title: "x" })).status).toBe(404);
    const other = await start({ updateUnknownId: 204 });
    expect((await other.call("PATCH", "/update/nope/", { title: "x" })).status).toBe(204);
  });
});

describe("PATCH /bulk_update/", () => {
  it("answers 200 when all went well and 207 when some did not", async () => {
    const { call, one, idOf } = await start();
    const id = idOf("Salt");
    expect(await call("PATCH", "/bulk_update/", { updates: [{ id, title: "Pepper" }] })).toMatchObject({
      status: 200,
      json: { results: [{ id, success: true }] },
    });
    const mixed = await call("PATCH", "/bulk_update/", {
      updates: [
        { id, notes: "n" },
        { id: "nope", title: "x" },
      ],
    });
    expect(mixed.status).toBe(207);
    expect(mixed.json).toEqual({
      results: [
        { id, success: true },
        { id: "nope", success: false, error: expect.any(String) },
      ],
    });
    expect(await one(id)).toMatchObject({ title: "Pepper", notes: "n" });
  });

  it("refuses a bare array, none, and more than fifty", async () => {
    const { call, idOf } = await start();
    const item = { id: idOf("Salt"), title: "x" };
    for (const body of [
      [item],
      { updates: [] },
      { updates: Array(51).fill(item) },
      { updates: [{ document_id: "x" }] },
    ])
      expect((await call("PATCH", "/bulk_update/", body)).status).toBe(400);
    expect((await call("PATCH", "/bulk_update/", { updates: Array(50).fill(item) })).status).toBe(200);
  });
});

describe("DELETE /delete/", () => {
  it("answers 204 with nothing, and leaves no trace in Reader but keeps what v2 holds", async () => {
    const { call, list, idOf, library } = await start();
    const id = idOf("How tides work");
    expect(await call("DELETE", `/delete/${id}/`)).toMatchObject({ status: 204, text: "" });
    expect((await list("?updatedAfter=2020-01-01")).results).toHaveLength(2);
    expect(library.highlights.size).toBe(1);
    expect((await call("DELETE", `/delete/${id}/`)).status).toBe(404);
  });

  it("may answer an unknown id with 204", async () => {
    expect((await (await start({ deleteUnknownId: 204 })).call("DELETE", "/delete/nope/")).status).toBe(204);
  });
});

describe("GET /tags/", () => {
  it("pages keys and names by a cursor", async () => {
    const { call } = await start({ readerTagsPageSize: 1 });
    const first = (await call("GET", "/tags/")).json;
    expect(first).toEqual({
      count: 2,
      nextPageCursor: expect.any(String),
      results: [{ key: "deep-sea", name: "Deep Sea" }],
    });
    expect((await call("GET", `/tags/?pageCursor=${first.nextPageCursor}`)).json).toEqual({
      count: 2,
      nextPageCursor: null,
      results: [{ key: "moon", name: "moon" }],
    });
  });
});

describe("a highlight made in Reader", () => {
  it("shows in v2 after the delay, tied to its document", async () => {
    const { sandbox, list, idOf } = await start({ readerToV2DelayMs: 1_000 });
    const salt = { id: idOf("Salt") };
    sandbox.highlightInReader("key", salt.id, { text: "pass the salt", note: "please" });
    expect((await list("?category=highlight")).results).toMatchObject([
      { content: "pass the salt", parent_id: salt.id },
      {},
    ]);
    const exported = async () => {
      const headers = { authorization: "Token key" };
      const response = await fetch(`${sandbox.url}/api/v2/export/`, { headers });
      const { results } = await response.json();
      return results.find((each: { external_id: string }) => each.external_id === salt.id);
    };
    expect(await exported()).toBeUndefined();
    sandbox.advance(1_000);
    expect(await exported()).toMatchObject({ source: "reader", source_url: "https://salt.example/", highlights: [{}] });
  });

  it("is not what a v2 highlight of the same address becomes", async () => {
    const { sandbox, library } = await start();
    const before = library.documents.size;
    await fetch(`${sandbox.url}/api/v2/highlights/`, {
      method: "POST",
      headers: { authorization: "Token key" },
      body: JSON.stringify({ highlights: [{ text: "x", title: "Salt", source_url: "https://salt.example/" }] }),
    });
    expect(library.documents.size).toBe(before);
    expect(library.highlights.size).toBe(2);
  });
});
