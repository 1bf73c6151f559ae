import { describe, expect, it } from "vitest";
import { ask, chunkShelf, item, vector } from "../../../tests/support/chunk-shelf.js";
import { fakeEmbedder, fakeEmbedders } from "../../../tests/support/fake-embedders.js";
import { ideaEmbedder } from "../../../tests/support/idea-embedder.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { twoBooks } from "../../../tests/support/two-books.js";
import { createRetrieval } from "./retrieval.js";

describe("searching", () => {
  it("by meaning answers with a whole citation and no more text than asked for", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [
      item("1", "Entities have an identity.", {
        metadata: {
          zotero: { citekey: "evans2003", doi: "10.1/e", authors: ["Eric Evans"], year: 2003 },
          doc: { id: "ddd", page_span: [5, 6], section_path: ["Part I"] },
        },
      }),
    ]);
    const { items, count } = await retrieval.find("a", "Part I\nEntities have an identity.", ask);
    expect(count).toBe(1);
    expect(items[0]).toEqual({
      id: "1",
      render_text: "Entities have an identity.",
      truncated: false,
      score: 1,
      score_kind: "cosine",
      matched_by: { meaning: { rank: 1, similarity: 1 } },
      citekey: "evans2003",
      cite: "[@evans2003, pp. 5–6]",
      author: "Eric Evans",
      doc_id: "ddd",
      year: 2003,
      section: "Part I",
      page_span: [5, 6],
      section_path: ["Part I"],
      doi: "10.1/e",
      full_text: null,
    });
    expect((await retrieval.find("a", "entities", { ...ask, include_full_text: true })).items[0]?.full_text).toBe(
      "Entities have an identity.",
    );
  });

  it("says how well the best passage fits, and with a plain no shows only the nearest", async () => {
    const { retrieval } = await chunkShelf({ embedders: [ideaEmbedder("felicity joy happy", "tide moon sea")] });
    const texts = ["Felicity is made of small things.", "The moon moves the sea.", "Salt.", "Ropes.", "Ink."];
    await retrieval.store(
      "a",
      texts.map((text, i) => item(String(i), text)),
    );
    expect(await retrieval.hybrid("a", "what makes us happy", ask)).toMatchObject({
      best_match: "good",
      items: [{ id: "0" }, {}, {}, {}, {}],
    });
    for (const search of [retrieval.hybrid, retrieval.find]) {
      const answer = await search("a", "zzzzqqq", ask);
      expect(answer).toMatchObject({ best_match: "none", hint: expect.stringContaining("5 passages of 'a'") });
      expect(answer.items.length).toBeLessThanOrEqual(3);
    }
  });

  it("puts the passages of a work first that is asked for by its title or its author", async () => {
    const store = await twoBooks();
    const retrieval = createRetrieval({ store, embedders: fakeEmbedders(fakeEmbedder()) });
    const letters = ["Thoreau, Thoreau: all of them spoke of Walden.", "Thoreau went to Walden, said Thoreau."];
    await retrieval.store(
      "woods",
      letters.map((text, i) => item(`letter-${i}`, text, { metadata: { title: "Letters" } })),
    );
    for (const query of ["Walden", "Thoreau", "henry david thoreau", "Walden by Thoreau", "life in the woods"]) {
      const { items, best_match } = await retrieval.hybrid("woods", query, ask);
      expect(items[0]?.title, query).toBe("Walden; or, Life in the Woods");
      expect(items.length, query).toBe(3);
      expect(best_match, query).toBe("good");
    }
    const { items } = await retrieval.hybrid("woods", "what all of them spoke of", ask);
    expect(items[0]?.id).toBe("letter-0");
  });

  it("says that a quoted word stands nowhere, also a single one", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "The moon moves the sea.")]);
    const { warnings, best_match } = await retrieval.hybrid("a", '"quixotic"', ask);
    expect(warnings).toEqual(['No passage holds "quixotic" literally.']);
    expect(best_match).not.toBe("good");
  });

  it("takes quotation marks in a question of many words for a hint, not for a demand", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [
      item("1", "The moon moves the sea."),
      item("2", "Ships wait for the flood at the bar."),
    ]);
    const question =
      'What do "the moon" and the weather have to do with the hours at which ships wait for the flood before a bar in winter?';
    const { items, warnings } = await retrieval.hybrid("a", question, ask);
    expect(items.map(({ id }) => id).sort()).toEqual(["1", "2"]);
    expect(warnings).toEqual([]);
  });

  it("shows nothing without the quoted phrase where some passage has it", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "The moon moves the sea."), item("2", "The sea moves the moon.")]);
    const { items } = await retrieval.hybrid("a", '"moon moves"', ask);
    expect(items.map(({ id }) => id)).toEqual(["1"]);
  });

  it("puts reference lists behind text, unless they are asked for", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [
      item("refs", "Tides, tides and more tides, 1999. Tides.", { metadata: { kind: "references" } }),
      item("text", "Why there are two tides in a day is explained here."),
    ]);
    const order = async (query: string) => (await retrieval.hybrid("a", query, ask)).items.map(({ id }) => id);
    expect(await order("tides")).toEqual(["text", "refs"]);
    expect((await order("references on tides"))[0]).toBe("refs");
  });

  it("cuts long texts and says so", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "lorem ".repeat(700))]);
    const [hit] = (await retrieval.hybrid("a", "lorem", ask)).items;
    expect(hit).toMatchObject({ truncated: true });
    expect(hit?.render_text.length).toBeLessThanOrEqual(1800);
  });

  it("keeps an answer with whole texts of a size that clients take, and says what it left out", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store(
      "a",
      Array.from({ length: 20 }, (_, i) => item(`${i}`, `lorem ${"ipsum ".repeat(1_500)}`, { embedding: vector() })),
    );
    const answer = await retrieval.hybrid("a", "lorem", { top_k: 20, include_full_text: true });
    expect(JSON.stringify(answer).length).toBeLessThan(120_000);
    expect(answer.items[0]?.full_text).toContain("lorem");
    expect(answer.items.at(-1)?.full_text).toBeNull();
    expect(answer.warnings).toEqual([expect.stringContaining("left out")]);
  });

  it("by both finds what only the words know, beyond the reach of meaning", async () => {
    const { retrieval } = await chunkShelf();
    const near = Array.from({ length: 60 }, (_, i) =>
      item(`near-${i}`, "about the quick fox", { embedding: vector() }),
    );
    const away = vector().map((value) => -value);
    await retrieval.store("a", [...near, item("rare", "the zyzzyva is a weevil", { embedding: away })]);
    const { items, hybrid_enabled } = await retrieval.hybrid("a", "zyzzyva", ask);
    expect(hybrid_enabled).toBe(true);
    expect(items[0]).toMatchObject({ id: "rare", score_kind: "weighted", matched_by: { words: { rank: 1 } } });
  });

  it("looks for the words of a phrase nobody wrote so, and says it", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "the dependency rule"), item("2", "rules about other things")]);
    const exact = await retrieval.hybrid("a", '"dependency rule"', ask);
    expect(exact.items[0]).toMatchObject({ id: "1", matched_by: { words: { rank: 1 } } });
    expect(exact.items.find(({ id }) => id === "2")?.matched_by.words ?? null).toBeNull();
    expect(exact.warnings).toEqual([]);
    const loose = await retrieval.hybrid("a", '"rule dependency"', ask);
    expect(loose.items[0]).toMatchObject({ id: "1", matched_by: { words: { rank: 1 } } });
    expect(loose.warnings).toEqual(['No passage holds "rule dependency" literally; its words were searched.']);
  });

  it("scores an off-topic question low", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "Entities have an identity of their own and a life cycle.")]);
    const [best] = (await retrieval.hybrid("a", "sourdough starter hydration of bread", ask)).items;
    expect(best?.score ?? 0).toBeLessThan(0.3);
  });

  it("by both is refused where the project has it turned off, naming the other tool", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.createProject({ project: "plain", hybrid_enabled: false });
    await expect(retrieval.hybrid("plain", "x", ask)).rejects.toMatchObject({
      code: "HYBRID_NOT_SUPPORTED",
      message: expect.stringContaining("find_chunks"),
    });
  });

  it("reads a question longer than the model's limit to its end", async () => {
    const { retrieval } = await chunkShelf();
    await retrieval.store("a", [item("1", "alpha beta"), item("2", "omega")]);
    const question = `${"filler ".repeat(60)} omega`;
    expect((await retrieval.find("a", question, ask)).count).toBe(2);
  });
});

describe("without a model", () => {
  it("words still answer, with a notice; meaning says what is missing", async () => {
    const { retrieval } = await chunkShelf({ embedders: [] });
    const { warnings } = await retrieval.store("a", [item("1", "the dependency rule")]);
    expect(warnings).toEqual([expect.stringContaining("by words only")]);
    const answer = await retrieval.hybrid("a", "dependency", ask);
    expect(answer.items[0]).toMatchObject({ id: "1", score_kind: "words" });
    expect(answer.warnings).toEqual([expect.stringContaining("No model is installed.")]);
    await expect(retrieval.find("a", "dependency", ask)).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining("query_hybrid"),
    });
  });

  it("a project made so takes the model that comes later", async () => {
    const store = memoryChunkStore();
    const before = createRetrieval({ store, embedders: fakeEmbedders() });
    await before.createProject({ project: "a" });
    await before.store("a", [item("1", "alpha")]);
    const after = createRetrieval({ store, embedders: fakeEmbedders(fakeEmbedder()) });
    await after.store("a", [item("2", "beta")]);
    await after.settled();
    expect((await after.find("a", "alpha", ask)).items[0]?.id).toBe("1");
    expect((await after.inspect("a", 0)).embed_model).toBe("fake-model");
  });
});
