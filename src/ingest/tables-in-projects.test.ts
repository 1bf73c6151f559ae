import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePdf, tempFolder, wordEmbedders } from "../../tests/support/ingest-files.js";
import { memoryChunkStore } from "../../tests/support/memory-chunk-store.js";
import { createIdentifier } from "../citations/bibliography/identifier.js";
import { createQuotes } from "../citations/quotes.js";
import { shownText } from "../shelves/chunks/shown-text.js";
import { createIngestion } from "./ingestion.js";
import { createReaderPool } from "./reader-pool.js";

const HEADER = ["Name", "Weight", "Price"];
const FRUIT = Array.from({ length: 30 }, (_, i) => [`Fruit number ${i}`, `${100 + i} grams`, `${i}.50`]);

describe("tables of a PDF in a project", () => {
  const readers = createReaderPool();
  const store = memoryChunkStore();
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  beforeAll(async () => {
    folder = await tempFolder();
    const row = (cells: readonly string[], y: number) => cells.map((text, i) => ({ text, x: 72 + i * 150, y }));
    const pdf = makePdf([
      [
        { text: "The market sells fruit by weight, and the prices change every day of the year.", y: 740 },
        { text: "Table 1: What the market asks for its fruit.", y: 700 },
        ...row(HEADER, 680),
        ...FRUIT.flatMap((cells, i) => row(cells, 660 - i * 14)),
        { text: "Nobody pays these prices, as everybody who has been there knows quite well.", y: 200 },
        { text: "Figure 1: The market from above.", y: 160 },
      ],
    ]);
    await writeFile(join(folder.path, "market.pdf"), pdf);
    const ingestion = createIngestion({
      store,
      embedders: wordEmbedders(),
      readers,
      openIdentifier: (run) => createIdentifier(run),
    });
    await ingestion.ensureProject("thesis");
    await ingestion.ingestPaths("thesis", [folder.path]);
  });
  afterAll(async () => {
    await readers.close();
    await folder.remove();
  });

  it("are found by kind, each part in Markdown with caption, header and page, no row lost", async () => {
    const tables = (await store.chunksWhere("thesis", { kind: "table" }, 50)).sort((a, b) => a.position - b.position);
    expect(tables.length).toBeGreaterThan(1);
    for (const table of tables) {
      expect(table.page_span).toEqual([1, 1]);
      expect(shownText(table)).toMatch(
        /^Table 1: What the market asks for its fruit\.\n\n\| Name \| Weight \| Price \|\n\| --- \| --- \| --- \|\n\| Fruit/,
      );
    }
    const rows = tables.flatMap((table) => shownText(table).match(/^\| Fruit.*$/gm) ?? []);
    expect(rows).toEqual(FRUIT.map((cells) => `| ${cells.join(" | ")} |`));
    expect(await store.chunksWhere("thesis", { kind: "figure" }, 50)).toMatchObject([
      { text: "Figure 1: The market from above." },
    ]);
  });

  it.each([
    "Fruit number 7 107 grams 7.50",
    "Fruit number 7 107 grams 7.50 Fruit number 8 108 grams 8.50",
    "Nobody pays these prices, as everybody who has been there knows quite well.",
  ])("are quoted across cells and rows, and so is the text around them: %s", async (quote) => {
    const { verdict, matches } = await createQuotes({ store }).verify("thesis", quote);
    expect(verdict).toMatch(/^(?:exact|normalised)$/);
    expect(matches[0]).toMatchObject({ page_span: [1, 1] });
  });
});
