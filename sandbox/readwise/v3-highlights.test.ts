import { afterEach, describe, expect, it } from "vitest";
import { generateLibrary } from "./generate.js";
import { Library } from "./library.js";
import { type ReadwiseSandbox, startReadwiseSandbox } from "./server.js";
import type { Unknowns } from "./unknowns.js";

const NOW = Date.UTC(2026, 8, 23, 10);
const open: ReadwiseSandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function start(unknowns: Partial<Unknowns> = {}) {
  const library = new Library("highlights");
  const article = library.addDocument(
    { category: "article", title: "Salt", html: "<p>Salt moved by <em>camel</em>.</p><p>Then by ship &amp; rail.</p>" },
    NOW - 9_000,
  );
  const video = library.addDocument({ category: "video", title: "Tides", html: "<p>The moon pulls.</p>" }, NOW - 8_000);
  const sandbox = await startReadwiseSandbox({ clock: () => NOW, libraries: { key: library }, unknowns });
  open.push(sandbox);
  const call = async (method: string, path: string, body?: unknown, init: RequestInit = {}) => {
    const response = await fetch(`${sandbox.url}/api${path}`, {
      method,
      headers: { authorization: "Token key", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...init,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === "" ? null : JSON.parse(text) };
  };
  return { sandbox, library, article, video, call };
}

describe("a highlight made with parent_id", () => {
  it("stands in Reader under its document and in v2 under its source, joined by external_id", async () => {
    const { article, call } = await start();
    const made = await call("POST", "/v3/save/", {
      parent_id: article.id,
      content: "Salt moved by camel.",
      notes: "!",
    });
    expect(made).toMatchObject({ status: 201, json: { url: `https://read.readwise.io/read/${made.json.id}` } });
    const listed = await call("GET", `/v3/list/?id=${made.json.id}`);
    expect(listed.json.results[0]).toMatchObject({
      category: "highlight",
      parent_id: article.id,
      content: "Salt moved by camel.",
      highlight_offset: 0,
    });
    const { json } = await call("GET", "/v2/highlights/");
    expect(json.results).toMatchObject([{ external_id: made.json.id, text: "Salt moved by camel.", note: "!" }]);
  });
  it("is refused where the text does not stand exactly so, and where the parent is unknown", async () => {
    const { article, call } = await start();
    for (const body of [
      { parent_id: article.id, content: "Salt moved by horse." },
      { parent_id: "nope", content: "Salt" },
      { parent_id: article.id },
    ])
      expect(await call("POST", "/v3/save/", body)).toMatchObject({ status: 400 });
  });
  it("can be refused altogether, or in videos alone", async () => {
    const old = await start({ v3Highlights: "refuse" });
    const body = { parent_id: old.article.id, content: "Salt moved by camel." };
    expect(await old.call("POST", "/v3/save/", body)).toMatchObject({ status: 400, json: { url: expect.any(Array) } });
    const some = await start({ v3Highlights: "refuse_in_videos" });
    const inVideo = { parent_id: some.video.id, content: "The moon pulls." };
    expect(await some.call("POST", "/v3/save/", inVideo)).toMatchObject({ status: 400 });
    expect(await some.call("POST", "/v3/save/", { ...body, parent_id: some.article.id })).toMatchObject({
      status: 201,
    });
  });
  it("takes notes and tags by PATCH and nothing else; v2 sees them after a while", async () => {
    const { sandbox, article, call } = await start({ readerToV2DelayMs: 5_000 });
    const { json } = await call("POST", "/v3/save/", { parent_id: article.id, content: "Then by ship & rail." });
    await call("PATCH", `/v3/update/${json.id}/`, { notes: "later", tags: ["Sea"], title: "no", location: "archive" });
    const shown = (await call("GET", `/v3/list/?id=${json.id}`)).json.results[0];
    expect(shown).toMatchObject({ notes: "later", title: null, tags: { sea: { name: "Sea" } } });
    expect(shown.location).not.toBe("archive");
    expect((await call("GET", "/v2/highlights/")).json.count).toBe(0);
    sandbox.advance(5_000);
    expect((await call("GET", "/v2/highlights/")).json.results).toMatchObject([
      { note: "later", tags: [{ name: "Sea" }] },
    ]);
  });
  it("may show a note changed through v2 late", async () => {
    const { sandbox, article, call } = await start({ v2ToReaderDelayMs: 5_000 });
    const { json } = await call("POST", "/v3/save/", { parent_id: article.id, content: "Salt moved by camel." });
    const id = (await call("GET", "/v2/highlights/")).json.results[0].id;
    await call("PATCH", `/v2/highlights/${id}/`, { note: "from v2" });
    const note = async () => (await call("GET", `/v3/list/?id=${json.id}`)).json.results[0].notes;
    expect(await note()).toBe("");
    sandbox.advance(5_000);
    expect(await note()).toBe("from v2");
  });
});

describe("what depends on the account", () => {
  it("allows 20 bulk updates a minute, or 10", async () => {
    const { call } = await start({ bulkUpdatePerMinute: 10 });
    for (let i = 0; i < 10; i++) expect((await call("PATCH", "/v3/bulk_update/", {})).status).toBe(400);
    expect((await call("PATCH", "/v3/bulk_update/", {})).status).toBe(429);
  });
  it("lists nothing in a shortlist that the account does not use", async () => {
    const { library, call } = await start({ shortlistListed: "none" });
    library.addDocument({ category: "article", title: "Short", location: "shortlist" }, NOW);
    expect((await call("GET", "/v3/list/?location=shortlist")).json).toMatchObject({ count: 0, results: [] });
  });
  it("can refuse a good key with 403, send a date to wait until, redirect, and spoil a record", async () => {
    const { sandbox, call } = await start();
    sandbox.faults.set({ kind: "status", status: 403, detail: "No subscription.", times: 1 });
    expect(await call("GET", "/v3/list/")).toMatchObject({ status: 403, json: { detail: "No subscription." } });
    sandbox.faults.set({ kind: "throttle_date", retry_after_s: 30, times: 1 });
    const waits = await call("GET", "/v3/list/");
    expect(Date.parse(waits.headers.get("retry-after")!)).toBe(NOW + 30_000);
    sandbox.faults.set({ kind: "redirect", to: "/api/v3/list/?limit=1", times: 1 });
    expect((await call("GET", "/v3/list/")).json.results).toHaveLength(1);
    sandbox.faults.set({ kind: "malformed", times: 1 });
    expect((await call("GET", "/v3/list/")).json.results[0].id).toBeNull();
  });
  it("has a feed of thousands, half of its videos among the posts, with times in their text", async () => {
    const library = generateLibrary({ sources: 1, highlights: 1, documents: 40, feed: 3_000 });
    const posts = [...library.documents.values()].filter(({ location }) => location === "feed");
    expect(posts.length).toBeGreaterThanOrEqual(3_000);
    const videos = posts.filter(({ category, site_name }) => category === "rss" && site_name === "YouTube");
    expect(videos.length).toBeGreaterThan(1_000);
    const { html, word_count, listening_time } = videos[0]!;
    expect(word_count).toBe(0);
    expect(listening_time).toMatch(/^\d+ (mins?|hrs?)/);
    expect(typeof html === "function" && html()).toContain(
      '<span data-rw-start="0.00" data-rw-transcript-version="2">',
    );
  });
});
