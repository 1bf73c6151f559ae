import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Chunk, ChunkStore, DocumentRecord, Filters, NewProject } from "../../src/shelves/chunks/chunk-store.js";
import type { ModelIdentity } from "../../src/shelves/chunks/embedding/embedder.js";
import { bareChunk } from "./bare-chunk.mjs";

export const testModel: ModelIdentity = {
  id: "test-model",
  dimension: 8,
  pooling: "mean",
  max_tokens: 256,
  weights_sha256: null,
};

export function project(id: string, change: Partial<NewProject> = {}): NewProject {
  return { id, kind: "project", name: id, description: null, model: testModel, hybrid_enabled: true, ...change };
}

/** A vector of eight dimensions that leans towards one of them. */
export function towards(axis: number, others = 0.1): Float32Array {
  return Float32Array.from({ length: 8 }, (_, i) => (i === axis ? 1 : others));
}

let serial = 0;
export function passage(change: Partial<Chunk> = {}): Chunk {
  return bareChunk({
    id: `chunk-${++serial}`,
    text: "Entities and value objects are distinct.",
    vectors: [towards(0)],
    ...change,
  });
}

export function documentOf(change: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    id: "doc-1",
    title: "Clean Architecture",
    citekey: "martin2017",
    kind: "text",
    origin: null,
    sha256: "0".repeat(64),
    chunk_count: 0,
    char_count: 12,
    language: "en",
    csl: { type: "book", title: "Clean Architecture" },
    added_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    extra: { mtime: 7 },
    text: "Hello world.",
    pages: [{ number: 1, label: "i", start: 0, end: 12 }],
    headings: [{ level: 1, title: "Hello", start: 0 }],
    edits: [{ at: 3, length: 1, original: "-\n" }],
    ...change,
  };
}

/** Every filter alone, with the chunks of the contract that pass it: a new filter is a type error until it has a row here. */
const EACH_FILTER: { [Name in keyof Filters]-?: [value: Filters[Name], kept: string[]] } = {
  tags: [["x"], ["1", "2"]],
  tags_any: [
    ["y", "z"],
    ["1", "3"],
  ],
  citekey: ["k2", ["2"]],
  doc_id: ["d1", ["1"]],
  year: [2010, ["2"]],
  year_from: [2010, ["2", "3"]],
  year_to: [2010, ["1", "2"]],
  section_prefix: [["Part I"], ["1", "2"]],
  kind: ["table", ["3"]],
};

