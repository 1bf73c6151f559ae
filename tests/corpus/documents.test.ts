import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkQuotes } from "../../bench/documents-quotes.mjs";
import {
  againstPoppler,
  lostFromHtml,
  popplerPages,
  popplerStreams,
  trueQuotes,
  wrongAuthors,
} from "../../bench/documents-truth.mjs";
import { REAL_DOCUMENTS } from "../../scripts/real-documents.mjs";
import { createQuotes } from "../../src/citations/quotes.js";
import { cutDocument, recipeFor } from "../../src/ingest/cutting.js";
import type { ReadDocument } from "../../src/ingest/document.js";
import { readFile } from "../../src/ingest/read-file.js";
import { toChunks } from "../../src/ingest/to-chunks.js";
import { memoryChunkStore } from "../support/memory-chunk-store.js";
import { ROOT } from "../support/peers.js";

const FOLDER = process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents");
const documents = REAL_DOCUMENTS.filter(({ file, folder }) => existsSync(join(FOLDER, file ?? folder ?? "")));
if (documents.length === 0)
  console.log(`Skipped the real documents: 'node scripts/fetch-documents.mjs' fetches them into ${FOLDER}.`);
const poppler = spawnSync("pdftotext", ["-v"]).error === undefined;
if (!poppler) console.log("Skipped the comparison with poppler: pdftotext is not installed.");

/**
 * Where poppler is wrong, looked at on the page. It reads their tables by column, so that the meaning of one row follows the
 * meaning of the row before and not its own term; the content stream has each row together, as we do. Joints of these
 * documents count where both of poppler's ways of reading agree.
 */
const READ_BY_COLUMN = [
  "refcard-en-a4.pdf", // commands beside what they do
  "refcard-ru-a4.pdf", // the same card
  "AbyssinicaSILFontFeatures.pdf", // features beside their settings and letters
];

async function readReal(file: string): Promise<ReadDocument> {
  return readFile(new Uint8Array(readFileSync(join(FOLDER, file))), { path: file });
}

describe.skipIf(documents.length === 0)("real documents", () => {
  const joints: number[] = [];
  const truth = { right: 0, wrong: 0 };
  const quotes = { all: 0, kept: 0 };

  for (const { file, authors, language } of documents)
    if (file && authors)
      it(`${file.split("/").slice(-2).join("/")} has no author who did not write it`, {
        timeout: 180_000,
      }, async () => {
        const document = await readReal(file);
        expect(wrongAuthors(document.meta.authors ?? [], authors)).toEqual([]);
        if (language) expect(document.language).toBe(language);
        if (!file.endsWith(".pdf") || !poppler) return;
        const path = join(FOLDER, file);
        const pages = popplerPages(path);
        const found = againstPoppler(document, pages);
        truth.right += found.truth.right;
        truth.wrong += found.truth.wrong;
        const share = found.joints.all > 0 ? found.joints.held / found.joints.all : 1;
        joints.push(share);
        const checked = await checkQuotes(
          { openStore: memoryChunkStore, createQuotes, cutDocument, recipeFor, toChunks },
          document,
          trueQuotes(path, pages),
        );
        quotes.all += checked.all;
        quotes.kept += checked.kept;
        expect(checked.fooled).toBe(0);
        if (READ_BY_COLUMN.some((name) => file.endsWith(name))) {
          const { held, all } = againstPoppler(document, pages, popplerStreams(path)).joints;
          expect(all).toBeGreaterThan(30);
          expect(held / all).toBeGreaterThanOrEqual(0.95);
        } else expect(share).toBeGreaterThanOrEqual(0.75);
      });

  it.skipIf(!poppler)("stand on the page poppler finds them on, in its order", () => {
    joints.sort((a, b) => a - b);
    const median = joints[joints.length >> 1] ?? 0;
    console.log(
      `joints: median ${median.toFixed(3)}; lines ${truth.right + truth.wrong}, ${truth.wrong} on another page`,
    );
    expect(truth.right / (truth.right + truth.wrong)).toBeGreaterThanOrEqual(0.999);
    expect(median).toBeGreaterThanOrEqual(0.97);
  });

  it.skipIf(!poppler)("are quoted as they are printed", () => {
    console.log(`true quotes: ${quotes.kept} of ${quotes.all} exact or normalised`);
    expect(quotes.kept / quotes.all).toBeGreaterThanOrEqual(0.97);
  });

  for (const { folder, html } of documents)
    if (folder && html)
      it(`${folder} loses no paragraph of its pages`, { timeout: 300_000 }, async () => {
        const lost: string[] = [];
        const names = readdirSync(join(FOLDER, folder)).filter((name) => name.endsWith(".html"));
        for (const name of names.slice(0, html)) {
          const bytes = readFileSync(join(FOLDER, folder, name));
          const document = await readFile(new Uint8Array(bytes), { path: name });
          // A page that is mostly links says what it leaves out.
          if (document.warnings.length === 0)
            lost.push(...lostFromHtml(bytes.toString(), document).map((each) => `${name}: ${each}`));
        }
        expect(lost).toEqual([]);
      });
});
