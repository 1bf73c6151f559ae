import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { letters } from "../../bench/documents-truth.mjs";
import { readFile } from "../../src/ingest/read-file.js";
import { ROOT } from "../support/peers.js";
import { SECTIONS } from "./sections.js";

const FOLDER = process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents");
const documents = Object.entries(SECTIONS).filter(([file]) => existsSync(join(FOLDER, file)));
if (documents.length === 0)
  console.log(
    `Skipped the sections of real documents: 'node scripts/fetch-documents.mjs' fetches them into ${FOLDER}.`,
  );

describe.skipIf(documents.length === 0)("documents without bookmarks", () => {
  it("have most lines under the heading that is printed above them", { timeout: 300_000 }, async () => {
    const wrong: string[] = [];
    let all = 0;
    for (const [file, lines] of documents) {
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
    expect((all - wrong.length) / all).toBeGreaterThanOrEqual(0.85);
  });
});
