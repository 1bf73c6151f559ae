import { afterEach, describe, expect, it, vi } from "vitest";
import { generateLibrary } from "../../../../sandbox/readwise/generate.js";
import type { Library } from "../../../../sandbox/readwise/library.js";
import type { ReaderDocument } from "../../../../sandbox/readwise/records.js";
import { type Fixture, type FixtureOptions, NOON, readwiseFixture } from "../../../../tests/support/readwise.js";
import { smallLibrary } from "../../../../tests/support/small-library.js";
import { createLog } from "../../../kernel/log.js";

const open: Fixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});

const EXPORT = "GET /api/v2/export/";
const LIST = "GET /api/v3/list/";
const TTL = 300_000;

async function begin(library: Library, options: FixtureOptions = {}) {
  const fixture = await readwiseFixture({ libraries: { key: library }, ...options });
  open.push(fixture);
  const client = await fixture.as("key");
  const { signal } = new AbortController();
  return {
    fixture,
    client,
    mine: fixture.shelf.forKey("key"),
    signal,
    requests: (endpoint: string) => fixture.sandbox.requests.count(endpoint),
    found: async (query: string) =>
      ((await client.call("search_highlights", { query })).results as { highlight: { id: number } }[]).map(
        ({ highlight }) => highlight.id,
      ),
    documents: async (query: string) =>
      ((await client.call("search_documents", { query })).results as { document: { id: string } }[]).map(
        ({ document }) => document.id,
      ),
  };
}

