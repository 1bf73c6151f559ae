import { describe, expect, it } from "vitest";
import { corpusFile, hasDocuments, makeZip } from "../../../tests/support/ingest-files.js";
import type { ReadDocument } from "../document.js";
import { readFile } from "../read-file.js";
import { readHtml } from "./html.js";
import { readMarkdown } from "./markdown.js";
import { readPlain, read as readTextFile } from "./text.js";

const outline = ({ headings }: ReadDocument) => headings.map(({ level, title }) => `${level} ${title}`);
const blockTexts = ({ text, blocks }: ReadDocument) =>
  blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("Markdown", () => {
  it("becomes the text a reader sees, with lists, tables and code kept in one piece", () => {
    const document = readMarkdown(
      '---\ntitle: "On Wheels"\nauthor: Ada Writer and Bob Reader\ndate: 2020-03-01\n---\n# Wheels\n\nA **bold** claim with a [link](http://x.y) &amp; more.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet  x = 1;\n\nx++;\n```\n',
      {},
    );
    expect(document).toMatchObject({
      title: "On Wheels",
      kind: "markdown",
      meta: { authors: ["Ada Writer", "Bob Reader"], year: 2020 },
    });
    expect(blockTexts(document)).toEqual([
      ["heading", "Wheels"],
      ["paragraph", "A bold claim with a link & more."],
      ["list", "one\ntwo"],
      ["table", "a\tb\n1\t2"],
      ["code", "let  x = 1;\n\nx++;"],
    ]);
  });
});

describe("A heading as long as a book", () => {
  it("is cut where it names a section, and whole in the text", async () => {
    const shouted = "all of it in one heading ".repeat(40_000);
    const bytes = new TextEncoder().encode(`# ${shouted}\n\nSaid quietly.\n`);
    const { title, headings, text } = await readFile(bytes, { path: "loud.md" });
    expect(Math.max(title.length, ...headings.map((heading) => heading.title.length))).toBeLessThan(600);
    expect(headings).toHaveLength(1);
    expect(text.includes(shouted.trim())).toBe(true);
  });
});

