import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeEmbedders } from "../../../../tests/support/fake-embedders.js";
import { ideaEmbedder } from "../../../../tests/support/idea-embedder.js";
import { libraryFixture } from "../../../../tests/support/library-fixture.js";
import { memoryMeaningStore } from "../../../../tests/support/memory-meaning-store.js";
import { createMeaning } from "../../readwise/meaning/meaning.js";
import { createDotKernel } from "../stores/sqlite/dot-kernel.js";

interface Hit {
  origin: string;
  id: string;
  score: number;
  text: string;
  found_in: string[];
}
const hitsOf = (answer: Record<string, unknown>) => answer.results as Hit[];

describe("search_library", () => {
  let fixture: Awaited<ReturnType<typeof libraryFixture>>;
  beforeEach(async () => {
    fixture = await libraryFixture();
  });
  afterEach(() => fixture.close());

  it("asks highlights, documents and passages together, and says where each hit comes from", async () => {
    await fixture.retrieval.createProject({ project: "thesis" });
    await fixture.retrieval.store("thesis", [
      {
        id: "darwin-1",
        text: "The tides of the moon turn salt marshes twice a day.",
        metadata: { zotero: { citekey: "darwin1898" }, doc: { page_span: [3, 4] }, title: "The Tides" },
      },
    ]);
    const client = await fixture.as("mine");
    const answer = await client.call("search_library", { query: "tides moon" });

    expect(answer).toMatchObject({
      best_match: "good",
      incomplete: [],
      not_searched: [expect.stringContaining("full texts")],
      searched: { highlights: 4, documents: expect.any(Number), projects: ["thesis"] },
    });
    const hits = hitsOf(answer);
    expect(hits[0]).toEqual({
      origin: "passage",
      id: "darwin-1",
      title: "The Tides",
      text: "The tides of the moon turn salt marshes twice a day.",
      truncated: false,
      snippet: { field: "text", text: "The tides of the moon turn salt marshes twice a day.", start: 4 },
      score: expect.any(Number),
      project: "thesis",
      chunk_id: "darwin-1",
      citekey: "darwin1898",
      page_span: [3, 4],
      found_in: ["project thesis"],
    });
    expect(hits).toContainEqual(
      expect.objectContaining({
        origin: "highlight",
        text: "The moon pulls first, the shore answers later.",
        title: "A Field Guide to Tides",
        author: "R. Moss",
        date: expect.stringMatching(/^2026-/),
        url: expect.stringMatching(/^https:/),
        source_id: fixture.tides.id,
        page_span: [40, 40],
        snippet: expect.objectContaining({ field: "text", start: 4 }),
      }),
    );
    expect(hits).toContainEqual(
      expect.objectContaining({ origin: "document", id: fixture.video.id, title: "How tides work" }),
    );
  });

  it("shows a synced highlight once, with what both shelves know of it", async () => {
    await fixture.retrieval.createProject({ project: "reading" });
    await fixture.retrieval.createProject({ project: "copy" });
    const client = await fixture.as("mine");
    for (const project of ["reading", "copy"]) await client.call("sync_library", { project });

    const hits = hitsOf(await client.call("search_library", { query: "straight lines of water" }));
    expect(hits.filter(({ text }) => text.includes("straight lines"))).toEqual([
      expect.objectContaining({
        origin: "highlight",
        id: String(fixture.lines.id),
        note: "compare rivers",
        citekey: "mossField",
        chunk_id: `readwise_${fixture.tides.id}_${fixture.lines.id}`,
        found_in: ["highlights", "project copy", "project reading"],
      }),
    ]);
    expect(hits[0]?.id).toBe(String(fixture.lines.id));
    expect(
      hitsOf(await client.call("search_library", { query: "compare rivers" })).filter(
        ({ text }) => text === "compare rivers",
      ),
    ).toEqual([]);
  });

  it("answers the same way every time, best first", async () => {
    await fixture.retrieval.createProject({ project: "reading" });
    const client = await fixture.as("mine");
    await client.call("sync_library", { project: "reading" });
    const first = await client.call("search_library", { query: "salt moved by ship", limit: 50 });
    expect(await client.call("search_library", { query: "salt moved by ship", limit: 50 })).toEqual(first);
    const scores = hitsOf(first).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(hitsOf(first)[0]?.text).toContain("Then it moved by ship.");
    expect(hitsOf(await client.call("search_library", { query: "salt moved by ship", limit: 2 }))).toEqual(
      hitsOf(first).slice(0, 2),
    );
  });

  it("says plainly that nothing fits, with the nearest few at most", async () => {
    const client = await fixture.as("mine");
    const answer = await client.call("search_library", { query: "zzzzqqq" });
    expect(answer).toMatchObject({ best_match: "none", hint: expect.stringContaining("Nothing fits in 4 highlights") });
    expect(hitsOf(answer).length).toBeLessThanOrEqual(3);
  });

  it("answers from the projects without a key, and says what could not be asked", async () => {
    await fixture.retrieval.createProject({ project: "reading" });
    await (await fixture.as("mine")).call("sync_library", { project: "reading" });
    const stranger = await fixture.as();
    const answer = await stranger.call("search_library", { query: "straight lines" });
    expect(hitsOf(answer)[0]).toMatchObject({ origin: "highlight", id: String(fixture.lines.id), project: "reading" });
    expect(answer.incomplete).toEqual([
      { what: "highlights, documents", code: "auth_error", message: expect.stringContaining("X-Readwise-Token") },
    ]);
  });

  it("answers with nothing where there is neither a key nor a project", async () => {
    expect(await (await fixture.as()).call("search_library", { query: "tides" })).toMatchObject({
      results: [],
      count: 0,
      searched: { highlights: null, documents: null, projects: [] },
    });
  });

  it("goes on without a shelf that is throttled, and tells when it is back", async () => {
    fixture.sandbox.faults.set({ kind: "throttle", endpoint: "GET /api/v3/list/", retry_after_s: 30 });
    const answer = await (await fixture.as("mine")).call("search_library", { query: "moon" });
    expect(hitsOf(answer).map(({ origin }) => origin)).toContain("highlight");
    expect(answer.incomplete).toMatchObject([{ what: "documents", code: "rate_limited", retry_after: 30 }]);
  });

  it("asks one project alone where one is named, and says so where there is none of that name", async () => {
    for (const project of ["a", "b"]) {
      await fixture.retrieval.createProject({ project });
      await fixture.retrieval.store(project, [{ id: `in-${project}`, text: `A kite in ${project} wants wind.` }]);
    }
    const client = await fixture.as();
    const answer = await client.call("search_library", { query: "kite", project: "b" });
    expect(hitsOf(answer).map(({ id }) => id)).toEqual(["in-b"]);
    expect(await client.call("search_library", { query: "kite", project: "c" })).toMatchObject({
      error: { code: "INVALID_PROJECT" },
    });
  });

  it("says that there is more than was asked for", async () => {
    const client = await fixture.as("mine");
    const all = await client.call("search_library", { query: "tides moon salt" });
    expect(all).toMatchObject({ truncated: false });
    expect(await client.call("search_library", { query: "tides moon salt", limit: 1 })).toMatchObject({
      count: 1,
      truncated: true,
      hint: expect.stringContaining("raise limit"),
    });
  });

  it("names what is not yet searched by meaning", async () => {
    const meaning = createMeaning({
      embedders: fakeEmbedders(ideaEmbedder("moon shore tides")),
      store: memoryMeaningStore(),
      kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
    });
    const meant = await libraryFixture({ meaning });
    try {
      const client = await meant.as("mine");
      const first = await client.call("search_library", { query: "shore" });
      expect(first.incomplete).toContainEqual({
        what: "highlights",
        code: "still_indexing",
        message: expect.stringContaining("By meaning 0 of 4"),
      });
      await meaning.settled();
      expect(await client.call("search_library", { query: "shore" })).toMatchObject({ incomplete: [] });
    } finally {
      await meant.close();
    }
  });
});
