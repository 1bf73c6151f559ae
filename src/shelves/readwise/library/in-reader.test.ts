import { afterEach, describe, expect, it } from "vitest";
import type { Unknowns } from "../../../../sandbox/readwise/unknowns.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";
import { smallLibrary } from "../../../../tests/support/small-library.js";

const open: Fixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.close();
});

async function begin(unknowns: Partial<Unknowns> = {}) {
  const small = smallLibrary();
  const fixture = await readwiseFixture({ libraries: { key: small.library }, unknowns });
  open.push(fixture);
  const client = await fixture.as("key");
  const children = () =>
    [...small.library.documents.values()]
      .filter(({ category }) => category === "highlight")
      .map(({ content }) => content);
  return { ...small, fixture, client, children };
}
const codes = (answer: Record<string, unknown>) =>
  ((answer.warnings ?? []) as { code: string }[]).map(({ code }) => code);

describe("a highlight of a Reader document", () => {
  it("is made inside it, in the wording that stands there", async () => {
    const { client, article, children } = await begin();
    const made = await client.call("create_highlight", {
      document_id: article.id,
      text: "Then  it moved by\nship.",
      note: "sea",
    });
    expect(made).toMatchObject({
      kept_in: "reader",
      text: "Then it moved by ship.",
      document_id: article.id,
      id: expect.any(Number),
      note: "sea",
    });
    expect(codes(made)).toEqual([]);
    expect(children()).toContain("Then it moved by ship.");
    const again = await client.call("create_highlight", { document_id: article.id, text: "Then it moved by ship." });
    expect(again).toMatchObject({ id: made.id, duplicate: true });
  });
  it("goes to the document of a source that came from Reader", async () => {
    const { client, library, article, children } = await begin();
    const source = [...library.books.values()].find(({ external_id }) => external_id === article.id)!;
    expect(
      await client.call("create_highlight", { source_id: source.id, text: "Then it moved by ship." }),
    ).toMatchObject({ kept_in: "reader", source_id: source.id });
    expect(children()).toHaveLength(2);
  });
  it("goes to Readwise where the text does not stand in the document, with the nearest wording", async () => {
    const { client, article, children } = await begin();
    const made = await client.call("create_highlight", { document_id: article.id, text: "Salt was moved by a camel." });
    expect(made).toMatchObject({
      kept_in: "readwise",
      warnings: [{ code: "not_in_document", details: { nearest: expect.stringContaining("Salt moved by camel") } }],
    });
    expect(children()).toHaveLength(1);
    expect(await client.call("get_highlight", { id: made.id })).toMatchObject({ text: "Salt was moved by a camel." });
  });
  it("goes to Readwise where Reader refuses it, and says so", async () => {
    const { client, article, children } = await begin({ v3Highlights: "refuse" });
    const made = await client.call("create_highlight", { document_id: article.id, text: "Then it moved by ship." });
    expect(made).toMatchObject({ kept_in: "readwise", id: expect.any(Number) });
    expect(codes(made)).toEqual(["reader_refused"]);
    expect(children()).toHaveLength(1);
  });
  it("has no Readwise id yet where Readwise lags", async () => {
    const { client, article, fixture } = await begin({ readerToV2DelayMs: 60_000 });
    const made = await client.call("create_highlight", { document_id: article.id, text: "Then it moved by ship." });
    expect(made).toMatchObject({ kept_in: "reader", reader_highlight_id: expect.any(String) });
    expect(made).not.toHaveProperty("id");
    expect(codes(made)).toEqual(["v2_lag"]);
    fixture.advance(60_000);
    const { results } = await client.call("search_highlights", { query: "ship" });
    expect(results).toMatchObject([{ highlight: { external_id: made.reader_highlight_id, document_id: article.id } }]);
  });
});