describe("HTML", () => {
  const article =
    "<p>The wheel turns, and the reader turns with it; this paragraph is long enough to be an article's own. </p>".repeat(
      12,
    );

  it("keeps tables exactly: spans, empty cells, several lines in a cell, and the caption before them", () => {
    const page = readHtml(
      `<main><h1>Of Wheels</h1>${article}
      <figure><table><caption>Table 1: <i>Wheels</i> by size</caption>
        <thead><tr><th>Name</th><th colspan="2">Size</th></tr></thead>
        <tbody><tr><td rowspan="2">Great</td><td></td><td>9<br>to 10</td></tr>
        <tr><td><ul><li>worn</li><li>new</li></ul></td><td>7</td></tr></tbody></table></figure>
      <figure><img alt="x"><figcaption>A wheel <b>turns</b>.</figcaption></figure></main>`,
      {},
    );
    expect(blockTexts(page).slice(-3)).toEqual([
      ["caption", "Table 1: Wheels by size"],
      ["table", "Name\tSize\nGreat\t\t9 to 10\n\tworn new\t7"],
      ["figure", "A wheel turns."],
    ]);
  });

  it("reads a table that lays out a page as the text in it", () => {
    const page = readHtml(`<table><tr><td><h1>Of Wheels</h1>${article}</td><td>Beside</td></tr></table>`, {});
    expect(page.blocks.map(({ kind }) => kind)).not.toContain("table");
    expect(page.text).toContain("Beside");
  });

  it.each([
    [
      "DocBook",
      '<div class="titlepage"><h2 class="title">On Wheels</h2><div class="author"><h3 class="author"><span class="firstname">Ada</span> <span class="surname">Writer</span></h3></div><div class="author"><h3 class="corpauthor">Wheel Society</h3></div></div>',
    ],
    [
      "docutils",
      '<h2>On Wheels</h2><table class="docinfo"><tr><th class="docinfo-name">Author:</th><td>Ada Writer</td></tr><tr><th class="docinfo-name">Authors:</th><td>Wheel Society</td></tr><tr><th class="docinfo-name">Version:</th><td>Two Point One</td></tr></table>',
    ],
    [
      "AsciiDoc",
      '<div id="header"><h2>On Wheels</h2><span id="author" class="author">Ada Writer</span><br><span class="author">Wheel Society</span></div>',
    ],
  ])("by %s has the authors its title page marks, and no heading made of them", (_program, page) => {
    const document = readHtml(
      `<body>${page}<p>Wheels turn, as everybody knows.</p><h3>Rims</h3><p class="author">Nobody Else</p></body>`,
      {},
    );
    expect(document.meta.authors).toEqual(["Ada Writer", "Wheel Society"]);
    expect(outline(document)).toEqual(["2 On Wheels", "3 Rims"]);
  });

  it("is the article without the page around it", () => {
    const { text, title, meta } = readHtml(
      `<html lang="en"><head><title>T</title><meta name="citation_doi" content="https://doi.org/10.1000/ABC.1"><meta name="author" content="Ada Writer"></head><body><nav><a href="/">Home</a></nav><main><h1>Of Wheels</h1>${article}</main><footer>All rights reserved by nobody</footer><script>alert(1)</script></body></html>`,
      {},
    );
    expect(text).toContain("The wheel turns");
    expect(text).not.toMatch(/Home|alert|rights/);
    expect(title).toBe("T");
    expect(meta).toMatchObject({ doi: "10.1000/abc.1", authors: ["Ada Writer"] });
  });

  it("keeps every section, also the ones that look less like an article", () => {
    const links = '<ul><li><a href="a">Other engines</a></li><li><a href="b">More engines</a></li></ul>';
    const document = readHtml(
      `<html><body><h1>Uses</h1><h2>Works well</h2>${article}<h2>Works less well</h2><div class="small">${links}<p>A short remark with an <acronym>SQL</acronym> in it.</p></div><h4>Checklist</h4><p>One more.</p></body></html>`,
      {},
    );
    expect(outline(document)).toEqual(["1 Uses", "2 Works well", "2 Works less well", "4 Checklist"]);
    expect(document.text).toContain("A short remark with an SQL in it.");
    expect(document.text).toContain("Other engines");
    expect(document.warnings).toEqual([]);
  });

  it("that is mostly navigation is reduced to its article, and says how much is left out", () => {
    const menu = `<div class="boxes">${'<div><a href="x">Somewhere else on this site entirely</a></div>'.repeat(80)}</div>`;
    const { text, warnings } = readHtml(`<html><body>${menu}<div class="story">${article}</div></body></html>`, {});
    expect(text).toContain("The wheel turns");
    expect(text).not.toContain("Somewhere else");
    expect(warnings).toEqual([expect.stringMatching(/mostly navigation; \d+ % of its text/)]);
  });

  it("without a body, or with text behind its end, is read as a browser shows it", () => {
    const { text } = readHtml(
      "<html>\n<title>T</title>\n<body bgcolor=white><p>Inside.</p></body></html><p>Behind.</p>",
      {},
    );
    expect(text).toBe("Inside.\n\nBehind.");
  });

  it("that is drawn by a program holds no text and says so", () => {
    expect(() => readHtml('<html><body><div id="root"></div><script>go()</script></body></html>', {})).toThrow(
      /no text/,
    );
  });

  it("nested without end is refused instead of overflowing", () => {
    expect(() =>
      readHtml(`<html><body>${"<div>".repeat(5_000)}deep${"</div>".repeat(5_000)}</body></html>`, {}),
    ).toThrow();
  });
});

