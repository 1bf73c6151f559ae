import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { letters } from "../../bench/documents-truth.mjs";
import { cutDocument, recipeFor } from "../../src/ingest/cutting.js";
import { readFile } from "../../src/ingest/read-file.js";
import { toChunks } from "../../src/ingest/to-chunks.js";
import { shownText } from "../../src/shelves/chunks/shown-text.js";
import { ROOT } from "../support/peers.js";

const FOLDER = join(process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents"), "usr/share");
const there = (file: string) => existsSync(join(FOLDER, file));
const poppler = spawnSync("pdftotext", ["-v"]).error === undefined;

/**
 * Rows that must stay found: file, page, the caption's beginning where there is one, a row in Markdown. They were taken
 * from what the reader found; the count beside poppler's layout is the independent check.
 */
const ROWS: readonly (readonly [file: string, page: number, caption: string, row: string])[] = [
  ["doc/speex/manual.pdf", 33, "Table 9.2:", "| 3 | 3-4 | 8,000 | 10 | Artifacts/noise sometimes noticeable |"],
  ["doc/speex/manual.pdf", 25, "Table 7.1:", "| speex_version | char[] | 20 |"],
  [
    "doc/zlib1g-dev/crc-doc.1.0.pdf",
    27,
    "Table 6:",
    "| Black | 5.44 | 5.46 | 5.47 | 5.48 | 5.47 | 5.46 | 5.47 | 5.53 |",
  ],
  ["doc/zlib1g-dev/crc-doc.1.0.pdf", 27, "Table 6:", "| Input size | 64 | 256 | 1K | 4K | 16K | 64K | 256K | 1M |"],
  ["doc/minimap2/minimap2.pdf", 4, "Table 1.", "| Run time (CPU min) | 631 | 15.9 | 2 076 | 33.9 |"],
  ["doc/cvs/cvs-paper.pdf", 9, "Table 1.", "| Lines of code | 3927255 |"],
  ["doc/debian-policy/fhs/fhs-3.0.pdf", 11, "", "| bin | Essential command binaries |"],
  ["doc/haskell98-report/haskell98-report.pdf", 104, "Table 6.1:", "| Int | Integral | Fixed-precision integers |"],
  ["doc/phyml/phyml_manual.pdf", 25, "Table 2.", "| G | Guanosine | K | G or T |"],
  ["doc/xorg-docs/icccm/icccm.pdf", 9, "", "| Selection name | Selection | PRIMARY, SECONDARY, CLIPBOARD |"],
];

/** Books of prose, lists and listings in which the reader found no table: this guards them, it is no estimate. */
const PROSE = [
  "doc/debian-policy/policy.pdf",
  "developers-reference/developers-reference.pdf",
  "developers-reference/ja/developers-reference.pdf",
  "doc/debian/FAQ/debian-faq.en.pdf",
  "doc/xorg-docs/Xserver/analysis.pdf",
  "doc/smlnj/mlyacc.pdf",
  "doc/raxml/NewManual.pdf",
];

const files = [...new Set(ROWS.map(([file]) => file))].filter(there);
const prose = PROSE.filter(there);
if (files.length === 0)
  console.log("Skipped the tables of real documents: 'node scripts/fetch-documents.mjs' fetches them.");
const readReal = (file: string) => readFile(new Uint8Array(readFileSync(join(FOLDER, file))), { path: file });

describe.skipIf(files.length === 0)("tables of real documents", () => {
  it("are passages with caption, page and rows as printed", { timeout: 300_000 }, async () => {
    const missing: string[] = [];
    const rows = { all: 0, printed: 0 };
    for (const file of files) {
      const document = await readReal(file);
      const cut = cutDocument(document, recipeFor(undefined, false));
      const chunks = await toChunks(cut, { docId: "d", modelId: "m", citekey: null });
      const tables = chunks.filter(({ metadata }) => metadata.kind === "table");
      for (const [, page, caption, row] of ROWS.filter(([name]) => name === file)) {
        const shown = tables.filter(({ page_span }) => page_span![0] <= page && page <= page_span![1]).map(shownText);
        if (!shown.some((text) => text.includes(caption) && text.split("\n").includes(row)))
          missing.push(`${file} p. ${page}: ${row}`);
      }
      if (poppler) countPrinted(file, tables, rows);
    }
    console.log(`rows of tables that poppler prints on one line too: ${rows.printed} of ${rows.all}`);
    expect(missing).toEqual([]);
    if (poppler) expect(rows.printed / rows.all).toBeGreaterThanOrEqual(0.9);
  });

  it.skipIf(prose.length === 0)(
    "are not seen in books of prose, lists and listings",
    { timeout: 300_000 },
    async () => {
      const found: string[] = [];
      let pages = 0;
      for (const file of prose) {
        const document = await readReal(file);
        pages += document.pages.length;
        for (const { kind, start, end } of document.blocks)
          if (kind === "table") found.push(`${file}: ${document.text.slice(start, Math.min(end, start + 60))}`);
      }
      console.log(`false tables: ${found.length} on ${pages} pages`);
      expect(found).toEqual([]);
    },
  );
});

/** Rows whose cells stand on one line of the page in poppler's own layout. */
function countPrinted(
  file: string,
  tables: readonly { text: string; page_span: [number, number] | null }[],
  rows: { all: number; printed: number },
) {
  const { stdout } = spawnSync("pdftotext", ["-layout", join(FOLDER, file), "-"], { maxBuffer: 256 * 1024 ** 2 });
  const pages = stdout
    .toString()
    .split("\f")
    .map((page) => page.split("\n").map(letters));
  for (const { text, page_span } of tables)
    for (const row of text.split("\n").filter((line) => line.includes("\t"))) {
      const wanted = letters(row);
      if (wanted.length < 4) continue;
      rows.all++;
      if (pages.slice(page_span![0] - 1, page_span![1]).some((lines) => lines.some((line) => line.includes(wanted))))
        rows.printed++;
    }
}