describe("a highlight of a video", () => {
  it("is made inside it where the text stands in the transcript; its time is checked", async () => {
    const { client, library } = await begin();
    const caption = (at: number, text: string) => `<span data-rw-start="${at}">${text}</span> `;
    const talk = library.addDocument(
      {
        category: "rss",
        site_name: "YouTube",
        title: "Tides",
        listening_time: "2 mins",
        word_count: 0,
        html: `<p>${caption(2, "The moon pulls.")}${caption(65, "Twice a day.")}${caption(90, "Always.")}</p>`,
      },
      1_000,
    );
    expect(await client.call("get_video", { id: talk.id })).toMatchObject({
      transcript: "[0:02] The moon pulls.\n[1:05] Twice a day.\n[1:30] Always.",
      listening_time: "2 mins",
    });
    expect(await client.call("get_video", { id: talk.id, from_seconds: 70, to_seconds: 80 })).toMatchObject({
      transcript: "[1:05] Twice a day.",
    });
    const made = await client.call("create_video_highlight", { id: talk.id, text: "Twice a day.", timestamp: 66 });
    expect(made).toMatchObject({ kept_in: "reader", timestamp: 66 });
    expect(codes(made)).toEqual([]);
    const early = await client.call("create_video_highlight", { id: talk.id, text: "Always.", timestamp: 5 });
    expect(early).toMatchObject({
      warnings: [{ code: "timestamp_mismatch", details: { transcript_seconds: 90 } }],
    });
  });
  it("goes to Readwise where Reader takes none in videos", async () => {
    const { client, video } = await begin({ v3Highlights: "refuse_in_videos" });
    const made = await client.call("create_video_highlight", { id: video.id, text: "The moon pulls.", timestamp: 3 });
    expect(made).toMatchObject({ kept_in: "readwise", location: 3, location_type: "time_offset" });
    expect(codes(made)).toEqual(["reader_refused"]);
  });
  it("has a transcript whose times cannot be asked for where there are none", async () => {
    const { client, video } = await begin();
    expect(await client.call("get_video", { id: video.id, from_seconds: 1 })).toMatchObject({
      error: { code: "invalid_param", message: expect.stringContaining("has no times") },
    });
  });
});

describe("notes and tags of a Reader highlight", () => {
  async function reader(unknowns: Partial<Unknowns> = {}) {
    const begun = await begin(unknowns);
    const highlight = begun.library.liveHighlights().find(({ external_id }) => external_id !== null)!;
    return { ...begun, highlight, child: begun.library.documents.get(highlight.external_id!)! };
  }
  it("are changed in Reader, and Readwise follows", async () => {
    const { client, highlight, child } = await reader();
    const changed = await client.call("update_highlight", { id: highlight.id, note: "first", add_tags: ["Salt"] });
    expect(changed).toMatchObject({ note: "first", tags: [{ name: "Salt" }] });
    expect(codes(changed)).toEqual([]);
    expect(child).toMatchObject({ notes: "first", tags: { salt: { name: "Salt" } } });
    const more = await client.call("update_highlight", {
      id: highlight.id,
      append_note: "second",
      add_tags: ["sea"],
      remove_tags: ["salt"],
    });
    expect(more).toMatchObject({ note: "first\nsecond", tags: [{ name: "sea" }] });
    expect(await client.call("add_highlight_tag", { highlight_id: highlight.id, name: "moon" })).toMatchObject({
      id: expect.any(Number),
      name: "moon",
    });
  });
  it("lose a tag in Reader too, and say so where Readwise lags", async () => {
    const { client, highlight, child } = await reader();
    const tag = await client.call("add_highlight_tag", { highlight_id: highlight.id, name: "moon" });
    expect(child.tags).toMatchObject({ moon: { name: "moon" } });
    const request = { highlight_id: highlight.id, tag_id: tag.id };
    expect(await client.call("delete_highlight_tag", request)).toEqual({ deleted: true });
    expect(Object.keys(child.tags ?? {})).toEqual([]);
    expect(await client.call("delete_highlight_tag", request)).toMatchObject({ error: { code: "not_found" } });
  });
  it("come with a warning where Readwise lags", async () => {
    const { client, highlight } = await reader({ readerToV2DelayMs: 60_000 });
    const changed = await client.call("update_highlight", { id: highlight.id, note: "new", add_tags: ["sea"] });
    expect(codes(changed)).toEqual(["v2_lag", "v2_lag"]);
    expect(await client.call("add_highlight_tag", { highlight_id: highlight.id, name: "moon" })).toMatchObject({
      name: "moon",
      warnings: [{ code: "v2_lag" }],
    });
  });
});