describe.skipIf(!hasDocuments)("real files", () => {
  it("a Wikipedia page keeps its sections, and its notes apart as references", async () => {
    const document = await readFile(await corpusFile("html/wiki_duck.html"), { path: "duck.html" });
    expect(outline(document)).toEqual(expect.arrayContaining(["2 Etymology", "2 Behaviour", "3 Feeding", "3 Hunting"]));
    expect(document.blocks.filter(({ kind }) => kind === "reference").length).toBeGreaterThan(30);
    expect(document.text).toContain("Ducks are sometimes confused with several types of unrelated water birds");
  });

  it("a Gutenberg page is the whole book, not the part that looks most like an article", async () => {
    const { text, headings } = await readFile(await corpusFile("html/sherlock-1661.htm"), { path: "sherlock.htm" });
    expect(text.length).toBeGreaterThan(550_000);
    expect(headings.filter(({ title }) => /ADVENTURE/.test(title)).length).toBeGreaterThanOrEqual(12);
  });

  it("a Word file keeps headings, lists and the table", async () => {
    const document = await readFile(await corpusFile("docx/word_sample.docx"), { path: "sample.docx" });
    expect(outline(document)).toEqual(["1 Swimming in the lake", "1 Let’s swim!", "2 Let’s eat"]);
    expect(blockTexts(document)).toContainEqual([
      "table",
      "\tFood\tCalories per portion\nLeaves\tAsh, Elm, Maple\t50\nBerries\tBlueberry, Strawberry, Cranberry\t150\nGrain\tCorn, Buckwheat, Barley\t200",
    ]);
    expect(blockTexts(document)).toContainEqual([
      "list",
      "You can relax and look around\nPaddle about\nEnjoy summer warmth",
    ]);
  });

  it("a journal article in JATS knows its DOI, authors, sections and references", async () => {
    const document = await readFile(await corpusFile("jats/pntd.0008301.nxml"), { path: "pntd.nxml" });
    expect(document.meta).toMatchObject({ doi: "10.1371/journal.pntd.0008301", year: 2020, type: "article-journal" });
    expect(outline(document)).toEqual(
      expect.arrayContaining(["2 Abstract", "2 Methods", "3 Data sources", "4 Baseline prevalence"]),
    );
    expect(document.blocks.filter(({ kind }) => kind === "reference").length).toBeGreaterThan(40);
  });

  it("plain text keeps every character and finds the chapters", async () => {
    const bytes = await corpusFile("txt/sherlock-1661.txt");
    const document = await readFile(bytes, { path: "sherlock.txt" });
    const flat = (value: string) => value.replace(/[\s\ufeff]+/g, "");
    expect(flat(document.text)).toBe(flat(new TextDecoder().decode(bytes)));
    expect(outline(document)).toContain("2 XII. THE ADVENTURE OF THE COPPER BEECHES");
  });
});

describe("plain text", () => {
  it("is read in the encoding it was written in", () => {
    const words = "Ein Rädchen dreht sich – “gut”";
    const utf16 = (little: boolean) =>
      Uint8Array.from(
        [...words].flatMap((c) =>
          little ? [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8] : [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255],
        ),
      );
    const western = Uint8Array.from([...words].map((c) => ({ "–": 0x96, "“": 0x93, "”": 0x94 })[c] ?? c.charCodeAt(0)));
    for (const bytes of [
      new TextEncoder().encode(words),
      new TextEncoder().encode(`\ufeff${words}`),
      Uint8Array.of(0xff, 0xfe, ...utf16(true)),
      Uint8Array.of(0xfe, 0xff, ...utf16(false)),
      utf16(true),
      utf16(false),
      western,
    ])
      expect(readTextFile(bytes, {}).text).toBe(words);
  });

  it("takes form feeds for pages", () => {
    const { pages, text } = readPlain("first\fsecond page\f", {});
    expect(pages.map(({ number, start, end }) => [number, text.slice(start, end).trim()])).toEqual([
      [1, "first"],
      [2, "second page"],
    ]);
  });

  it("that is no text is refused", () => {
    expect(() =>
      readTextFile(
        Uint8Array.from({ length: 400 }, (_, i) => i % 256),
        {},
      ),
    ).toThrow(/not text/);
  });
});

describe("a file", () => {
  it("is recognised by its bytes, not by its name", async () => {
    await expect(
      readFile(new TextEncoder().encode("<!doctype html><html><body><p>Hello there, reader.</p></body></html>"), {
        path: "x.txt",
      }),
    ).resolves.toMatchObject({ kind: "html" });
    await expect(readFile(new TextEncoder().encode("just words"), { path: "x.pdf" })).rejects.toMatchObject({
      details: { reason: "broken" },
    });
    await expect(readFile(makeZip({ a: "b" }), { path: "x.epub" })).rejects.toMatchObject({
      details: { reason: "unsupported" },
    });
    await expect(readFile(new Uint8Array(), { path: "x.txt" })).rejects.toThrow(/empty/);
  });

  it("in Word's format that bombs or declares entities is refused", async () => {
    await expect(
      readFile(makeZip({ "word/document.xml": new Uint8Array(80 * 1024 ** 2) }), { path: "x.docx" }),
    ).rejects.toThrow(/far more/);
    await expect(
      readFile(makeZip({ "word/document.xml": '<!DOCTYPE d [<!ENTITY x "y">]><d>&x;</d>' }), { path: "x.docx" }),
    ).rejects.toThrow(/entities/);
  });
});
