import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCitations } from "../../src/citations/citations.js";
import { createPassages } from "../../src/citations/passages.js";
import { createQuotes } from "../../src/citations/quotes.js";
import { twoBooks } from "../support/two-books.js";

const installed = spawnSync("pandoc", ["--version"]).status === 0;
if (!installed) console.log("skipped: pandoc is not installed, so nobody reads the citations we hand out");

describe.skipIf(!installed)("pandoc reads what we hand out (needs pandoc)", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bookwheel-pandoc-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const pandoc = (draft: string, bibliography: string) =>
    spawnSync("pandoc", ["--citeproc", "--bibliography", bibliography, "-t", "plain", "--wrap=none"], {
      input: draft,
      encoding: "utf8",
    });

  it.each(["bibtex", "csl-json"] as const)("citations resolve, and the %s bibliography is complete", async (kind) => {
    const store = await twoBooks();
    const passage = await createPassages({ store }).read("woods", { source: "Walden", pages: [8] });
    const { matches } = await createQuotes({ store }).verify(undefined, "once or twice she had peeped into the book");
    const cited = await createCitations({ store }).cite(undefined, {
      sources: ["thoreau1854, pp. 7-8", "carroll1865, ch. 1"],
      bibliography: kind,
    });
    const file = join(folder, kind === "bibtex" ? "refs.bib" : "refs.json");
    await writeFile(file, cited.bibliography ?? "");
    const draft = `“The mass of men” ${passage.cite}. “${matches[0]!.text}” ${matches[0]!.cite}. Both ${cited.citation}.\n\n# References\n`;
    const { status, stdout, stderr } = pandoc(draft, file);
    expect(status).toBe(0);
    // It warns of every key that it cannot resolve.
    expect(stderr).toBe("");
    expect(stdout).toContain("“The mass of men” (Thoreau 1854, viii).");
    expect(stdout).toContain("(Carroll 1865, vii)");
    expect(stdout).toContain("(Thoreau 1854, 7–8; Carroll 1865, chap. 1)");
    expect(stdout).toMatch(/Carroll, Lewis\. 1865\. .*Wonderland/);
    expect(stdout).toMatch(/Thoreau, Henry David\. 1854\. .*Walden/);
  });

  it("and a draft that pandoc reads is read the same way by us", async () => {
    const keys = ["plain2001", "with:colon", "under_score", "dot.ted-1"];
    const file = join(folder, "keys.json");
    await writeFile(
      file,
      JSON.stringify(keys.map((id) => ({ id, type: "book", title: id, issued: { "date-parts": [[2001]] } }))),
    );
    const { citationsIn } = await import("../../src/citations/draft/citations-in.js");
    const { markdownView } = await import("../../src/citations/draft/markdown-view.js");
    const draft = "One [see @plain2001, p. 3; -@with:colon, chap. 2], @under_score [p. 4] and @dot.ted-1.";
    expect(citationsIn(markdownView(draft), new Set()).map(({ key }) => key)).toEqual(keys);
    expect(pandoc(draft, file).stderr).toBe("");
  });
});