describe("edits that add", () => {
  it("change several highlights, one result each", async () => {
    const { client, tides, lines } = await begin();
    const ids = tides.highlights.map(({ id }) => id);
    const answer = await client.call("update_highlight", {
      ids: [...ids, 999],
      add_tags: ["sea", "Shape"],
      append_note: "checked",
    });
    expect(answer.results).toMatchObject([
      { success: true, note: "compare rivers\nchecked", tags: [{ name: "shape" }, { name: "sea" }] },
      { success: true, note: "checked", tags: [{ name: "sea" }, { name: "Shape" }] },
      { id: "999", success: false, error: expect.stringContaining("no highlight 999") },
    ]);
    await client.call("update_highlight", { id: lines.id, remove_tags: ["SHAPE"] });
    expect(await client.call("get_highlight", { id: lines.id })).toMatchObject({ tags: [{ name: "sea" }] });
  });
  it("change one document: tags added and taken away, a note longer", async () => {
    const { client, article } = await begin();
    expect(
      await client.call("update_document", { id: article.id, add_tags: ["sea"], append_note: "read twice" }),
    ).toMatchObject({ tags: [{ name: "Trade Routes" }, { name: "sea" }], notes: "read twice" });
    expect(await client.call("update_document", { id: article.id, remove_tags: ["trade routes"] })).toMatchObject({
      tags: [{ name: "sea" }],
    });
  });
});

describe("several documents at once", () => {
  async function shelf(count: number, unknowns: Partial<Unknowns> = {}) {
    const begun = await begin(unknowns);
    const ids = Array.from({ length: count }, (_, i) => {
      const fields = { category: "article", title: `Note ${i}`, location: "new", tags: i % 2 ? ["old"] : [] };
      return begun.library.addDocument(fields, 1_000 + i).id;
    });
    const at = (id: string) => begun.library.documents.get(id)!;
    return { ...begun, ids, at };
  }
  it("show what would change, change it fifty per request, and take it back", async () => {
    const { client, ids, at, fixture } = await shelf(120);
    const edits = { ids: [...ids, "nope"], location: "archive", add_tags: ["done"], seen: true };
    const dry = await client.call("update_document", { ...edits, ids: ids.slice(0, 3), dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, updated: 0, results: [{ document: { location: "archive" } }, {}, {}] });
    expect(at(ids[0]!).location).toBe("new");

    const answer = await client.call("update_document", edits);
    expect(answer).toMatchObject({ updated: 120 });
    expect(fixture.sandbox.requests.count("PATCH /api/v3/bulk_update/")).toBe(3);
    for (const id of ids) expect(at(id)).toMatchObject({ location: "archive", tags: { done: { name: "done" } } });
    expect(at(ids[1]!).tags).toHaveProperty("old");

    expect(await client.call("update_document", { undo: true })).toMatchObject({ updated: 120 });
    for (const [i, id] of ids.entries()) {
      expect(at(id)).toMatchObject({ location: "new", first_opened_at: null });
      expect(Object.keys(at(id).tags!)).toEqual(i % 2 ? ["old"] : []);
    }
    expect(await client.call("update_document", { undo: true })).toMatchObject({ error: { code: "not_found" } });
  });
  it("name what a limit left out, and go on from there", async () => {
    const { client, ids, at, fixture } = await shelf(120);
    fixture.sandbox.faults.set({
      kind: "throttle",
      endpoint: "PATCH /api/v3/bulk_update/",
      nth: 2,
      times: 1,
      retry_after_s: 9,
    });
    const partly = await client.call("update_document", { ids, location: "later" });
    expect(partly).toMatchObject({ updated: 50, retry_after: 9, warnings: [{ code: "partial" }] });
    expect(partly.remaining).toEqual(ids.slice(50));
    expect(await client.call("update_document", { ids: partly.remaining, location: "later" })).toMatchObject({
      updated: 70,
    });
    for (const id of ids) expect(at(id).location).toBe("later");
  });
  it("report one that failed by itself, and a move that Reader did not keep", async () => {
    const { client, ids } = await shelf(2, { shortlist: "fallback" });
    const answer = await client.call("update_document", { ids: [...ids, "nope"], location: "shortlist" });
    expect(answer.results).toMatchObject([
      { success: true, document: { location: "new" } },
      { success: true },
      { id: "nope", success: false, error: expect.stringContaining("no such document") },
    ]);
    expect(codes(answer)).toEqual(["not_kept", "not_kept"]);
  });
  it("want ids or an id, and something to change", async () => {
    const { client, ids } = await shelf(1);
    for (const args of [{ location: "later" }, { id: ids[0], ids, location: "later" }, { ids }])
      expect(await client.call("update_document", args)).toMatchObject({ error: { code: "invalid_param" } });
  });
});
