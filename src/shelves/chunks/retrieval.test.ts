import { describe, expect, it } from "vitest";
import { fakeEmbedder, fakeEmbedders, fakeModel } from "../../../tests/support/fake-embedders.js";
import { ideaEmbedder } from "../../../tests/support/idea-embedder.js";
import { memoryChunkStore } from "../../../tests/support/memory-chunk-store.js";
import { twoBooks } from "../../../tests/support/two-books.js";
import type { Embedder } from "./embedding/embedder.js";
import type { DeclaredProject } from "./project-file.js";
import { createProjects } from "./projects.js";
import { createRetrieval } from "./retrieval.js";
import type { Item } from "./storing.js";

async function shelf({
  embedders = [fakeEmbedder()],
  declared = [],
}: {
  embedders?: Embedder[];
  declared?: DeclaredProject[];
} = {}) {
  const store = memoryChunkStore();
  const models = fakeEmbedders(...embedders);
  const projects = createProjects({ store, embedders: models, declared });
  const retrieval = createRetrieval({ store, embedders: models, projects });
  await retrieval.createProject({ project: "a" });
  return { retrieval, store };
}
const item = (id: string, text: string, more: Partial<Item> = {}): Item => ({ id, text, ...more });
const vector = (dimension = 32) => Array.from({ length: dimension }, (_, i) => i + 1);
const ask = { top_k: 6 };

describe("storing", () => {
  it("embeds texts that come without an embedding, each window with its title in front", async () => {
    const embedder = fakeEmbedder();
    const { retrieval, store } = await shelf({ embedders: [embedder] });
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
    const { retrieval, store } = await shelf();
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
    const { retrieval, store } = await shelf();
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
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
    const items = Array.from({ length: 60 }, (_, i) => item(`${i}`, "x", { metadata: { year: "long ago" } }));
    const { warnings } = await retrieval.store("a", items);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe("… and 40 more like these");
  });

  it("never invents a page", async () => {
    const { retrieval, store } = await shelf();
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
    const { retrieval, store } = await shelf();
    await expect(
      retrieval.store("a", [item("fine", "x", { embedding: vector() }), ...items].slice(items.length > 100 ? 1 : 0)),
    ).rejects.toMatchObject({ code });
    expect(await store.count("a")).toBe(0);
  });

  it("stores nothing when the deadline has passed", async () => {
    const { retrieval, store } = await shelf();
    await expect(retrieval.store("a", [item("1", "x")], { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await store.count("a")).toBe(0);
  });
});

describe("a project that does not exist", () => {
  it("is named together with those that do, in words and in data", async () => {
    const { retrieval, store } = await shelf();
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

describe("searching", () => {
  it("by meaning answers with a whole citation and no more text than asked for", async () => {
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf({ embedders: [ideaEmbedder("felicity joy happy", "tide moon sea")] });
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
    const { retrieval } = await shelf();
    await retrieval.store("a", [item("1", "The moon moves the sea.")]);
    const { warnings, best_match } = await retrieval.hybrid("a", '"quixotic"', ask);
    expect(warnings).toEqual(['No passage holds "quixotic" literally.']);
    expect(best_match).not.toBe("good");
  });

  it("takes quotation marks in a question of many words for a hint, not for a demand", async () => {
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
    await retrieval.store("a", [item("1", "The moon moves the sea."), item("2", "The sea moves the moon.")]);
    const { items } = await retrieval.hybrid("a", '"moon moves"', ask);
    expect(items.map(({ id }) => id)).toEqual(["1"]);
  });

  it("puts reference lists behind text, unless they are asked for", async () => {
    const { retrieval } = await shelf();
    await retrieval.store("a", [
      item("refs", "Tides, tides and more tides, 1999. Tides.", { metadata: { kind: "references" } }),
      item("text", "Why there are two tides in a day is explained here."),
    ]);
    const order = async (query: string) => (await retrieval.hybrid("a", query, ask)).items.map(({ id }) => id);
    expect(await order("tides")).toEqual(["text", "refs"]);
    expect((await order("references on tides"))[0]).toBe("refs");
  });

  it("cuts long texts and says so", async () => {
    const { retrieval } = await shelf();
    await retrieval.store("a", [item("1", "lorem ".repeat(700))]);
    const [hit] = (await retrieval.hybrid("a", "lorem", ask)).items;
    expect(hit).toMatchObject({ truncated: true });
    expect(hit?.render_text.length).toBeLessThanOrEqual(1800);
  });

  it("keeps an answer with whole texts of a size that clients take, and says what it left out", async () => {
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
    await retrieval.store("a", [item("1", "Entities have an identity of their own and a life cycle.")]);
    const [best] = (await retrieval.hybrid("a", "sourdough starter hydration of bread", ask)).items;
    expect(best?.score ?? 0).toBeLessThan(0.3);
  });

  it("by both is refused where the project has it turned off, naming the other tool", async () => {
    const { retrieval } = await shelf();
    await retrieval.createProject({ project: "plain", hybrid_enabled: false });
    await expect(retrieval.hybrid("plain", "x", ask)).rejects.toMatchObject({
      code: "HYBRID_NOT_SUPPORTED",
      message: expect.stringContaining("find_chunks"),
    });
  });

  it("reads a question longer than the model's limit to its end", async () => {
    const { retrieval } = await shelf();
    await retrieval.store("a", [item("1", "alpha beta"), item("2", "omega")]);
    const question = `${"filler ".repeat(60)} omega`;
    expect((await retrieval.find("a", question, ask)).count).toBe(2);
  });
});

describe("without a model", () => {
  it("words still answer, with a notice; meaning says what is missing", async () => {
    const { retrieval } = await shelf({ embedders: [] });
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
    const { retrieval, store } = await shelf({ embedders: [fakeEmbedder(), other()] });
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

  it("does not move a project to a model the server could not embed it with", async () => {
    const { retrieval, store } = await shelf();
    const items = [item("1", "x", { embedding: vector(7), metadata: { embed_model: "elsewhere" } })];
    await expect(retrieval.store("a", items, { allow_model_migration: true })).rejects.toMatchObject({
      code: "EMBEDDING_MISMATCH",
    });
    expect(await store.project("a")).toMatchObject({ next_model: null });
  });
});

describe("projects", () => {
  it("made again with the same settings change nothing, with others they are refused", async () => {
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf({
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
    const { retrieval } = await shelf();
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
    const { retrieval } = await shelf();
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
