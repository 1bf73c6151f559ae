import { describe, expect, it } from "vitest";
import { ask, chunkShelf, item, vector } from "../../../tests/support/chunk-shelf.js";
import { fakeEmbedder, fakeEmbedders, fakeModel } from "../../../tests/support/fake-embedders.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { createRetrieval } from "./retrieval.js";

describe("the model guard", () => {
  const other = () => fakeEmbedder(fakeModel("other-model", 16));

  it("holds on reads: a model the server does not have is never replaced by another", async () => {
    const store = memoryChunkStore();
    const first = createRetrieval({ store, embedders: fakeEmbedders(fakeEmbedder()) });
    await first.createProject({ project: "a" });
    await first.store("a", [item("1", "alpha")]);
    const second = createRetrieval({ store, embedders: fakeEmbedders(other()) });
    await expect(second.find("a", "alpha", ask)).rejects.toMatchObject({
      code: "EMBEDDING_MISMATCH",
      details: { expected: "fake-model", available: ["other-model"] },
    });
    expect(await second.hybrid("a", "alpha", ask)).toMatchObject({
      items: [{ id: "1" }],
      warnings: [expect.stringContaining("fake-model")],
    });
    await expect(second.store("a", [item("2", "beta")])).rejects.toMatchObject({
      code: "EMBEDDING_MISMATCH",
      message: expect.stringContaining("allow_model_migration"),
    });
  });

  it("moves a project as a whole when it is allowed to, and tells how far it is", async () => {
    const { retrieval, store } = await chunkShelf({ embedders: [fakeEmbedder(), other()] });
    await retrieval.store("a", [item("1", "alpha"), item("2", "beta")]);
    const result = await retrieval.store("a", [item("3", "gamma", { metadata: { embed_model: "other-model" } })], {
      allow_model_migration: true,
    });
    expect(result).toMatchObject({ embed_model: "other-model", warnings: [expect.stringContaining("moving")] });
    const { migration } = await retrieval.inspect("a", 0);
    if (migration) expect(migration).toMatchObject({ to: "other-model", total: expect.any(Number) });
    await retrieval.settled();
    expect(await store.project("a")).toMatchObject({ model: { id: "other-model", dimension: 16 }, next_model: null });
    for (const [query, id] of [
      ["alpha", "1"],
      ["gamma", "3"],
    ] as const)
      expect((await retrieval.find("a", query, ask)).items[0]).toMatchObject({ id, score: expect.any(Number) });
  });

  it("gives the next model the header of a table with each of its parts", async () => {
    const next = other();
    const { retrieval, store } = await chunkShelf({ embedders: [fakeEmbedder(), next] });
    const table = { header: "Year\tTides", caption: "Table 1. Heights" };
    await retrieval.store("a", [item("part", "1999\t12", { metadata: { kind: "table", table } })]);
    const more = [item("3", "gamma", { metadata: { embed_model: "other-model" } })];
    await retrieval.store("a", more, { allow_model_migration: true });
    await retrieval.settled();
    expect(await store.project("a")).toMatchObject({ model: { id: "other-model" } });
    expect(next.calls).toContain("Table 1. Heights\nYear Tides\n1999 12");
  });

  it("does not move a project to a model the server could not embed it with", async () => {
    const { retrieval, store } = await chunkShelf();
    const items = [item("1", "x", { embedding: vector(7), metadata: { embed_model: "elsewhere" } })];
    await expect(retrieval.store("a", items, { allow_model_migration: true })).rejects.toMatchObject({
      code: "EMBEDDING_MISMATCH",
    });
    expect(await store.project("a")).toMatchObject({ next_model: null });
  });
});