describe("the export", () => {
  it("is fetched once, page by page, however many ask at once", async () => {
    const { client, requests } = await begin(generateLibrary({ sources: 60, highlights: 500, documents: 0 }), {
      exportPageSize: 10,
    });
    await Promise.all(Array.from({ length: 30 }, () => client.call("search_highlights", { query: "memory" })));
    expect(requests(EXPORT)).toBe(6);
    await client.call("export_highlights");
    expect(requests(EXPORT)).toBe(6);
  });

  it("shows a new highlight to the next search for one more request, beside the one that reads it back", async () => {
    const { client, requests, found } = await begin(generateLibrary({ sources: 60, highlights: 500, documents: 0 }), {
      exportPageSize: 10,
    });
    expect(await found("zyzzyva")).toEqual([]);
    const before = requests(EXPORT);
    const { id } = await client.call("create_highlight", { text: "A zyzzyva is a weevil.", source_title: "Weevils" });
    expect(await found("zyzzyva")).toEqual([id]);
    expect(requests(EXPORT) - before).toBeLessThanOrEqual(2);
  });

  it("is refreshed by its changes when it grows old, deletions and edits by others included", async () => {
    const { library, tides, lines } = smallLibrary();
    const { fixture, requests, found } = await begin(library);
    expect(await found("straight")).toEqual([lines.id]);
    fixture.advance(TTL - 1);
    await found("straight");
    expect(requests(EXPORT)).toBe(1);
    const added = library.addHighlight(tides, { text: "Currents bend like thought." }, NOON + 1000);
    library.deleteHighlight(lines, NOON + 1000);
    fixture.advance(2);
    expect(await found("bend")).toEqual([added.id]);
    expect(await found("straight")).toEqual([]);
    expect(requests(EXPORT)).toBe(2);
    expect(fixture.sandbox.requests.list().at(-1)!.query).toMatchObject({
      includeDeleted: "true",
      updatedAfter: expect.any(String),
    });
  });

  it("drops a source its owner deleted", async () => {
    const { library, tides } = smallLibrary();
    const { fixture, client, found } = await begin(library);
    expect(await found("moon")).toHaveLength(1);
    library.deleteBook(tides, NOON + 1000);
    fixture.advance(TTL + 1);
    expect(await found("moon")).toEqual([]);
    expect(await client.call("export_highlights")).toMatchObject({ count: 2 });
  });

  it.each([
    [true, "list"],
    [false, "omit"],
  ] as const)(
    "shows own tags at once, whether or not tagging counts as a change upstream (%s, %s)",
    async (tagTouchesHighlight, exportBookChanges) => {
      const { library, tides, lines } = smallLibrary();
      const { client, found } = await begin(library, { unknowns: { tagTouchesHighlight, exportBookChanges } });
      expect(await found("geometry")).toEqual([]);
      const tag = await client.call("add_highlight_tag", { highlight_id: lines.id, name: "geometry" });
      expect(await found("geometry")).toEqual([lines.id]);
      await client.call("add_source_tag", { source_id: tides.id, name: "oceanography" });
      expect(await found("oceanography")).toHaveLength(2);
      await client.call("delete_highlight_tag", { highlight_id: lines.id, tag_id: tag.id });
      expect(await found("geometry")).toEqual([]);
    },
  );

  it("shows own edits and deletions at once", async () => {
    const { library, lines } = smallLibrary();
    const { client, found } = await begin(library);
    await found("straight");
    await client.call("update_highlight", { id: lines.id, text: "Water keeps crooked lines." });
    expect(await found("crooked")).toEqual([lines.id]);
    expect(await found("straight")).toEqual([]);
    await client.call("delete_highlight", { id: lines.id });
    expect(await found("crooked")).toEqual([]);
  });

  it("goes on from its cursor after a 429, and a write in between is not missed", async () => {
    const { fixture, client, requests, found } = await begin(
      generateLibrary({ sources: 60, highlights: 500, documents: 0 }),
      { exportPageSize: 10 },
    );
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, nth: 4, times: 2, retry_after_s: 7 });
    const partly = await client.call("search_highlights", { query: "memory" });
    expect(partly).toMatchObject({ complete: false, retry_after: 7, hint: expect.stringContaining("7 s") });
    expect(await client.call("export_highlights")).toMatchObject({ error: { code: "rate_limited", retry_after: 7 } });
    const { id } = await client.call("create_highlight", { text: "A zyzzyva is a weevil.", source_title: "Weevils" });
    const whole = await client.call("search_highlights", { query: "memory" });
    expect(whole).toMatchObject({ complete: true });
    expect(whole.searched).toBeGreaterThan(partly.searched as number);
    expect(await found("zyzzyva")).toEqual([id]);
    expect(requests(EXPORT)).toBe(6 + 2 + 1 + 1); // pages, refusals, reading back, changes
  });

  it("is rate_limited while nothing is there yet", async () => {
    const { fixture, client } = await begin(smallLibrary().library);
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, times: 1, retry_after_s: 9 });
    expect(await client.call("search_highlights", { query: "tides" })).toMatchObject({
      error: { code: "rate_limited", retry_after: 9 },
    });
    expect(await client.call("search_highlights", { query: "tides" })).toMatchObject({ complete: true });
  });

  it("answers from old data, and says so, where only the refresh is throttled", async () => {
    const { fixture, client } = await begin(smallLibrary().library);
    await client.call("search_highlights", { query: "moon" });
    fixture.advance(TTL + 1);
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: EXPORT, times: 1 });
    expect(await client.call("search_highlights", { query: "moon" })).toMatchObject({
      count: 1,
      complete: false,
      retry_after: 16,
    });
  });

  it("is not shown to a key Readwise has revoked, once it must be refreshed", async () => {
    const { fixture, client } = await begin(smallLibrary().library);
    await client.call("search_highlights", { query: "moon" });
    fixture.advance(TTL + 1);
    fixture.sandbox.faults.set({ kind: "status", status: 401 });
    expect(await client.call("search_highlights", { query: "moon" })).toMatchObject({ error: { code: "auth_error" } });
  });

  it("is fetched again after a day, in the background", async () => {
    const { library, law } = smallLibrary();
    const { fixture, client, found } = await begin(library, { unknowns: { exportBookChanges: "omit" } });
    await found("rule");
    law.title = "Retitled elsewhere";
    library.touch();
    for (let hour = 0; hour < 25; hour++) {
      fixture.advance(3_600_000);
      await found("rule");
    }
    await expect.poll(async () => (await client.call("search_highlights", { query: "retitled" })).count).toBe(1);
  });
});

