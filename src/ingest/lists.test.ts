import { describe, expect, it } from "vitest";
import { corpusFile, hasDocuments } from "../../tests/support/ingest-files.js";
import { cutDocument } from "./cutting.js";
import { listKindOf } from "./lists.js";
import { readFile } from "./read-file.js";
import { readMarkdown } from "./readers/markdown.js";
import { toChunks } from "./to-chunks.js";

const recipe = { tokens: { by: "words" } as const, maxTokens: 215, overlapTokens: 32, references: true };

describe("tables of contents and indexes", () => {
  it("are known by the dots that lead to a page, in lines or run together", () => {
    for (const text of [
      "Contents\n1. Introduction . . . . . . . . . . . .1\n2. Using groff . . . . . . . . .1\n3. Links . . . . . . . . . 4",
      "7. Appendix ................................ 42 7.1. The FHS mailing list ................. 42 7.2. Background ........... 43",
      "2 1.2 Metrische Räume . . . . . . . . . . . . . . . 6 1.3 Stetigkeit . . . . . . . . . . . . 9 1.4 Zusammenhang . . . . . . . 12",
    ])
      expect(listKindOf(text, ["Whatever"]), text).toBe("contents");
    const led =
      "word . . . . . . . . . . . . 4 word splitting . . . . . . . . . . . 35 yanking text . . . . . . . . . . . . 121";
    expect(listKindOf(led, ["Concept Index"])).toBe("index");
  });

  it("are known by entries in the order of the alphabet with pages behind them", () => {
    const text =
      "acoustic echo cancellation, 20 algorithmic delay, 8 analysis-by-synthesis, 28 auto-correlation, 27 average bit-rate, 7, 17\n\nbit-rate, 33, 35\n\nCELP, 6, 26 complexity, 7, 8, 32, 33 constant bit-rate, 7";
    expect(listKindOf(text, [])).toBe("index");
    expect(listKindOf("reboot\n\nsignaling, 91 reboot-required, 91 reboot-required.pkgs, 91", ["Index"])).toBe("index");
  });

  it("are known by short lines under a heading that says so", () => {
    const text = "Contents\n\nEconomy\n\nReading\n\nSounds\n\nSolitude\n\nVisitors\n\nThe Bean-Field";
    expect(listKindOf(text, ["Contents"])).toBe("contents");
    const chapters = Array.from({ length: 6 }, (_, i) => `CHAPTER ${i + 1}. The Pool of Tears`).join(" ");
    expect(listKindOf(`Contents\n\n${chapters}`, [])).toBe("contents");
  });

  it("are not prose with numbers, prices, verse or an ellipsis", () => {
    for (const text of [
      "Contents\n\nThe contents of the box were these. A knife, a rope and two letters lay on the table.\n\nHe took them all.",
      "Nine bushels and twelve quarts of beans sold.. $16.94\nFive large potatoes..................... 2.50\nNine small.............................. 2.25\nGrass................................... 1.00",
      "In 1843, 1850, 1859, 1861 and 1871 he wrote again, and in chapters 4, 6, 7, 8 and 15 he answered what had been said against him by others.",
      "She waited..... and waited ..... and then ..... nothing came of it, so that in the end they all went home to their beds and slept until the late hours of the next day without a thought of what had been promised, or by whom, or what for.",
      "1 . . . 8 Short zero run. 6 1 . . . 64 Zero run.",
    ])
      expect(listKindOf(text, ["Chapter 1"]), text).toBeUndefined();
  });

  it("mark the chunks that hold them", async () => {
    const document = readMarkdown(
      `# Contents\n\n${["Of Studies", "Of Gardens", "Of Truth", "Of Death", "Of Revenge"].map((title, i) => `${title} ........ ${i + 3}`).join("\n\n")}\n\n# Of Studies\n\nStudies serve for delight.`,
      {},
    );
    const chunks = await toChunks(cutDocument(document, recipe), { docId: "d", modelId: "m", citekey: null });
    expect(chunks.map(({ metadata }) => metadata.kind)).toEqual(["contents", undefined]);
  });

  it.skipIf(!hasDocuments)("stand out in a real book, and nowhere in a novel", async () => {
    const kinds = async (file: string) =>
      cutDocument(await readFile(await corpusFile(file), { path: file }), recipe).pieces.map(({ kind }) => kind);
    const book = await kinds("pdf/GeoTopo-komprimiert.pdf");
    expect(book.filter((kind) => kind === "contents").length).toBeGreaterThanOrEqual(5);
    expect(book.filter((kind) => kind === "index").length).toBeGreaterThanOrEqual(4);
    expect(book.slice(12, -8)).not.toContain("contents");
    expect(book.slice(12, -8)).not.toContain("index");
    expect(
      (await kinds("txt/sherlock-1661.txt")).filter((kind) => kind === "contents" || kind === "index").length,
    ).toBeLessThanOrEqual(1);
  });
});
