import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller } from "../../scripts/example-calls.mjs";
import { type Program, startProgram } from "../support/program.js";

type Data = Record<string, unknown>;

/** Answers that once made an honest model say something false, asked of the demo as a model would. */
describe("an answer does not mislead:", () => {
  let demo: Program;
  let call: (name: string, args: Data) => Promise<Data>;
  beforeAll(async () => {
    demo = await startProgram(["demo"]);
    call = caller(demo.url);
  }, 240_000);
  afterAll(() => demo?.stop());
  const TRUE_QUOTE = "Our life is frittered away by detail.";
  const results = async (name: string, args: Data) => (await call(name, args)).results as Data[];

  it("a true highlight is not absent, and absent says where was looked", async () => {
    expect(await call("verify_quote", { quote: TRUE_QUOTE })).toMatchObject({
      verdict: "exact",
      matches: [{ origin: "highlights", author: "Henry David Thoreau", url: expect.stringContaining("https://") }],
    });
    expect(await call("verify_quote", { quote: "The herring decides about the price of lamps." })).toMatchObject({
      verdict: "absent",
      searched: { projects: ["demo/reading"], notebooks: expect.arrayContaining(["Tides and navigation"]) },
    });
  });

  it("an author's name finds what that author wrote, first", async () => {
    const hits = await results("search_library", { query: "Thoreau", limit: 3 });
    for (const hit of hits)
      expect(hit).toMatchObject({ author: "Henry David Thoreau", title: expect.any(String), url: expect.any(String) });
  });

  it("a notebook's source is found by what it is about", async () => {
    const [first] = await results("search_library", { query: "navigation without instruments", limit: 3 });
    expect(first).toMatchObject({ title: "Wayfinding without instruments", notebook_id: expect.any(String) });
    expect(
      await call("read_passage", { notebook_id: first?.notebook_id, chunk_id: first?.chunk_id, neighbours: 0 }),
    ).toMatchObject({ title: "Wayfinding without instruments" });
  });

  it.each([
    ["search_library", { query: "tides" }],
    ["search_highlights", { query: "tides" }],
    ["search_documents", { query: "tides" }],
    ["query_hybrid", { project: "demo/reading", query: "tides" }],
    ["find_chunks", { project: "demo/reading", query: "tides" }],
  ])("%s names what it did not look at, and how to include it", async (name, args) => {
    const { not_searched } = await call(name, args);
    expect(not_searched).toEqual([expect.stringMatching(/: (search_library|sync_library) /)]);
  });

  it("a highlight looks the same in a list, a search, by itself and after a write", async () => {
    const [found] = await results("search_highlights", { query: `"${TRUE_QUOTE}"`, limit: 1 });
    const { id } = (found?.highlight ?? {}) as { id: number };
    const [listed] = (await results("list_highlights", { filter: "source:Walden", page_size: 100 })).filter(
      (one) => one.id === id,
    );
    const alone = await call("get_highlight", { id });
    const changed = await call("update_highlight", { id, add_tags: ["detail"] });
    const same = { id, readwise_url: expect.any(String), is_favorite: alone.is_favorite, source_id: alone.source_id };
    for (const shown of [found?.highlight, listed, alone, changed]) expect(shown).toMatchObject(same);
    for (const shown of [found?.highlight, listed, alone, changed])
      expect((shown as Data).tags).toEqual(expect.arrayContaining([{ id: expect.any(Number), name: "attention" }]));
  });

  it("a place that is no page is not called one", async () => {
    const { citation } = await call("cite", {
      project: "demo/reading",
      sources: ["renn2025forgetting, What should be let go"],
      style: "apa",
    });
    expect(citation).toContain("What should be let go");
    expect(citation).not.toContain("p. What");
  });

  it("confidence tells an answer from none", async () => {
    const { notebooks } = (await call("list_notebooks", {})) as { notebooks: { id: string; name: string }[] };
    const notebook_id = notebooks.find(({ name }) => name === "Tides and navigation")?.id;
    expect(
      await call("ask", { notebook_id, question: "Who guided the canoe Hōkūleʻa to Tahiti in 1976?" }),
    ).toMatchObject({ confidence: "high", answer: expect.stringContaining("Mau Piailug") });
    expect(await call("ask", { notebook_id, question: "What was the harbour master's salary?" })).toMatchObject({
      confidence: "low",
      answer: expect.stringContaining("do not answer"),
    });
  });
});
