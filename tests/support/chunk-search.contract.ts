import { beforeEach, describe, expect, it } from "vitest";
import type { ChunkStore, Filters } from "../../src/shelves/chunks/chunk-store.js";
import { passage, project, searches, towards } from "./chunks.js";

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

/** What the searches of every chunk store find, in the project "a" of an empty store. */
export function searchContract(opened: () => ChunkStore) {
  const { ids, words, meaning } = searches(opened);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

  describe("word search", () => {
    it("ranks by BM25 over the project's own texts", async () => {
      await opened().upsert("a", [
        passage({
          id: "once",
          text: "The dependency rule is one of many rules in a rather long text about architecture and other things",
        }),
        passage({ id: "twice", text: "Dependency upon dependency" }),
        passage({ id: "none", text: "Something else" }),
      ]);
      const hits = await opened().byWords("a", "dependency", { limit: 5 });
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
      await opened().upsert("a", [
        passage({ id: "1", text: "the dependency rule" }),
        passage({ text: "something else" }),
      ]);
      const before = await opened().byWords("a", "dependency", { limit: 5 });
      await opened().createProject(project("b"));
      await opened().upsert(
        "b",
        Array.from({ length: 50 }, () => passage({ text: "dependency dependency dependency" })),
      );
      expect(await opened().byWords("a", "dependency", { limit: 5 })).toEqual(before);
    });

    it("finds other forms, other case, and words without their accents", async () => {
      await opened().upsert("a", [
        passage({ id: "en", text: "Inverted DEPENDENCIES" }),
        passage({ id: "fr", text: "Le résumé des entités", language: "fr" }),
      ]);
      expect(await words("dependency")).toEqual(["en"]);
      expect(await words("RESUME")).toEqual(["fr"]);
      expect(await words("entité")).toEqual(["fr"]);
    });

    it("finds Chinese by parts of a sentence", async () => {
      await opened().upsert("a", [
        passage({ id: "zh", text: "我在东南大学读书。", language: "zh" }),
        passage({ id: "other", text: "天气很好", language: "zh" }),
      ]);
      expect(await words("东南大学")).toEqual(["zh"]);
    });

    it("finds a chunk by its title and headings", async () => {
      await opened().upsert("a", [
        passage({ id: "1", title: "Meditations", section_path: ["Book Two"], text: "Begin the morning." }),
        passage(),
      ]);
      expect(await words("meditations")).toEqual(["1"]);
      expect(await words("book")).toEqual(["1"]);
    });

    it("takes a quoted phrase literally", async () => {
      await opened().upsert("a", [
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
      await opened().upsert("a", [
        passage({ id: "1", text: "architectural styles" }),
        passage({ id: "2", text: "archive" }),
        passage({ id: "3", text: "search" }),
      ]);
      expect((await words("arch*")).sort()).toEqual(["1", "2"]);
      expect(await words("architect*")).toEqual(["1"]);
      expect(await words("architectural*")).toEqual(["1"]);
    });

    it("answers a query of stop words, and nothing for one without words", async () => {
      await opened().upsert("a", [
        passage({ id: "1", text: "to be or not to be" }),
        passage({ id: "2", text: "entirely different" }),
      ]);
      expect(await words("to be or not to be")).toEqual(["1"]);
      expect(await words("?!")).toEqual([]);
      expect(await words("")).toEqual([]);
    });

    it("is not misled by query syntax of any database", async () => {
      await opened().upsert("a", [passage({ id: "1", text: "plain text" })]);
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
      await opened().upsert("a", [
        passage({ id: "near", vectors: [towards(0).map((x) => x * 40)] }),
        passage({ id: "far", vectors: [towards(1)] }),
      ]);
      const hits = await opened().byMeaning("a", towards(0), { limit: 5 });
      expect(hits.map(({ id }) => id)).toEqual(["near", "far"]);
      expect(hits[0]?.similarity).toBeCloseTo(1, 5);
      expect(hits[1]?.similarity).toBeCloseTo((2 * 0.1 + 6 * 0.01) / 1.07, 5);
    });

    it("answers a chunk once, by its best window", async () => {
      await opened().upsert("a", [
        passage({ id: "long", vectors: [towards(5), towards(0), towards(6)] }),
        passage({ id: "short", vectors: [towards(1)] }),
      ]);
      const hits = await opened().byMeaning("a", towards(0), { limit: 5 });
      expect(hits.map(({ id }) => id)).toEqual(["long", "short"]);
      expect(hits[0]?.similarity).toBeCloseTo(1, 5);
    });

    it("keeps chunks without a vector out, and findable by words", async () => {
      await opened().upsert("a", [passage({ id: "words-only", vectors: [] })]);
      expect(await meaning(towards(0))).toEqual([]);
      expect(await words("entities")).toEqual(["words-only"]);
    });

    it("stops when it is asked to", async () => {
      await expect(opened().byMeaning("a", towards(0), { limit: 1, signal: AbortSignal.abort() })).rejects.toThrow();
    });
  });

  describe("isolation", () => {
    it("never answers with another project's chunks", async () => {
      await opened().createProject(project("b"));
      await opened().upsert("a", [passage({ id: "same", text: "the dependency rule" })]);
      await opened().upsert("b", [
        passage({ id: "same", text: "the dependency rule", metadata: { secret: true } }),
        passage({ id: "only-b", tags: ["x"], citekey: "k" }),
      ]);
      expect(await words("dependency entities")).toEqual(["same"]);
      expect(await meaning(towards(0))).toEqual(["same"]);
      expect(await meaning(towards(0), { citekey: "k" })).toEqual([]);
      expect(await words("entities", { tags: ["x"] })).toEqual([]);
      expect((await opened().inspect("a", 5)).payload_keys).not.toContain("secret");
      expect(await opened().chunks("a", { ids: ["only-b"] })).toEqual([]);
      expect(await opened().removeChunks("a", ["only-b"])).toEqual({ removed: 0 });
      await opened().deleteProject("a");
      expect(await opened().count("b")).toBe(2);
      expect(await meaning(towards(0), {}, "b")).toHaveLength(2);
    });
  });

  describe("filters", () => {
    beforeEach(() =>
      opened().upsert("a", [
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
      expect((await ids(opened().chunksWhere("a", filters, 10))).sort()).toEqual(expected);
    });
    it("choose chunks in a project without vectors, up to the limit", async () => {
      await opened().createProject(project("wordless"));
      const batch = ["5", "6", "7"].map((id) => passage({ id, citekey: "k5", vectors: [] }));
      await opened().upsert("wordless", [...batch, passage({ id: "8", citekey: "k8", vectors: [] })]);
      await opened().removeChunks("wordless", ["6"]);
      expect((await opened().chunksWhere("wordless", { citekey: "k5" }, 10)).sort(byId)).toEqual([
        expect.objectContaining({ id: "5", text: batch[0]!.text, citekey: "k5" }),
        expect.objectContaining({ id: "7" }),
      ]);
      expect(await opened().chunksWhere("wordless", { citekey: "k5" }, 1)).toHaveLength(1);
      expect(await opened().chunksWhere("wordless", {}, 10)).toHaveLength(3);
      expect(await opened().chunksWhere("wordless", { citekey: "nobody" }, 10)).toEqual([]);
    });
  });
}