/** What every chunk store does, whatever it is made of. */
export function chunkStoreContract(name: string, open: () => ChunkStore | Promise<ChunkStore>) {
  describe(`${name} chunk store`, () => {
    let store: ChunkStore;
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const ids = async (hits: Promise<{ id: string }[]>) => (await hits).map(({ id }) => id);
    const words = (query: string, filters = {}, id = "a") => ids(store.byWords(id, query, { limit: 10, filters }));
    const meaning = (vector: Float32Array, filters = {}, id = "a") =>
      ids(store.byMeaning(id, vector, { limit: 10, filters }));

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

    describe("word search", () => {
      it("ranks by BM25 over the project's own texts", async () => {
        await store.upsert("a", [
          passage({
            id: "once",
            text: "The dependency rule is one of many rules in a rather long text about architecture and other things",
          }),
          passage({ id: "twice", text: "Dependency upon dependency" }),
          passage({ id: "none", text: "Something else" }),
        ]);
        const hits = await store.byWords("a", "dependency", { limit: 5 });
        expect(hits.map(({ id }) => id)).toEqual(["twice", "once"]);
        // idf = ln(1 + (3 - 2 + .5) / (2 + .5)); "twice" has 3 terms, the average is 23 / 3.
        const idf = Math.log(1 + 1.5 / 2.5);
        const lengths = [18, 3, 2];
        const average = (lengths[0]! + lengths[1]! + lengths[2]!) / 3;
        expect(hits[0]?.bm25).toBeCloseTo((idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / average)), 5);
        expect(hits[0]?.coverage).toBeCloseTo((hits[0]?.bm25 ?? 0) / (idf * 2.2), 5);
        expect(hits.every(({ coverage }) => coverage > 0 && coverage <= 1)).toBe(true);
      });

      it("does not let another project change a score", async () => {
        await store.upsert("a", [
          passage({ id: "1", text: "the dependency rule" }),
          passage({ text: "something else" }),
        ]);
        const before = await store.byWords("a", "dependency", { limit: 5 });
        await store.createProject(project("b"));
        await store.upsert(
          "b",
          Array.from({ length: 50 }, () => passage({ text: "dependency dependency dependency" })),
        );
        expect(await store.byWords("a", "dependency", { limit: 5 })).toEqual(before);
      });

      it("finds other forms, other case, and words without their accents", async () => {
        await store.upsert("a", [
          passage({ id: "en", text: "Inverted DEPENDENCIES" }),
          passage({ id: "fr", text: "Le résumé des entités", language: "fr" }),
        ]);
        expect(await words("dependency")).toEqual(["en"]);
        expect(await words("RESUME")).toEqual(["fr"]);
        expect(await words("entité")).toEqual(["fr"]);
      });

      it("finds Chinese by parts of a sentence", async () => {
        await store.upsert("a", [
          passage({ id: "zh", text: "我在东南大学读书。", language: "zh" }),
          passage({ id: "other", text: "天气很好", language: "zh" }),
        ]);
        expect(await words("东南大学")).toEqual(["zh"]);
      });

      it("finds a chunk by its title and headings", async () => {
        await store.upsert("a", [
          passage({ id: "1", title: "Meditations", section_path: ["Book Two"], text: "Begin the morning." }),
          passage(),
        ]);
        expect(await words("meditations")).toEqual(["1"]);
        expect(await words("book")).toEqual(["1"]);
      });

      it("takes a quoted phrase literally", async () => {
        await store.upsert("a", [
          passage({ id: "phrase", text: "On clean architecture, and how to keep it" }),
          passage({ id: "scattered", text: "Architecture that is clean; how clean architecture-free code is" }),
          passage({ id: "apart", text: "A clean house has architecture" }),
        ]);
        expect(await words('"clean architecture"')).toEqual(expect.arrayContaining(["phrase", "scattered"]));
        expect(await words('"clean architecture"')).not.toContain("apart");
        expect(await words('"architecture clean"')).toEqual([]);
        expect(await words('"how to keep it"')).toEqual(["phrase"]);
      });

      it("completes a word that ends in a star", async () => {
        await store.upsert("a", [
          passage({ id: "1", text: "architectural styles" }),
          passage({ id: "2", text: "archive" }),
          passage({ id: "3", text: "search" }),
        ]);
        expect((await words("arch*")).sort()).toEqual(["1", "2"]);
        expect(await words("architect*")).toEqual(["1"]);
        expect(await words("architectural*")).toEqual(["1"]);
      });

      it("answers a query of stop words, and nothing for one without words", async () => {
        await store.upsert("a", [
          passage({ id: "1", text: "to be or not to be" }),
          passage({ id: "2", text: "entirely different" }),
        ]);
        expect(await words("to be or not to be")).toEqual(["1"]);
        expect(await words("?!")).toEqual([]);
        expect(await words("")).toEqual([]);
      });

      it("is not misled by query syntax of any database", async () => {
        await store.upsert("a", [passage({ id: "1", text: "plain text" })]);
        for (const query of [
          "text OR 1=1",
          "'; drop table chunks; --",
          "NEAR(text",
          "project:b AND text",
          'text"',
          "* *",
          "^text:",
          "{a b}: text",
        ])
          expect(await words(query), query).toEqual(query.includes("text") ? ["1"] : []);
      });
    });

    describe("meaning search", () => {
      it("ranks by cosine, whatever the length of the vectors", async () => {
        await store.upsert("a", [
          passage({ id: "near", vectors: [towards(0).map((x) => x * 40)] }),
          passage({ id: "far", vectors: [towards(1)] }),
        ]);
        const hits = await store.byMeaning("a", towards(0), { limit: 5 });
        expect(hits.map(({ id }) => id)).toEqual(["near", "far"]);
        expect(hits[0]?.similarity).toBeCloseTo(1, 5);
        expect(hits[1]?.similarity).toBeCloseTo((2 * 0.1 + 6 * 0.01) / 1.07, 5);
      });

      it("answers a chunk once, by its best window", async () => {
        await store.upsert("a", [
          passage({ id: "long", vectors: [towards(5), towards(0), towards(6)] }),
          passage({ id: "short", vectors: [towards(1)] }),
        ]);
        const hits = await store.byMeaning("a", towards(0), { limit: 5 });
        expect(hits.map(({ id }) => id)).toEqual(["long", "short"]);
        expect(hits[0]?.similarity).toBeCloseTo(1, 5);
      });

      it("keeps chunks without a vector out, and findable by words", async () => {
        await store.upsert("a", [passage({ id: "words-only", vectors: [] })]);
        expect(await meaning(towards(0))).toEqual([]);
        expect(await words("entities")).toEqual(["words-only"]);
      });

      it("stops when it is asked to", async () => {
        await expect(store.byMeaning("a", towards(0), { limit: 1, signal: AbortSignal.abort() })).rejects.toThrow();
      });
    });

    describe("isolation", () => {
      it("never answers with another project's chunks", async () => {
        await store.createProject(project("b"));
        await store.upsert("a", [passage({ id: "same", text: "the dependency rule" })]);
        await store.upsert("b", [
          passage({ id: "same", text: "the dependency rule", metadata: { secret: true } }),
          passage({ id: "only-b", tags: ["x"], citekey: "k" }),
        ]);
        expect(await words("dependency entities")).toEqual(["same"]);
        expect(await meaning(towards(0))).toEqual(["same"]);
        expect(await meaning(towards(0), { citekey: "k" })).toEqual([]);
        expect(await words("entities", { tags: ["x"] })).toEqual([]);
        expect((await store.inspect("a", 5)).payload_keys).not.toContain("secret");
        expect(await store.chunks("a", { ids: ["only-b"] })).toEqual([]);
        expect(await store.removeChunks("a", ["only-b"])).toEqual({ removed: 0 });
        await store.deleteProject("a");
        expect(await store.count("b")).toBe(2);
        expect(await meaning(towards(0), {}, "b")).toHaveLength(2);
      });
    });

    describe("filters", () => {
      beforeEach(() =>
        store.upsert("a", [
          passage({
            id: "1",
            tags: ["x", "y"],
            citekey: "k1",
            doc_id: "d1",
            year: 2000,
            section_path: ["Part I", "Chapter 1"],
          }),
          passage({
            id: "2",
            tags: ["x"],
            citekey: "k2",
            doc_id: "d2",
            year: 2010,
            section_path: ["Part I", "Chapter 10"],
          }),
          passage({ id: "3", tags: ["z"], year: 2020, section_path: ["Part II"], metadata: { kind: "table" } }),
          passage({ id: "4" }),
        ]),
      );
      it.each<readonly [Filters, string[]]>([
        ...Object.entries(EACH_FILTER).map(([filter, [value, kept]]) => [{ [filter]: value }, kept] as const),
        [{ tags: ["x", "y"] }, ["1"]],
        [{ tags: [] }, ["1", "2", "3", "4"]],
        [{ citekey: "' or 1=1 --" }, []],
        [{ year_from: 2005, year_to: 2015, tags: ["x"] }, ["2"]],
        [{ section_prefix: ["Part I", "Chapter 1"] }, ["1"]],
        [{ section_prefix: ["Part"] }, []],
        [{ section_prefix: [] }, ["1", "2", "3", "4"]],
        [{ kind: "table", year: 2010 }, []],
      ])("%j keep the same chunks in both searches", async (filters, expected) => {
        expect((await words("entities", filters)).sort()).toEqual(expected);
        expect((await meaning(towards(0), filters)).sort()).toEqual(expected);
        expect((await ids(store.chunksWhere("a", filters, 10))).sort()).toEqual(expected);
      });
      it("choose chunks in a project without vectors, up to the limit", async () => {
        await store.createProject(project("wordless"));
        const batch = ["5", "6", "7"].map((id) => passage({ id, citekey: "k5", vectors: [] }));
        await store.upsert("wordless", [...batch, passage({ id: "8", citekey: "k8", vectors: [] })]);
        await store.removeChunks("wordless", ["6"]);
        expect((await store.chunksWhere("wordless", { citekey: "k5" }, 10)).sort(byId)).toEqual([
          expect.objectContaining({ id: "5", text: batch[0]!.text, citekey: "k5" }),
          expect.objectContaining({ id: "7" }),
        ]);
        expect(await store.chunksWhere("wordless", { citekey: "k5" }, 1)).toHaveLength(1);
        expect(await store.chunksWhere("wordless", {}, 10)).toHaveLength(3);
        expect(await store.chunksWhere("wordless", { citekey: "nobody" }, 10)).toEqual([]);
      });
    });

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
