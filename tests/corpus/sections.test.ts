import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { letters } from "../../bench/documents-truth.mjs";
import { readFile } from "../../src/ingest/read-file.js";
import { ROOT } from "../support/peers.js";
import { HELD_OUT, SECTIONS } from "./sections.js";

const FOLDER = process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents");
const fetched = (gold: typeof SECTIONS) => Object.entries(gold).filter(([file]) => existsSync(join(FOLDER, file)));
const documents = fetched(SECTIONS);
const heldOut = fetched(HELD_OUT);
if (documents.length === 0)
  console.log(
    `Skipped the sections of real documents: 'node scripts/fetch-documents.mjs' fetches them into ${FOLDER}.`,
  );

describe.skipIf(documents.length === 0)("documents without bookmarks", () => {
  it.each([
    ["chosen first", documents],
    ["held out", heldOut],
  ])("%s have most lines under the heading that is printed above them", { timeout: 300_000 }, async (_, some) => {
    const wrong: string[] = [];
    let all = 0;
    for (const [file, lines] of some) {
      const document = await readFile(new Uint8Array(readFileSync(join(FOLDER, file))), { path: file });
      for (const [page, line, heading] of lines) {
        all++;
        const { start, end } = document.pages[page - 1]!;
        const place = document.text.slice(start, end).indexOf(line.slice(0, 24));
        const above = document.headings.findLast((each) => each.start <= start + Math.max(0, place));
        if (place < 0 || !above || !letters(above.title).startsWith(letters(heading)))
          wrong.push(`${file} p. ${page}: "${line}" is under "${heading}", not "${above?.title}"`);
      }
    }
    console.log(`sections: ${all - wrong.length} of ${all} right\n${wrong.join("\n")}`);
    expect(wrong.length).toBeLessThanOrEqual(all * 0.15);
  });
});
