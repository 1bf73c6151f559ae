import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChunkStore } from "../../src/shelves/chunks/chunk-store.js";
import type { ModelIdentity } from "../../src/shelves/chunks/embedding/embedder.js";
import { searchContract } from "./chunk-search.contract.js";
import { documentOf, passage, project, searches, testModel, towards } from "./chunks.js";

/** What every chunk store does, whatever it is made of. */
export function chunkStoreContract(name: string, open: () => ChunkStore | Promise<ChunkStore>) {
  describe(`${name} chunk store`, () => {
    let store: ChunkStore;
    const { words, meaning } = searches(() => store);

    beforeEach(async () => {
      store = await open();
      await store.createProject(project("a"));
    });
    afterEach(() => store.close());

    describe("projects", () => {
      it("are listed with the model they are bound to before anything is stored", async () => {
        await store.createProject(project("b/c", { hybrid_enabled: false, description: "Notes" }));
        expect(await store.projects()).toMatchObject([
          {
            id: "a",
            collection: "proj-a",
            model: testModel,
            hybrid_enabled: true,
            next_model: null,
          },
          { id: "b/c", collection: "proj-b-c", hybrid_enabled: false, description: "Notes" },
        ]);
        expect(await store.count("b/c")).toBe(0);
      });

      it("never share a collection name", async () => {
        await store.createProject(project("x/b-c"));
        await expect(store.createProject(project("x-b/c"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
        await expect(store.createProject(project("a"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
      });

      it("can be renamed and described", async () => {
        await store.updateProject("a", { name: "A better name" });
        await store.updateProject("a", { description: "About entities" });
        expect(await store.project("a")).toMatchObject({
          id: "a",
          name: "A better name",
          description: "About entities",
        });
      });

      it("take everything along when they are deleted", async () => {
        await store.upsert("a", [passage({ id: "x", tags: ["t"] })]);
        await store.replaceDocument("a", documentOf(), [passage({ doc_id: "doc-1" })]);
        await store.deleteProject("a");
        expect(await store.project("a")).toBeUndefined();
        await store.createProject(project("a"));
        expect(await store.count("a")).toBe(0);
        expect(await store.documents("a")).toEqual([]);
        expect(await words("entities")).toEqual([]);
        expect(await meaning(towards(0), { tags: ["t"] })).toEqual([]);
      });

      it("that do not exist are named", async () => {
        await expect(store.upsert("nowhere", [passage()])).rejects.toMatchObject({ code: "INVALID_PROJECT" });
        await expect(store.byWords("nowhere", "x", { limit: 1 })).rejects.toMatchObject({ code: "INVALID_PROJECT" });
        await expect(store.deleteProject("nowhere")).rejects.toMatchObject({ code: "INVALID_PROJECT" });
      });
    });

    describe("storing", () => {
      it("gives back what was stored, without vectors", async () => {
        const chunk = passage({
          id: "full",
          doc_id: "d",
          position: 3,
          start: 10,
          end: 50,
          citekey: "evans2003",
          title: "Domain-Driven Design",
          section: "Entities",
          section_path: ["Part I", "Entities"],
          page_span: [45, 46],
          page_labels: ["xii", "xiii"],
          doi: "10.1000/xyz",
          url: "https://example.org/ddd",
          year: 2003,
          tags: ["ddd", "Ünïcode"],
          language: "en",
          metadata: { source: { path: "a.pdf" }, own: [1, null, "x"] },
        });
        await store.upsert("a", [chunk]);
        const { vectors: _vectors, ...rest } = chunk;
        expect(await store.chunks("a", { ids: ["full", "missing"] })).toEqual([rest]);
      });

      it("gives back the vectors a chunk was stored with, as they are compared", async () => {
        if (!store.vectors) return;
        await store.upsert("a", [
          passage({ id: "long", vectors: [towards(1), towards(2)] }),
          passage({ id: "none", vectors: [] }),
        ]);
        const found = await store.vectors("a", ["long", "none", "missing"]);
        expect([...found.keys()]).toEqual(["long"]);
        for (const [window, axis] of [1, 2].entries()) {
          const length = Math.hypot(...(found.get("long")?.[window] ?? []));
          const unit = found.get("long")?.[window]?.map((value) => value / length);
          expect(unit?.[axis]).toBeCloseTo(1 / Math.hypot(...towards(axis)), 5);
        }
      });

      it("the same batch twice changes nothing", async () => {
        const batch = [passage({ id: "1" }), passage({ id: "2", text: "The dependency rule." })];
        expect(await store.upsert("a", batch)).toEqual({ added: 2, updated: 0 });
        const before = await store.byWords("a", "dependency entities", { limit: 5 });
        expect(await store.upsert("a", batch)).toEqual({ added: 0, updated: 2 });
        expect(await store.count("a")).toBe(2);
        expect(await store.byWords("a", "dependency entities", { limit: 5 })).toEqual(before);
      });

      it("replaces text, words and vectors of a chunk that is stored again", async () => {
        await store.upsert("a", [
          passage({ id: "1", text: "apples", vectors: [towards(0)] }),
          passage({ id: "2", text: "pears", vectors: [towards(1)] }),
        ]);
        await store.upsert("a", [passage({ id: "1", text: "oranges", vectors: [towards(2)], tags: ["new"] })]);
        expect(await words("apples")).toEqual([]);
        expect(await words("oranges")).toEqual(["1"]);
        expect(await meaning(towards(0))).toHaveLength(2);
        expect((await meaning(towards(2)))[0]).toBe("1");
        expect(await words("oranges", { tags: ["new"] })).toEqual(["1"]);
      });

      it("writes all of a batch or nothing", async () => {
        const wrong = passage({ id: "wrong", vectors: [new Float32Array(3).fill(1)] });
        if (name !== "memory")
          await expect(store.upsert("a", [passage({ id: "fine" }), wrong])).rejects.toMatchObject({
            code: "EMBEDDING_MISMATCH",
          });
        await expect(store.upsert("a", [passage({ id: "late" })], AbortSignal.abort())).rejects.toThrow();
        expect(await store.count("a")).toBe(0);
      });

      it("finds every chunk after many writes, updates and removals", async () => {
        const text = (n: number) => `passage number${n} about topic${n % 7}`;
        for (let round = 0; round < 12; round++)
          await store.upsert(
            "a",
            Array.from({ length: 40 }, (_, i) =>
              passage({
                id: `c${round * 20 + i}`,
                text: text(round * 20 + i),
                vectors: [towards(i % 8), towards((i + 1) % 8)],
              }),
            ),
          );
        expect(await store.count("a")).toBe(260);
        await store.removeChunks(
          "a",
          Array.from({ length: 130 }, (_, i) => `c${i * 2}`),
        );
        expect(await store.count("a")).toBe(130);
        expect(await words("number7")).toEqual(["c7"]);
        expect(await words("number8")).toEqual([]);
        expect(await store.byWords("a", "topic3", { limit: 500 })).toHaveLength(
          Array.from({ length: 130 }, (_, i) => i * 2 + 1).filter((n) => n % 7 === 3).length,
        );
        expect(await store.byMeaning("a", towards(0), { limit: 500 })).toHaveLength(130);
      });
    });

    describe("removing", () => {
      it("counts what was there", async () => {
        await store.upsert("a", [passage({ id: "1" }), passage({ id: "2" })]);
        expect(await store.removeChunks("a", ["1", "nope"])).toEqual({ removed: 1 });
        expect(await words("entities")).toEqual(["2"]);
        expect(await meaning(towards(0))).toEqual(["2"]);
      });
    });

    searchContract(() => store);

    describe("documents", () => {
      const chunk = (n: number) => passage({ id: `d-${n}`, doc_id: "doc-1", position: n, text: `part${n}` });

      it("come back as they were stored, chunks in reading order", async () => {
        await store.replaceDocument("a", documentOf(), [chunk(1), chunk(0)]);
        const stored = { ...documentOf(), chunk_count: 2 };
        expect(await store.document("a", "doc-1")).toEqual(stored);
        const { text: _t, pages: _p, headings: _h, edits: _e, ...summary } = stored;
        expect(await store.documents("a")).toEqual([summary]);
        expect((await store.chunks("a", { doc_id: "doc-1" })).map(({ position }) => position)).toEqual([0, 1]);
        expect(await store.document("a", "doc-2")).toBeUndefined();
      });

      it("are listed in the order they were added, those of one moment by id, whichever was written first", async () => {
        const added = (id: string, added_at: string) =>
          store.replaceDocument("a", documentOf({ id, added_at }), [passage({ id: `${id}-0`, doc_id: id })]);
        await added("late", "2026-03-01T00:00:00.000Z");
        await added("doc-2", "2026-02-01T00:00:00.000Z");
        await added("doc-1", "2026-02-01T00:00:00.000Z");
        expect((await store.documents("a")).map(({ id }) => id)).toEqual(["doc-1", "doc-2", "late"]);
      });

      it("that shrank leave no orphans", async () => {
        await store.replaceDocument("a", documentOf(), [0, 1, 2, 3].map(chunk));
        const result = await store.replaceDocument(
          "a",
          documentOf({ added_at: "2027-01-01T00:00:00.000Z" }),
          [0, 1].map(chunk),
        );
        expect(result).toEqual({ added: 0, updated: 2, removed: 2 });
        expect(await store.count("a")).toBe(2);
        expect(await words("part3")).toEqual([]);
        expect(await store.documents("a")).toMatchObject([{ chunk_count: 2, added_at: "2026-01-01T00:00:00.000Z" }]);
      });

      it("go with their chunks", async () => {
        await store.replaceDocument("a", documentOf(), [chunk(0)]);
        await store.upsert("a", [passage({ id: "stays" })]);
        expect(await store.removeDocument("a", "doc-1")).toBe(true);
        expect(await store.removeDocument("a", "doc-1")).toBe(false);
        expect(await store.count("a")).toBe(1);
      });
    });

    it("shows its size, keys, indexes and a sample", async () => {
      await store.upsert("a", [passage({ id: "1", metadata: { own: 1 } }), passage({ id: "2" })]);
      const inspection = await store.inspect("a", 1);
      expect(inspection.size).toBe(2);
      expect(inspection.payload_keys).toEqual(expect.arrayContaining(["project", "fulltext", "own"]));
      expect(inspection.indexes).toMatchObject({
        keyword: expect.arrayContaining(["zotero.tags"]),
        fulltext: ["fulltext"],
      });
      expect(inspection.sample).toHaveLength(1);
      expect(["1", "2"]).toContain(inspection.sample[0]?.id);
    });

    describe("moving to another model", () => {
      const next: ModelIdentity = { ...testModel, id: "next-model", dimension: 4 };
      const small = (axis: number) => Float32Array.from({ length: 4 }, (_, i) => (i === axis ? 1 : 0.1));

      it("answers from the old vectors until every chunk has a new one, then from the new", async () => {
        const { migration } = store;
        if (!migration) return;
        await store.upsert("a", [
          passage({ id: "1", vectors: [towards(0)] }),
          passage({ id: "2", vectors: [towards(1)] }),
        ]);
        await migration.start("a", next);
        expect(await store.project("a")).toMatchObject({ model: testModel, next_model: next });
        const { chunks, remaining } = await migration.pending("a", 1);
        expect(remaining).toBe(2);
        expect(chunks).toMatchObject([{ id: "1" }]);
        expect(
          await migration.write(
            "a",
            chunks.map(({ id, version }) => ({ id, version, vectors: [small(3)] })),
          ),
        ).toBe(1);
        expect(await migration.finish("a")).toBe(false);
        expect((await meaning(towards(0)))[0]).toBe("1");

        // A chunk written meanwhile with the bound model waits for its new vector too, and an outdated vector is not taken.
        const outdated = (await migration.pending("a", 5)).chunks;
        await store.upsert("a", [passage({ id: "2", text: "changed", vectors: [towards(1)] })]);
        await store.upsert("a", [passage({ id: "3", vectors: [small(2)] })], undefined, "next");
        expect(
          await migration.write(
            "a",
            outdated.map(({ id, version }) => ({ id, version, vectors: [small(0)] })),
          ),
        ).toBe(0);
        const rest = (await migration.pending("a", 5)).chunks;
        expect(rest).toMatchObject([{ id: "2", text: "changed" }]);
        await migration.write(
          "a",
          rest.map(({ id, version }) => ({ id, version, vectors: [small(1)] })),
        );
        expect(await migration.finish("a")).toBe(true);

        expect(await store.project("a")).toMatchObject({ model: next, next_model: null });
        for (const [axis, id] of [
          [3, "1"],
          [1, "2"],
          [2, "3"],
        ] as const)
          expect((await meaning(small(axis)))[0]).toBe(id);
        await store.upsert("a", [passage({ id: "4", vectors: [small(0)] })]);
        expect((await meaning(small(0)))[0]).toBe("4");
      });
    });
  });
}
