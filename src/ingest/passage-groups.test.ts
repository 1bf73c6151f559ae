import { describe, expect, it } from "vitest";
import { cut } from "./chunking.js";
import type { Block } from "./document.js";
import { captionOf } from "./passage-groups.js";

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

function pieces(blocks: readonly [Block["kind"], string][], maxTokens = 60) {
  let text = "";
  const placed: Block[] = [];
  for (const [kind, body] of blocks) {
    if (text) text += "\n\n";
    placed.push({ kind, start: text.length, end: text.length + body.length });
    text += body;
  }
  const headings = placed.flatMap(({ kind, start, end }) =>
    kind === "heading" ? [{ level: 1, title: text.slice(start, end), start }] : [],
  );
  return cut(
    { text, blocks: placed, headings, pages: [], language: "en" },
    { countTokens: words, maxTokens, overlapTokens: 6 },
  );
}

describe("tables, figures and equations", () => {
  it("are passages of their own with their captions, and the text around them stays whole", () => {
    const found = pieces([
      ["paragraph", "Fruit is sold by the pound."],
      ["paragraph", "Table 1: What fruit costs."],
      ["table", "name\tprice\npear\t3"],
      ["paragraph", "Pears are cheap."],
      ["paragraph", "Figure 2. A pear from above."],
      ["paragraph", "Figure 2 shows a pear, as everybody knows."],
    ]);
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ["text", "Fruit is sold by the pound."],
      ["table", "Table 1: What fruit costs.\n\nname\tprice\npear\t3"],
      ["text", "Pears are cheap."],
      ["figure", "Figure 2. A pear from above."],
      ["text", "Figure 2 shows a pear, as everybody knows."],
    ]);
  });

  it("keep a caption with the table it belongs to, above or below, and a heading with the table under it", () => {
    const found = pieces([
      ["heading", "Prices"],
      ["table", "a\tb\n1\t2"],
      ["caption", "Table 1. First."],
      ["table", "c\td\n3\t4"],
      ["caption", "Table 2. Second."],
    ]);
    expect(found.map(({ text, section_path }) => [text, section_path])).toEqual([
      ["Prices\n\na\tb\n1\t2\n\nTable 1. First.", ["Prices"]],
      ["c\td\n3\t4\n\nTable 2. Second.", ["Prices"]],
    ]);
  });

  it("are cut by rows where a table is big, each part naming caption and header, no row lost or doubled", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `row ${i}\t${i * i}`);
    const found = pieces([
      ["paragraph", "Table 7: Squares of numbers."],
      ["table", ["number\tsquare", ...rows].join("\n")],
    ]);
    expect(found.length).toBeGreaterThan(2);
    expect(found.every(({ kind, text }) => kind === "table" && words(text) <= 60)).toBe(true);
    expect(found[0]!.table).toBeUndefined();
    for (const { table } of found.slice(1))
      expect(table).toEqual({ header: "number\tsquare", caption: "Table 7: Squares of numbers." });
    expect(found.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("row")))).toEqual(rows);
  });

  it("mark text that holds a displayed equation, which stays in its sentence", () => {
    const found = pieces([
      ["paragraph", "Energy and mass are one:"],
      ["equation", "E = mc2 (3.1)"],
      ["paragraph", "where c is the speed of light."],
    ]);
    expect(found).toMatchObject([{ kind: "equation", text: expect.stringContaining("E = mc2 (3.1)") }]);
  });

  it.each([
    ["Table 1: Results", "table"],
    ["TABLE IV", "table"],
    ["Tabelle 2.3 Ergebnisse", "table"],
    ["表 1 结果", "table"],
    ["Figure 3. The wheel", "figure"],
    ["Fig. 12 The wheel", "figure"],
    ["Abb. 4: Das Rad", "figure"],
    ["Table 1 shows the results", undefined],
    ["Figure 3 is a wheel", undefined],
    ["Tables are flat", undefined],
    ["Figures 1 and 2 show", undefined],
  ])("%s is a caption of %s", (text, expected) => {
    expect(captionOf(text)).toBe(expected);
  });
});
