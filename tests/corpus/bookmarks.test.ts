import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sectionsByBookmarks } from "../../bench/documents-bookmarks.mjs";
import { cutDocument, recipeFor } from "../../src/ingest/cutting.js";
import { readFile } from "../../src/ingest/read-file.js";
import { ROOT } from "../support/peers.js";

const FOLDER = process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents");
/** Set in one column, with bookmarks that lead to places on a page. */
const BOOKS = [
  "doc/xorg-docs/icccm/icccm.pdf",
  "doc/krb5-doc/user.pdf",
  "doc/bash/bashref.pdf",
  "doc/debian-policy/policy.pdf",
  "doc/libtheora-dev/Theora.pdf",
  "doc/phyml/phyml_manual.pdf",
  "doc/esys-particle/Doc/Tutorial/paper.pdf",
  "developers-reference/developers-reference.pdf",
].map((file) => join(FOLDER, "usr/share", file));
const books = BOOKS.filter((file) => existsSync(file));
const missing = ["mutool", "pdftotext"].filter((name) => spawnSync(name, ["-v"]).error !== undefined);
if (books.length === 0)
  console.log(`Skipped the sections by bookmarks: 'node scripts/fetch-documents.mjs' fetches the documents.`);
else if (missing.length > 0) console.log(`Skipped the sections by bookmarks: ${missing.join(" and ")} not installed.`);

describe.skipIf(books.length === 0 || missing.length > 0)("documents with bookmarks", () => {
  it("have nearly every passage under the bookmark that leads to the place above it", {
    timeout: 300_000,
  }, async () => {
    const wrong: string[] = [];
    let [all, right] = [0, 0];
    for (const file of books) {
      const document = await readFile(new Uint8Array(readFileSync(file)), { path: file });
      const found = sectionsByBookmarks(file, document, cutDocument(document, recipeFor(undefined, false)).pieces);
      expect(found.bookmarks).toBeGreaterThan(20);
      all += found.all;
      right += found.right;
      wrong.push(...found.wrong.map((each) => `${file.split("/").at(-1)} ${each}`));
    }
    console.log(`sections by bookmarks: ${right} of ${all} right\n${wrong.join("\n")}`);
    expect(all).toBeGreaterThan(50 * books.length);
    expect(right / all).toBeGreaterThanOrEqual(0.99);
  });
});
