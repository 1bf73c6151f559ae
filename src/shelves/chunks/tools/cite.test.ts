import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect } from "../../../../tests/support/connect.js";
import { type Fixture, readwiseFixture } from "../../../../tests/support/readwise.js";
import { smallLibrary } from "../../../../tests/support/small-library.js";
import { twoBooks } from "../../../../tests/support/two-books.js";
import { createCitations } from "../../../citations/citations.js";
import { fileCitedLog } from "../../../citations/cited-log.js";
import { cite } from "./cite.js";

describe("cite over everything the person has read", () => {
  let folder: string;
  let fixture: Fixture;
  let client: Connected;
  let now = new Date("2026-03-01T10:00:00Z");
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bookwheel-cite-"));
    fixture = await readwiseFixture({ libraries: { key: smallLibrary().library } });
    const log = fileCitedLog(join(folder, "cited.jsonl"), () => now);
    const citations = createCitations({ store: await twoBooks(), log });
    client = await connect({ tools: [cite], services: { citations, readwise: fixture.shelf }, readwiseKey: "key" });
  });
  afterAll(async () => {
    await client.close();
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });
  const call = (args: Record<string, unknown>) => client.call("cite", args);

  it.each([
    ["thoreau1854, The Pond in Winter", "(Thoreau, 1854, Chapter The Pond in Winter)"],
    ["thoreau1854, § 4", "(Thoreau, 1854, sec. 4)"],
    ["thoreau1854, para. 7", "(Thoreau, 1854, para. 7)"],
    ["thoreau1854, xii", "(Thoreau, 1854, p. xii)"],
    ["thoreau1854, 12–14", "(Thoreau, 1854, pp. 12–14)"],
    ["Walden, p. 3", "(Thoreau, 1854, p. 3)"],
    ["Carroll", "(Carroll, 1865)"],
    ["A Field Guide to Tides, p. 40", "(Moss, n.d., p. 40)"],
  ])("reads %j", async (source, expected) => {
    expect((await call({ sources: [source], style: "apa" })).citation).toBe(expected);
  });

  it("cites several projects and highlights at once, and names what it did not find", async () => {
    expect(await call({ sources: ["thoreau1854, p. 8", "carroll1865", "mossField", "thoreau1845"] })).toMatchObject({
      citation: "[@thoreau1854, p. 8; @carroll1865; @mossField]",
      not_found: [{ source: "thoreau1845", near: ["thoreau1854"] }],
      incomplete: [{ citekey: "mossField", missing: ["year"] }],
    });
  });

  it.each([
    ["Thoreu", "thoreau1854"],
    ["Waldn, p. 3", "thoreau1854"],
    ["Alices Adventures in Wonderlnd", "carroll1865"],
  ])("suggests the key for the mistyped name %j", async (source, near) => {
    expect((await call({ sources: ["mossField", source] })).not_found).toEqual([{ source, near: [near] }]);
  });

  it("writes one citation per source, the first note of a work in full and later ones short", async () => {
    const sources = ["thoreau1854, 7", "carroll1865, 9", "thoreau1854, 8"];
    expect((await call({ sources, style: "chicago-notes", each: true })).citations).toEqual([
      { source: "thoreau1854, 7", citation: "Henry David Thoreau, Walden; or, Life in the Woods, 1854, 7." },
      { source: "carroll1865, 9", citation: "Lewis Carroll, Alice’s Adventures in Wonderland, 1865, 9." },
      { source: "thoreau1854, 8", citation: "Thoreau, Walden; or, Life in the Woods, 8." },
    ]);
    expect((await call({ sources: ["thoreau1854, 7"], style: "chicago-short-notes" })).citation).toBe(
      "Thoreau, Walden; or, Life in the Woods, 7.",
    );
  });

  it("gives the bibliography of everything cited since a time", async () => {
    now = new Date("2026-03-02T09:00:00Z");
    await call({ sources: ["carroll1865"] });
    now = new Date("2026-03-02T09:30:00Z");
    await call({ sources: ["mossField, p. 1"] });
    const { bibliography } = await call({ since: "2026-03-02", bibliography: "bibtex" });
    expect(String(bibliography).match(/^@\w+\{[^,]+/gm)).toEqual(["@book{carroll1865", "@book{mossField"]);
    expect(await call({ since: "2026-03-03" })).toMatchObject({ citation: "", not_found: [] });
  });

  it("flags what looks wrong", async () => {
    const store = await twoBooks();
    const document = (await store.document("rabbits", "alice"))!;
    await store.replaceDocument(
      "rabbits",
      {
        ...document,
        text: `The Project Gutenberg eBook of Alice. ${document.text}`,
        csl: { ...document.csl, author: [{ literal: "Chuck" }], issued: { "date-parts": [[2015]] } },
      },
      [],
    );
    const { suspicious } = await createCitations({ store }).cite("rabbits", { sources: ["carroll1865"] });
    expect(suspicious.map(({ field, value }) => [field, value])).toEqual([
      ["author", "Chuck"],
      ["year", "2015"],
    ]);
  });

  it("wants a source or a time", async () => {
    expect(await call({})).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(await call({ sources: ["nobody1999"] })).toMatchObject({ error: { code: "NOT_FOUND" } });
  });
});
