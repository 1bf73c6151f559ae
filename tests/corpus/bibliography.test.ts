import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { REAL_DOCUMENTS } from "../../scripts/real-documents.mjs";
import { createIdentifier } from "../../src/citations/bibliography/identifier.js";
import { readFile } from "../../src/ingest/read-file.js";
import { ROOT } from "../support/peers.js";

const FOLDER = process.env.BOOKWHEEL_DOCUMENTS ?? join(ROOT, ".cache", "documents");
const OWNER = join(ROOT, "tests", "corpus", "owner.bib");
const EXAMPLES = REAL_DOCUMENTS.find(({ file }) => file?.endsWith(".bib"))?.file ?? "";
const documents = REAL_DOCUMENTS.flatMap(({ file }) => (file && /\.(pdf|epub)$/.test(file) ? [file] : [])).filter(
  (file) => existsSync(join(FOLDER, file)),
);
if (documents.length === 0)
  console.log(`Skipped matching real documents: 'node scripts/fetch-documents.mjs' fetches them into ${FOLDER}.`);

describe.skipIf(documents.length === 0)("real documents and their owner's bibliography", () => {
  it("meet by title and first page, and no document takes another work's entry", { timeout: 600_000 }, async () => {
    const files = [OWNER, join(FOLDER, EXAMPLES)].filter((file) => existsSync(file));
    const { identify, problems } = await createIdentifier({ bibliographyFiles: files });
    expect(problems).toEqual([]);
    const listed = new Set([...readFileSync(OWNER, "utf8").matchAll(/^@\w+\{([^,]+),/gm)].map(([, key]) => key));
    const outcome = { right: 0, missed: [] as string[], wrong: [] as string[] };
    for (const file of documents) {
      const document = await readFile(new Uint8Array(readFileSync(join(FOLDER, file))), { path: file });
      // A name that says nothing, so that only what stands in the file counts.
      const { citekey, matched } = await identify(document, "/nowhere/scan0001.pdf");
      const own = basename(file, extname(file)).replaceAll(" ", "-");
      if (matched && citekey !== own) outcome.wrong.push(`${file}: ${citekey}`);
      else if (matched) outcome.right++;
      else if (listed.has(own)) outcome.missed.push(file);
    }
    console.log(`matched ${outcome.right}, missed ${outcome.missed.join(", ") || "none"}`);
    expect(outcome.wrong).toEqual([]);
    expect(outcome.right / (outcome.right + outcome.missed.length)).toBeGreaterThan(0.9);
  });
});
