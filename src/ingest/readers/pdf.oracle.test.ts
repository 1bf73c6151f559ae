import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpusFile, DOCUMENTS, hasDocuments, letters, wordEmbedder } from "../../../tests/support/ingest-files.js";
import type { Chunk } from "../../shelves/chunks/chunk-store.js";
import { cutDocument, recipeFor } from "../cutting.js";
import { toChunks } from "../to-chunks.js";
import { read } from "./pdf.js";

const oracle = spawnSync("pdftotext", ["-v"]).error === undefined;
if (!oracle) console.log("Skipped the PDF oracle: poppler's pdftotext is not installed.");
const files = hasDocuments && oracle ? readdirSync(join(DOCUMENTS, "pdf")).filter((name) => name.endsWith(".pdf")) : [];

describe.skipIf(!files.length)("what poppler finds on a page", () => {
  const counts = { sampled: 0, right: 0, wrong: 0, apart: 0 };

  for (const name of files)
    it(`is in a chunk of that page: ${name}`, { timeout: 60_000 }, async () => {
      const document = await read(await corpusFile(`pdf/${name}`), {});
      // References count as text here: nothing of the text layer may be lost on the way to the chunks.
      const pieces = cutDocument(document, recipeFor(wordEmbedder(), true));
      const chunks = await toChunks(pieces, { docId: "d", modelId: "m", citekey: null });
      const pages = pagesOf(join(DOCUMENTS, "pdf", name));
      const byPage = pages.map((_, i) =>
        chunks.filter(({ page_span }) => page_span && page_span[0] <= i + 1 && page_span[1] >= i + 1),
      );
      const removedOn = (i: number) => {
        const { start, end } = document.pages[i]!;
        return letters(
          document.edits
            .filter(({ at }) => at >= start && at <= end)
            .map(({ original }) => original)
            .join(" "),
        );
      };
      // Letters of the page's chunks, and what was taken out of it on purpose: running heads and page numbers.
      const lettersOn = byPage.map((some, i) => {
        return letters(some.map(({ text }) => text).join(" ")) + removedOn(i);
      });
      const whole = chunks.map(({ text }) => letters(text));
      const lost: string[] = [];
      for (const [i, page] of pages.entries()) {
        for (const sentence of sentencesOf(page)) {
          const wanted = letters(sentence);
          if (removedOn(i).includes(wanted)) continue;
          const holders = chunks.filter((_, k) => whole[k]!.includes(wanted));
          if (holders.length) {
            counts.sampled++;
            if (holders.some((chunk) => standsOn(chunk, wanted, i + 1, document))) counts.right++;
            else counts.wrong++;
          } else if (!isLost(sentence, lettersOn[i]!)) counts.apart++;
          else lost.push(`p. ${i + 1}: ${sentence}`);
        }
      }
      expect(lost).toEqual([]);
    });

  it("stands on the page the chunk says, for at least 0.98 of all sentences", () => {
    console.log(
      `sentences found whole in a chunk: ${counts.sampled}, on the right page: ${counts.right}, on a wrong one: ${counts.wrong}; ${counts.apart} more have all their words on that page, in another order or across two chunks`,
    );
    expect(counts.sampled).toBeGreaterThan(2_000);
    expect(counts.right / counts.sampled).toBeGreaterThanOrEqual(0.98);
  });
});

function pagesOf(file: string): string[] {
  return execFileSync("pdftotext", ["-enc", "UTF-8", file, "-"], { maxBuffer: 256 * 1024 ** 2 })
    .toString()
    .split("\f")
    .slice(0, -1);
}

/** Running text only: what has five words and more. Paragraphs are kept apart, as poppler does by empty lines. */
function sentencesOf(page: string): string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  return page
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      [...segmenter.segment(paragraph.replace(/\s+/g, " "))]
        .map(({ segment }) => segment.trim())
        .filter((sentence) => sentence.split(" ").length >= 5 && letters(sentence).length >= 25),
    );
}

/** Formulas come in another order and glued to words, columns and captions interleaved: then the words themselves must be there. */
function isLost(sentence: string, page: string): boolean {
  const words = sentence.match(/\p{L}{4,}/gu) ?? [];
  const missing = words.filter((word) => !page.includes(letters(word)));
  return missing.length > Math.max(1, words.length * 0.2);
}

/** Whether the sentence itself, not only the chunk around it, begins on that page. */
function standsOn(
  chunk: Chunk | Omit<Chunk, "vectors">,
  wanted: string,
  page: number,
  { text, pages }: { text: string; pages: readonly { number: number; start: number; end: number }[] },
): boolean {
  const { start, end } = pages[page - 1]!;
  const from = Math.max(start, chunk.start!);
  const to = Math.min(text.length, Math.max(end, from) + wanted.length * 2);
  return (
    letters(text.slice(from, Math.min(to, chunk.end!))).includes(wanted) &&
    chunk.page_span![0] <= page &&
    chunk.page_span![1] >= page
  );
}
