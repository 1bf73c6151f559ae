import { beforeAll, describe, expect, it } from "vitest";
import { bareChunk } from "../../tests/support/bare-chunk.mjs";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { readBibliography } from "./bibliography/bibliography.js";
import { type CiteOptions, createCitations } from "./citations.js";
import { STYLE_NAMES } from "./style.js";

const NOW = "2025-01-01T00:00:00.000Z";
let store: ChunkStore;
const cite = (options: CiteOptions) => createCitations({ store }).cite("p", options);

beforeAll(async () => {
  store = memoryChunkStore();
  const model = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };
  await store.createProject({ id: "p", kind: "project", name: "p", description: null, model, hybrid_enabled: true });
  const document = (id: string, csl: Record<string, unknown> | null) =>
    store.replaceDocument(
      "p",
      {
        id: `doc-${id}`,
        citekey: id,
        title: `Title of ${id}`,
        text: "",
        kind: "text",
        origin: null,
        sha256: id,
        chunk_count: 0,
        char_count: 0,
        language: "en",
        csl,
        added_at: NOW,
        updated_at: NOW,
        extra: {},
        pages: [],
        headings: [],
        edits: [],
      },
      [],
    );
  await document("thoreau1854walden", {
    id: "x",
    type: "book",
    title: "Walden; or, Life in the Woods",
    author: [{ family: "Thoreau", given: "Henry David" }],
    issued: { "date-parts": [[1854]] },
    publisher: "Ticknor and Fields",
    "publisher-place": "Boston",
  });
  await document("weiner2003overview", {
    type: "article-journal",
    title: "An Overview of 100% <Biomineralization> & more",
    author: [
      { family: "Weiner", given: "S." },
      { family: "Müller", given: "Jörg" },
    ],
    issued: { "date-parts": [[2003]] },
    "container-title": "Rev. Mineral.",
    volume: 54,
    page: "1-29",
    DOI: "10.2113/0540001",
    custom: { odd: true },
    _graph: [],
  });
  await document("bare", null);
  await store.upsert("p", [
    bareChunk({
      id: "c1",
      text: "loose",
      doc_id: "d",
      citekey: "loose2001",
      title: "A Loose Paper",
      year: 2001,
      metadata: { zotero: { authors: ["Ada Lovelace"] } },
    }),
    bareChunk({ id: "c2", text: "no vector", citekey: "wordless2002", title: "Words Only", year: 2002, vectors: [] }),
  ]);
});

describe("citing a passage", () => {
  it.each([
    ["pandoc", "[@thoreau1854walden, pp. 45–46]"],
    ["latex", String.raw`\autocite[45--46]{thoreau1854walden}`],
    ["apa", "(Thoreau, 1854, pp. 45–46)"],
    ["mla", "(Thoreau 45–46)"],
    ["chicago-author-date", "(Thoreau 1854, 45–46)"],
    ["harvard", "(Thoreau, 1854, pp. 45–46)"],
    ["ieee", "[1, pp. 45–46]"],
    ["vancouver", "(1)"],
  ] as const)("writes it the way of %s", async (style, expected) => {
    expect((await cite({ sources: ["thoreau1854walden, pp. 45-46"], style })).citation).toBe(expected);
  });

  it("cites several sources at once, each with its own place", async () => {
    const sources = ["@thoreau1854walden ch. 3", "weiner2003overview, 12"];
    expect((await cite({ sources })).citation).toBe("[@thoreau1854walden, chap. 3; @weiner2003overview, p. 12]");
    expect((await cite({ sources, style: "latex" })).citation).toBe(
      String.raw`\autocites[chap.~3]{thoreau1854walden}[12]{weiner2003overview}`,
    );
    expect((await cite({ sources: ["thoreau1854walden", "weiner2003overview"], style: "latex" })).citation).toBe(
      String.raw`\autocite{thoreau1854walden,weiner2003overview}`,
    );
  });

  it("speaks the language asked for", async () => {
    expect(
      (await cite({ sources: ["thoreau1854walden, ch. 3"], style: "chicago-author-date", locale: "de-DE" })).citation,
    ).toBe("(Thoreau 1854, Kap. 3)");
  });

  it("uses the key as the bibliography has it", async () => {
    expect((await cite({ sources: ["Thoreau1854Walden"] })).citation).toBe("[@thoreau1854walden]");
  });

  it("names every unknown key with those near it", async () => {
    await expect(cite({ sources: ["thoreau1854wladen", "nobody1999"] })).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: {
        unknown: ["thoreau1854wladen", "nobody1999"],
        near: { thoreau1854wladen: ["thoreau1854walden"], nobody1999: [] },
      },
    });
  });

  it("cites a chunk without a document or a vector", async () => {
    expect(await cite({ sources: ["wordless2002"] })).toMatchObject({ citation: "[@wordless2002]" });
  });

  it("cites what is known only by its chunks, and says what is missing", async () => {
    expect(await cite({ sources: ["loose2001", "bare"], style: "apa" })).toMatchObject({
      citation: expect.stringContaining("Lovelace, 2001"),
      incomplete: [{ citekey: "bare", missing: ["author", "year"] }],
    });
  });
});

describe("the bibliography of exactly the sources named", () => {
  const sources = ["thoreau1854walden, p. 3", "weiner2003overview", "thoreau1854walden, p. 9"];

  it.each(STYLE_NAMES)("is formatted in %s, each work once", async (style) => {
    const { bibliography } = await cite({ sources, style, bibliography: "formatted" });
    expect(bibliography?.match(/Walden; or, Life in the Woods/g)).toHaveLength(1);
    expect(bibliography).toContain("Weiner");
    expect(bibliography).not.toContain("Lovelace");
  });

  it("escapes what the source's data holds in HTML", async () => {
    const { bibliography } = await cite({ sources, style: "apa", format: "html", bibliography: "formatted" });
    expect(bibliography).toContain("<i>Walden; or, Life in the Woods</i>");
    expect(bibliography).toContain("&#60;Biomineralization&#62; &#38; more");
  });

  it.each(["bibtex", "ris", "csl-json"] as const)("comes back the same when read again from %s", async (kind) => {
    const { bibliography } = await cite({ sources, bibliography: kind });
    const { entries } = await readBibliography(bibliography ?? "", kind === "csl-json" ? "json" : kind, "x");
    expect(
      entries.map(({ citekey, csl }) => [
        citekey,
        csl.type,
        csl.author?.at(-1)?.family,
        csl.issued?.["date-parts"]?.[0]?.[0],
        csl.page,
      ]),
    ).toEqual([
      ["thoreau1854walden", "book", "Thoreau", 1854, undefined],
      ["weiner2003overview", "article-journal", "Müller", 2003, expect.stringMatching(/^1[-–]29$/)],
    ]);
  });

  it("is BibTeX that a person can read", async () => {
    expect((await cite({ sources: ["weiner2003overview"], bibliography: "bibtex" })).bibliography).toContain(
      "@article{weiner2003overview,\n",
    );
  });
});
