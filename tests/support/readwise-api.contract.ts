import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadwiseApi } from "../../src/shelves/readwise/readwise-api.js";

export interface OpenedApi {
  /** Readwise as the holder of a key sees it; each key has a library of its own. */
  api(key: string): ReadwiseApi;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** What the shelf relies on, of any provider. */
export function readwiseApiContract(name: string, open: () => Promise<OpenedApi>): void {
  const { signal } = new AbortController();
  let opened: OpenedApi;
  let keys = 0;
  const fresh = () => opened.api(`contract-${++keys}`);
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  async function withHighlight(text = "Water keeps no straight lines.") {
    const api = fresh();
    const [source] = await api.createHighlights(
      [{ text, title: "Tides", author: "R. Moss", note: "n", location: 3, location_type: "page" }],
      signal,
    );
    return { api, source: source!, id: String(source!.modified_highlights[0]) };
  }
  async function everything(api: ReadwiseApi, query: Parameters<ReadwiseApi["exported"]>[0] = {}) {
    const sources = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ReadwiseApi["exported"]>> = await api.exported({ ...query, cursor }, signal);
      sources.push(...page.sources);
      cursor = page.next;
    } while (cursor !== null);
    return sources;
  }
  const wait = () => opened.advance(10 * 60_000);

  describe(`${name} Readwise API`, () => {
    it("creates a highlight, and answers with its source and its id", async () => {
      const { api, source, id } = await withHighlight();
      expect(source).toMatchObject({ title: "Tides", author: "R. Moss", highlight_count: 1 });
      expect(await api.highlight(id, signal)).toMatchObject({
        text: "Water keeps no straight lines.",
        note: "n",
        location: 3,
        location_type: "page",
        book_id: source.id,
        created_at: null,
      });
    });

    it("takes the same text in the same source as a duplicate, without an id", async () => {
      const { api, source } = await withHighlight();
      const again = await api.createHighlights(
        [{ text: "Water keeps no straight lines.", title: "Tides", author: "R. Moss" }],
        signal,
      );
      expect(again).toMatchObject([{ id: source.id, modified_highlights: [] }]);
    });

    it("groups created highlights by source", async () => {
      const items = ["A", "B", "A"].map((title, i) => ({ text: `text ${i}`, title }));
      const touched = await fresh().createHighlights(items, signal);
      expect(touched.map(({ title, modified_highlights }) => [title, modified_highlights.length]).sort()).toEqual([
        ["A", 2],
        ["B", 1],
      ]);
    });

    it("lists sources and highlights in pages, and has no page past the end", async () => {
      const api = fresh();
      await api.createHighlights(
        [1, 2, 3].map((i) => ({ text: `text ${i}`, title: `Book ${i}` })),
        signal,
      );
      const first = await api.sources({ page: 1, pageSize: 2 }, signal);
      expect(first).toMatchObject({
        count: 3,
        results: [{ highlight_count: 1 }, { highlight_count: 1 }],
      });
      expect(first.next).not.toBeNull();
      expect((await api.sources({ page: 2, pageSize: 2 }, signal)).results).toHaveLength(1);
      await expect(api.sources({ page: 9, pageSize: 2 }, signal)).rejects.toMatchObject({ code: "not_found" });
      const source = first.results[0]!.id;
      expect(await api.highlights({ page: 1, pageSize: 10, sourceId: String(source) }, signal)).toMatchObject({
        count: 1,
        next: null,
        results: [{ book_id: source }],
      });
    });

    it("exports newest sources first, page by page", async () => {
      const api = fresh();
      await api.createHighlights(
        [1, 2, 3, 4, 5].map((i) => ({ text: `text ${i}`, title: `Book ${i}` })),
        signal,
      );
      const sources = await everything(api);
      expect(sources).toHaveLength(5);
      expect(sources.map(({ source }) => source.id)).toEqual(
        sources.map(({ source }) => source.id).toSorted((a, b) => b - a),
      );
      expect(sources[0]!.highlights[0]!.highlight).toMatchObject({
        created_at: expect.any(String),
        is_favorite: false,
        readwise_url: expect.stringContaining("/open/"),
      });
    });

    it("exports only what changed after a moment, and what was deleted where asked", async () => {
      const { api, source, id } = await withHighlight();
      wait();
      await api.createHighlights([{ text: "later", title: "Tides", author: "R. Moss" }], signal);
      const since = new Date(Date.parse((await api.highlight(id, signal)).updated_at!) + 1000).toISOString();
      const texts = async (query: Parameters<ReadwiseApi["exported"]>[0]) =>
        (await everything(api, query))
          .flatMap(({ highlights }) =>
            highlights.map(({ highlight, is_deleted }) => `${is_deleted ? "-" : "+"}${highlight.text}`),
          )
          .sort();
      expect(await texts({ updatedAfter: since })).toEqual(["+later"]);
      expect(await texts({ ids: [String(source.id)] })).toEqual(["+Water keeps no straight lines.", "+later"]);
      wait();
      await api.deleteHighlight(id, signal);
      expect(await texts({})).toEqual(["+later"]);
      expect(await texts({ updatedAfter: since, includeDeleted: true })).toEqual([
        "+later",
        "-Water keeps no straight lines.",
      ]);
    });

    it("changes the given fields of a highlight and no others", async () => {
      const { api, id } = await withHighlight();
      expect(await api.updateHighlight(id, { note: "", location: 0, color: "blue" }, signal)).toMatchObject({
        text: "Water keeps no straight lines.",
        note: "",
        location: 0,
        color: "blue",
      });
    });

    it("deletes a highlight once", async () => {
      const { api, id } = await withHighlight();
      await api.deleteHighlight(id, signal);
      await expect(api.highlight(id, signal)).rejects.toMatchObject({ code: "not_found" });
      await expect(api.deleteHighlight(id, signal)).rejects.toMatchObject({ code: "not_found" });
    });

    it.each(["source", "highlight"] as const)("tags a %s, twice without effect, and untags it", async (kind) => {
      const { api, source, id } = await withHighlight();
      const target = kind === "source" ? String(source.id) : id;
      const tag = await api.addTag(kind, target, "sea", signal);
      expect(await api.addTag(kind, target, "sea", signal)).toEqual(tag);
      expect(await api.tagsOf(kind, target, signal)).toEqual([tag]);
      await api.deleteTag(kind, target, String(tag.id), signal);
      expect(await api.tagsOf(kind, target, signal)).toEqual([]);
      await expect(api.deleteTag(kind, target, String(tag.id), signal)).rejects.toMatchObject({ code: "not_found" });
    });

    it("saves a page once, and lists it", async () => {
      const api = fresh();
      const saved = await api.saveDocument({ url: "https://a.example/x", title: "X", tags: ["Deep Sea"] }, signal);
      expect(saved.created).toBe(true);
      expect(await api.saveDocument({ url: "https://a.example/x" }, signal)).toMatchObject({
        id: saved.id,
        created: false,
      });
      expect(await api.documents({ id: saved.id }, signal)).toMatchObject({
        count: 1,
        next: null,
        documents: [{ title: "X", tags: { "deep-sea": { name: "Deep Sea" } } }],
      });
      expect(await api.readerTags(null, signal)).toMatchObject({ tags: [{ key: "deep-sea", name: "Deep Sea" }] });
    });

    it("pages through documents by cursor", async () => {
      const api = fresh();
      for (let i = 0; i < 5; i++) await api.saveDocument({ url: `https://a.example/${i}` }, signal);
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<ReadwiseApi["documents"]>> = await api.documents({ limit: 2, cursor }, signal);
        ids.push(...page.documents.map(({ id }) => id));
        cursor = page.next;
      } while (cursor !== null);
      expect(new Set(ids).size).toBe(5);
    });

    it("updates a document, and drops a reading position without a word", async () => {
      const api = fresh();
      const { id } = await api.saveDocument({ url: "https://a.example/x", tags: ["a", "b"] }, signal);
      await api.updateDocument(
        id,
        { title: "New", tags: ["c"], location: "archive", seen: true, reading_progress: 0.5 },
        signal,
      );
      const [document] = (await api.documents({ id }, signal)).documents;
      expect(document).toMatchObject({
        title: "New",
        location: "archive",
        reading_progress: 0,
        first_opened_at: expect.any(String),
      });
      expect(Object.keys(document!.tags!)).toEqual(["c"]);
    });

    it("deletes a document without a trace", async () => {
      const api = fresh();
      const { id } = await api.saveDocument({ url: "https://a.example/x" }, signal);
      await api.deleteDocument(id, signal);
      expect(await api.documents({ id }, signal)).toMatchObject({ count: 0, documents: [], next: null });
      await expect(api.deleteDocument(id, signal)).rejects.toMatchObject({ code: "not_found" });
    });

    it("gives a review, and not_found for what there is not", async () => {
      const { api } = await withHighlight();
      expect(await api.review(signal)).toMatchObject({ review_id: expect.any(Number), highlights: expect.any(Array) });
      for (const call of [
        api.source("1", signal),
        api.highlight("1", signal),
        api.tagsOf("source", "1", signal),
        api.updateHighlight("1", { note: "x" }, signal),
        api.updateDocument("01x", { title: "x" }, signal),
      ])
        await expect(call).rejects.toMatchObject({ code: "not_found" });
    });

    it("keeps the libraries of two keys apart", async () => {
      const { id, source } = await withHighlight();
      const other = fresh();
      await expect(other.highlight(id, signal)).rejects.toMatchObject({ code: "not_found" });
      await expect(other.source(String(source.id), signal)).rejects.toMatchObject({ code: "not_found" });
      expect(await everything(other)).toEqual([]);
    });
  });
}
