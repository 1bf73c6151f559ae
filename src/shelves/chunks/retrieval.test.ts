import { describe, expect, it } from "vitest";
import { ask, chunkShelf, item } from "../../../tests/support/chunk-shelf.js";
import { fakeModel } from "../../../tests/support/fake-embedders.js";

describe("a project that does not exist", () => {
  it("is named together with those that do, in words and in data", async () => {
    const { retrieval, store } = await chunkShelf();
    await retrieval.createProject({ project: "citeloom/ddd" });
    await store.createProject({
      id: "secret-notebook",
      kind: "notebook",
      name: "n",
      description: null,
      model: fakeModel(),
      hybrid_enabled: true,
    });
    for (const id of ["nope", "secret-notebook"])
      await expect(retrieval.find(id, "x", ask)).rejects.toMatchObject({
        code: "INVALID_PROJECT",
        message: `Project '${id}' not found. Available projects: ['a', 'citeloom/ddd']`,
        details: { project_id: id, available_projects: ["a", "citeloom/ddd"] },
      });
    expect((await retrieval.list()).map(({ id }) => id)).toEqual(["a", "citeloom/ddd"]);
  });
});

describe("projects", () => {
  it("made again with the same settings change nothing, with others they are refused", async () => {
    const { retrieval } = await chunkShelf();
    expect(await retrieval.createProject({ project: "a" })).toMatchObject({
      project: "a",
      collection: "proj-a",
      created: false,
    });
    await expect(retrieval.createProject({ project: "a", hybrid_enabled: false })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(retrieval.createProject({ project: "b", embed_model: "unknown" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("fake-model"),
    });
  });

  it("declared in the owner's file are there from the start", async () => {
    const { retrieval } = await chunkShelf({
      declared: [{ project: "declared", hybrid_enabled: false, description: "From a file" }],
    });
    expect(await retrieval.list()).toContainEqual({
      id: "declared",
      name: null,
      collection: "proj-declared",
      embed_model: "fake-model",
      hybrid_enabled: false,
      description: "From a file",
    });
  });

  it("show what they hold, without texts", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "the hidden text", { metadata: { source: { path: "a.pdf" }, own: 1 } })]);
    const inspection = await retrieval.inspect("a", 5);
    expect(inspection).toMatchObject({
      project: "a",
      collection: "proj-a",
      size: 1,
      embed_model: "fake-model",
      payload_keys: expect.arrayContaining([
        "project",
        "source",
        "zotero",
        "doc",
        "embed_model",
        "version",
        "fulltext",
        "own",
      ]),
      sample: [{ id: "1", project: "a", source: { path: "a.pdf" } }],
    });
    expect(JSON.stringify(inspection)).not.toContain("hidden");
  });

  it("and chunks can be deleted, with counts", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "x"), item("2", "y")]);
    expect(await retrieval.deleteChunks("a", ["1", "nope"])).toEqual({ project: "a", chunks_deleted: 1, not_found: 1 });
    await expect(retrieval.deleteProject("a", 0)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("holds 1 chunk, not 0. Nothing is deleted."),
    });
    expect(await retrieval.deleteProject("a", 1)).toEqual({ project: "a", deleted: true, chunks_deleted: 1 });
    await expect(retrieval.inspect("a", 0)).rejects.toMatchObject({ code: "INVALID_PROJECT" });
  });
});