describe("the document list", () => {
  const many = () => generateLibrary({ sources: 0, highlights: 0, documents: 2_450 });

  it("of more than 20 pages is searched as far as it is there, and completed by asking again", async () => {
    const { fixture, client, requests } = await begin(many());
    const first = await client.call("search_documents", { query: "the", limit: 5 });
    expect(first).toMatchObject({ complete: false, searched: 2_000, hint: expect.stringContaining("2000 documents") });
    expect(requests(LIST)).toBe(21);
    fixture.advance((first.retry_after as number) * 1000);
    expect(await client.call("search_documents", { query: "the", limit: 5 })).toMatchObject({
      complete: true,
      searched: 2_450,
    });
    expect(requests(LIST)).toBe(26);
  });

  it("is asked for by location and category where they are given", async () => {
    const { client, fixture } = await begin(many());
    expect(await client.call("search_documents", { query: "the", category: "video" })).toMatchObject({
      complete: true,
    });
    expect(fixture.sandbox.requests.list().every(({ query }) => query.category === "video")).toBe(true);
  });

  it("follows a document that leaves the filter", async () => {
    const { library, article } = smallLibrary();
    const { client } = await begin(library);
    const later = async () => (await client.call("search_documents", { query: "salt", location: "later" })).count;
    expect(await later()).toBe(1);
    await client.call("update_document", { id: article.id, location: "archive" });
    expect(await later()).toBe(0);
  });

  it("shows own saves, updates and deletions at once", async () => {
    const { library, article } = smallLibrary();
    const { client, documents } = await begin(library);
    expect(await documents("salt")).toEqual([article.id]);
    const { id } = await client.call("save_document", { url: "https://new.example/", title: "Zyzzyva" });
    expect(await documents("zyzzyva")).toEqual([id]);
    await client.call("update_document", { id: article.id, title: "Pepper", summary: "" });
    expect(await documents("pepper")).toEqual([article.id]);
    await client.call("delete_document", { id: article.id });
    expect(await documents("pepper")).toEqual([]);
  });

  it("logs a full list that failed, and goes on with what it has", async () => {
    const lines: string[] = [];
    const log = createLog("warn", { write: (line) => lines.push(line) });
    const { fixture, documents } = await begin(manyPages(), { log, limits: false });
    const before = await documents("zyzzyva");
    fixture.advance(7 * 3_600_000);
    await documents("zyzzyva"); // brought up to date by its changes
    fixture.sandbox.faults.set({ endpoint: LIST, kind: "status", status: 400, times: 1 });
    expect(await documents("zyzzyva")).toEqual(before);
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 15_000 });
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: "warn",
      message: "a full list from Readwise failed; the old one stays",
      list: "documents",
      age_hours: 7,
    });
    expect(lines[0]).not.toContain('"key"');
  });

  it("of few pages forgets a document deleted elsewhere within its lifetime, and says how old it is", async () => {
    const { library, article } = smallLibrary();
    const { fixture, client, documents } = await begin(library);
    expect(await documents("how")).toHaveLength(2);
    library.removeDocument(article.id);
    expect(await documents("salt")).toEqual([article.id]);
    fixture.advance(TTL);
    expect(await documents("salt")).toEqual([]);
    const { as_of } = await client.call("search_documents", { query: "tides" });
    fixture.advance(TTL - 1);
    expect(await client.call("search_documents", { query: "tides" })).toMatchObject({ as_of });
  });

  it("keeps a document that is touched while the list is fetched again", async () => {
    const library = generateLibrary({ sources: 1, highlights: 1, documents: 250 });
    const { fixture, client, requests } = await begin(library, { limits: false });
    const all = async () => (await client.call("search_documents", { filter: "-category:podcast" })).count;
    const before = await all();
    fixture.advance(TTL);
    const [last] = [...library.documents.values()].sort((a, b) => a.updated_at - b.updated_at);
    fixture.sandbox.faults.set({ kind: "slow_headers", endpoint: LIST, nth: 2, times: 1, delay_ms: 50 });
    const pages = requests(LIST);
    const listing = all();
    await expect.poll(() => requests(LIST)).toBeGreaterThan(pages);
    last!.updated_at = fixture.sandbox.now();
    library.touch();
    expect(await listing).toBe(before);
  });

  it("of many pages forgets a document deleted elsewhere when it is asked for by id, or after some hours", async () => {
    const library = manyPages();
    const [article, video] = [...library.documents.values()].filter(({ title }) => title?.startsWith("Zyzzyva")) as [
      ReaderDocument,
      ReaderDocument,
    ];
    const { fixture, client, documents } = await begin(library, { limits: false });
    expect(await documents("zyzzyva")).toHaveLength(2);
    library.removeDocument(article.id);
    fixture.advance(TTL + 1);
    expect(await documents("weevil")).toEqual([article.id]);
    await client.call("get_document", { id: article.id });
    expect(await documents("weevil")).toEqual([]);
    library.removeDocument(video.id);
    fixture.advance(7 * 3_600_000);
    await documents("beetle");
    await expect.poll(() => documents("beetle"), { timeout: 15_000 }).toEqual([]);
  });
});

describe("pages", () => {
  it("of sources are kept for five minutes, unless something was written that shows in them", async () => {
    const { library, tides } = smallLibrary();
    const { fixture, client, requests } = await begin(library);
    const books = "GET /api/v2/books/";
    await client.call("list_sources");
    await client.call("list_sources");
    expect(requests(books)).toBe(1);
    await client.call("list_sources", { page_size: 2 });
    expect(requests(books)).toBe(2);
    fixture.advance(TTL);
    await client.call("list_sources");
    expect(requests(books)).toBe(3);
    for (const [tool, args] of [
      ["create_highlight", { text: "new", source_id: tides.id }],
      ["add_source_tag", { source_id: tides.id, name: "new" }],
    ] as const) {
      const before = requests(books);
      await client.call(tool, args);
      await client.call("list_sources");
      expect(requests(books) - before, tool).toBe(1);
    }
  });

  it("of tags are kept twice as long, of documents until one is written", async () => {
    const { library, article } = smallLibrary();
    const { fixture, client, requests } = await begin(library);
    await client.call("list_reader_tags");
    fixture.advance(2 * TTL - 1);
    await client.call("list_reader_tags");
    expect(requests("GET /api/v3/tags/")).toBe(1);
    await client.call("list_documents");
    await client.call("list_documents");
    expect(requests(LIST)).toBe(1);
    await client.call("update_document", { id: article.id, tags: ["Fresh"] });
    expect(await client.call("list_reader_tags")).toMatchObject({
      tags: expect.arrayContaining([{ key: "fresh", name: "Fresh" }]),
    });
    const before = requests(LIST);
    await client.call("list_documents");
    expect(requests(LIST) - before).toBe(1);
  });
});

