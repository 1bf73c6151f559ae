import { describe, expect, it } from "vitest";
import { chunkShelf, item, vector } from "../../../tests/support/chunk-shelf.js";
import { fakeEmbedder, fakeEmbedders } from "../../../tests/support/fake-embedders.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { createRetrieval } from "./retrieval.js";

describe("storing", () => {
  it("embeds texts that come without an embedding, each window with its title in front", async () => {
    const embedder = fakeEmbedder();
    const { retrieval, store } = await chunkShelf({ embedders: [embedder] });
    const long = Array.from({ length: 50 }, (_, i) => `word${i}`).join(" ");
    const result = await retrieval.store("a", [
      item("1", long, { metadata: { source: { title: "Walden" }, doc: { section_path: ["Book", "Economy"] } } }),
    ]);
    expect(result).toEqual({
      chunks_written: 1,
      chunks_added: 1,
      chunks_updated: 0,
      project: "a",
      embed_model: "fake-model",
      warnings: [],
    });
    expect(embedder.calls).toHaveLength(3);
    for (const text of embedder.calls) expect(text).toMatch(/^Walden\nBook\nEconomy\n/);
    expect(await store.count("a")).toBe(1);
  });

  it("the same batch twice adds nothing", async () => {
    const { retrieval, store } = await chunkShelf();
    const batch = [item("1", "one"), item("2", "two")];
    await retrieval.store("a", batch);
    expect(await retrieval.store("a", batch)).toMatchObject({ chunks_written: 2, chunks_added: 0, chunks_updated: 2 });
    expect(await store.count("a")).toBe(2);
  });

  it("answers with no more items and characters than the owner set", async () => {
    const store = memoryChunkStore();
    const retrieval = createRetrieval({
      store,
      embedders: fakeEmbedders(fakeEmbedder()),
      maxTopK: 2,
      maxCharsPerChunk: 200,
    });
    await retrieval.createProject({ project: "a" });
    await retrieval.store(
      "a",
      ["one", "two", "three"].map((id) => item(id, `${id} tide turns. `.repeat(60))),
    );
    const { items, warnings } = await retrieval.hybrid("a", "tide", { top_k: 6 });
    expect(items.map(({ truncated }) => truncated)).toEqual([true, true]);
    for (const { render_text } of items) expect(render_text.length).toBeLessThanOrEqual(201);
    expect(warnings).toEqual([expect.stringContaining("at most 2 items")]);
  });

  it("reads where a passage stands from the metadata, nested or flat", async () => {
    const { retrieval, store } = await chunkShelf();
    await retrieval.store("a", [
      item("nested", "text", {
        metadata: {
          source: { path: "x.pdf", title: "Clean Architecture" },
          zotero: {
            citekey: "martin2017",
            tags: ["architecture"],
            year: 2017,
            doi: "10.1/x",
            url: "https://example.org",
          },
          doc: {
            id: "d",
            page_span: [45, 46],
            section: "Entities",
            section_path: ["Part I", "Chapter 3"],
            chunk_idx: 4,
          },
        },
      }),
      item("flat", "text", {
        metadata: {
          doc_id: "d",
          page_start: 3,
          page_end: 4,
          citekey: "k",
          tags: ["t"],
          year: "1999",
          section_path: ["S"],
        },
      }),
      item("filter's name", "text", { metadata: { doc: { doc_id: "d" } } }),
    ]);
    expect(await store.chunks("a", { ids: ["nested", "flat", "filter's name"] })).toMatchObject([
      {
        citekey: "martin2017",
        tags: ["architecture"],
        year: 2017,
        doi: "10.1/x",
        url: "https://example.org",
        doc_id: "d",
        position: 4,
        page_span: [45, 46],
        section: "Entities",
        section_path: ["Part I", "Chapter 3"],
        title: "Clean Architecture",
      },
      { doc_id: "d", page_span: [3, 4], citekey: "k", tags: ["t"], year: 1999, section: "S" },
      { doc_id: "d" },
    ]);
  });

  it("leaves out facts so long that they would fill every answer, and says so", async () => {
    const { retrieval } = await chunkShelf();
    const metadata = { citekey: "k".repeat(100_000), doc: { section_path: Array(5000).fill("deeper") } };
    const { warnings } = await retrieval.store("a", [item("1", "the dependency rule", { metadata })]);
    expect(warnings).toEqual([
      expect.stringContaining("1: metadata.doc.section_path was left out"),
      expect.stringContaining("1: metadata.citekey was left out"),
    ]);
    const answer = await retrieval.hybrid("a", "dependency rule", { top_k: 6 });
    expect(answer.items).toMatchObject([{ citekey: null, section_path: [] }]);
    expect(JSON.stringify(await retrieval.inspect("a", 5)).length).toBeLessThan(5_000);
  });

  it("names the first twenty of many problems and counts the rest", async () => {
    const { retrieval } = await chunkShelf();
    const items = Array.from({ length: 60 }, (_, i) => item(`${i}`, "x", { metadata: { year: "long ago" } }));
    const { warnings } = await retrieval.store("a", items);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe("… and 40 more like these");
  });

  it("never invents a page", async () => {
    const { retrieval, store } = await chunkShelf();
    const { warnings } = await retrieval.store("a", [item("1", "x", { metadata: { doc: { page_span: [0, 7] } } })]);
    expect(warnings).toEqual([expect.stringContaining("1: metadata.doc.page_span")]);
    expect(await store.chunks("a", { ids: ["1"] })).toMatchObject([{ page_span: null }]);
  });

  it.each([
    ["another dimension", [item("1", "x", { embedding: vector(5) })], "EMBEDDING_MISMATCH"],
    [
      "another model of the same dimension",
      [item("1", "x", { embedding: vector(), metadata: { embed_model: "other" } })],
      "EMBEDDING_MISMATCH",
    ],
    [
      "another model for texts to embed",
      [item("1", "x", { metadata: { embed_model: "other" } })],
      "EMBEDDING_MISMATCH",
    ],
    ["a vector of zeros", [item("1", "x", { embedding: new Array<number>(32).fill(0) })], "INVALID_INPUT"],
    ["NaN", [item("1", "x", { embedding: [Number.NaN, ...vector(31)] })], "INVALID_INPUT"],
    ["Infinity", [item("1", "x", { embedding: [Number.POSITIVE_INFINITY, ...vector(31)] })], "INVALID_INPUT"],
    ["numbers too large for a vector", [item("1", "x", { embedding: [1e300, ...vector(31)] })], "INVALID_INPUT"],
    ["an empty embedding", [item("1", "x", { embedding: [] })], "INVALID_INPUT"],
    ["an id twice", [item("1", "x"), item("1", "y")], "INVALID_INPUT"],
    ["another project in its metadata", [item("1", "x", { metadata: { project: "b" } })], "INVALID_INPUT"],
    ["more texts to embed than fit", Array.from({ length: 101 }, (_, i) => item(`${i}`, "x")), "INVALID_INPUT"],
    [
      "more items than fit",
      Array.from({ length: 501 }, (_, i) => item(`${i}`, "x", { embedding: vector() })),
      "INVALID_INPUT",
    ],
  ])("refuses %s and stores nothing of the batch", async (_what, items, code) => {
    const { retrieval, store } = await chunkShelf();
    await expect(
      retrieval.store("a", [item("fine", "x", { embedding: vector() }), ...items].slice(items.length > 100 ? 1 : 0)),
    ).rejects.toMatchObject({ code });
    expect(await store.count("a")).toBe(0);
  });

  it("stores nothing when the deadline has passed", async () => {
    const { retrieval, store } = await chunkShelf();
    await expect(retrieval.store("a", [item("1", "x")], { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await store.count("a")).toBe(0);
  });
});