describe("memory", () => {
  it("stays under its limit for all callers together", async () => {
    const library = generateLibrary({ sources: 60, highlights: 500, documents: 40 });
    const keys = Array.from({ length: 8 }, (_, i) => `key-${i}`);
    const fixture = await readwiseFixture({ library: () => library, limits: false, cache: { maxBytes: 4_000_000 } });
    open.push(fixture);
    const { signal } = new AbortController();
    for (const key of [...keys, ...keys]) {
      const mine = fixture.shelf.forKey(key);
      expect(await mine.searching.searchHighlights({ query: "the", limit: 3 }, signal)).toMatchObject({
        complete: true,
        results: [{}, {}, {}],
      });
      await mine.highlights.listSources({ page: 1, page_size: 100 }, undefined, signal);
      expect(fixture.shelf.stats().bytes).toBeLessThanOrEqual(4_000_000);
    }
    expect(fixture.shelf.stats().evictions).toBeGreaterThan(0);
  });

  it.each([
    ["turned off", { enabled: false }],
    ["too small for anything", { maxBytes: 100 }],
  ])("%s: every answer is right, and fetched again", async (_what, cache) => {
    const { client, requests, found, documents, fixture } = await begin(smallLibrary().library, {
      cache,
      limits: false,
    });
    expect(await found("moon")).toHaveLength(1);
    expect(await found("moon")).toHaveLength(1);
    expect(requests(EXPORT)).toBe(2);
    const { id } = await client.call("create_highlight", { text: "A zyzzyva is a weevil.", source_title: "Weevils" });
    expect(await found("zyzzyva")).toEqual([id]);
    expect(await documents("salt")).toHaveLength(1);
    for (const tool of ["list_sources", "list_documents", "list_reader_tags", "export_highlights"])
      expect(await client.call(tool)).not.toHaveProperty("error");
    expect(fixture.shelf.stats()).toMatchObject({ bytes: 0, entries: 0 });
  });
});

it("refuses a library larger than the cache with the setting to change, and does not fetch it again", async () => {
  const { client, requests, fixture } = await begin(
    generateLibrary({ sources: 300, highlights: 3_000, documents: 0 }),
    {
      exportPageSize: 10,
      limits: false,
      cache: { maxBytes: 1024 * 1024 },
    },
  );
  const refusal = { error: { code: "too_large", message: expect.stringContaining("CACHE_MAX_SIZE_MB is 1,") } };
  expect(await client.call("search_highlights", { query: "memory" })).toMatchObject(refusal);
  const fetched = requests(EXPORT);
  expect(fetched).toBeGreaterThan(5);
  expect(fetched).toBeLessThan(30);
  expect(await client.call("search_highlights", { query: "memory" })).toMatchObject(refusal);
  expect(requests(EXPORT)).toBe(fetched);
  expect(fixture.shelf.stats().bytes).toBeLessThanOrEqual(1024 * 1024);
});

it("gives up the fetching when the last who waited for it leaves, and keeps the pages", async () => {
  const { fixture, mine, requests, signal } = await begin(
    generateLibrary({ sources: 60, highlights: 500, documents: 0 }),
    { exportPageSize: 10 },
  );
  fixture.sandbox.faults.set({ kind: "no_answer", endpoint: EXPORT, nth: 3, times: 1 });
  const leaving = new AbortController();
  const search = mine.searching.searchHighlights({ query: "memory", limit: 5 }, leaving.signal);
  await expect.poll(() => requests(EXPORT)).toBe(3);
  leaving.abort(new Error("left"));
  await expect(search).rejects.toThrow("left");
  expect(await mine.searching.searchHighlights({ query: "memory", limit: 5 }, signal)).toMatchObject({
    complete: true,
  });
  expect(requests(EXPORT)).toBe(7);
});

/** More documents than are listed again whenever the list has expired. */
function manyPages(): Library {
  const library = generateLibrary({ sources: 1, highlights: 1, documents: 10, feed: 1_100 });
  library.addDocument({ category: "article", title: "Zyzzyva weevil" }, NOON - 1_000);
  library.addDocument({ category: "video", title: "Zyzzyva beetle" }, NOON - 1_000);
  return library;
}
