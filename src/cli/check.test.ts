import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeEmbedders } from "../../tests/support/fake-embedders.js";
import { twoBooks } from "../../tests/support/two-books.js";
import { createDrafts, type Drafts } from "../citations/draft/drafts.js";
import { createQuotes } from "../citations/quotes.js";
import { createSearch } from "../shelves/chunks/search.js";
import { type CheckDeps, type CheckRequest, checkCommand } from "./check.js";

const TRUE = "“The mass of men lead lives of quiet desperation” [@thoreau1854, p. 8].\n";
const ALTERED = "One line.\n\nHe says “The mass of *women* lead lives of quiet desperation” [@thoreau1854, p. 8].\n";

describe("bookwheel check", () => {
  let folder: string;
  let drafts: Drafts;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bookwheel-check-"));
    const store = await twoBooks();
    drafts = createDrafts({
      quotes: createQuotes({ store }),
      store,
      search: createSearch({ store, embedders: fakeEmbedders() }),
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function check(
    files: Record<string, string | Uint8Array>,
    request: Partial<CheckRequest> = {},
    more: Partial<CheckDeps> = {},
  ) {
    const paths: string[] = [];
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), content);
      paths.push(join(folder, name));
    }
    const printed: string[] = [];
    const complained: string[] = [];
    const code = await checkCommand(
      { positionals: paths.filter((path) => !path.endsWith(".bib")), ...request },
      {
        drafts,
        version: "0",
        print: (line) => printed.push(line.replaceAll(`${folder}/`, "")),
        complain: (line) => complained.push(line.replaceAll(`${folder}/`, "")),
        ...more,
      },
    );
    return { code, printed, complained };
  }

  it("says nothing but the summary of a draft that is right", async () => {
    expect(await check({ "right.md": TRUE })).toEqual({
      code: 0,
      printed: ["right.md: 12 words. 1 quotation: 1 right. 1 citation: 1 known."],
      complained: [],
    });
  });

  it("gives one line per finding, with file, line and verdict, and exits with 1", async () => {
    const { code, printed } = await check({ "altered.md": ALTERED });
    expect(code).toBe(1);
    expect(printed[0]).toBe(
      "altered.md:3:10: error altered: The mass of women lead lives of quiet desperation → The mass of men lead lives of quiet desperation — Take the true wording, or mark the change with brackets.",
    );
  });

  it("takes the true wording when asked to, and keeps the draft as it was", async () => {
    const refused = await check({ "fix.md": ALTERED }, { fix: true });
    expect(refused.complained[0]).toContain("--yes");
    expect(await readFile(join(folder, "fix.md"), "utf8")).toBe(ALTERED);

    const asked: string[] = [];
    const fixed = await check(
      { "fix.md": ALTERED },
      { fix: true },
      {
        ask: async (question) => {
          asked.push(question);
          return true;
        },
      },
    );
    expect(fixed.code).toBe(0);
    expect(asked).toHaveLength(1);
    expect(await readFile(join(folder, "fix.md"), "utf8")).toBe(ALTERED.replace("women", "men"));
    expect(await readFile(join(folder, "fix.md.orig"), "utf8")).toBe(ALTERED);
    expect((await check({ "fix.md": ALTERED.replace("women", "men") })).code).toBe(0);
  });

  it("writes JSON, SARIF and a page", async () => {
    const [sarif, html] = [join(folder, "out.sarif"), join(folder, "out.html")];
    const { printed } = await check({ "a <b>.md": ALTERED }, { json: true, sarif, html });
    expect(JSON.parse(printed.join("\n")).drafts[0].findings[0]).toMatchObject({ verdict: "altered", line: 3 });
    const log = JSON.parse(await readFile(sarif, "utf8"));
    expect(log).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "bookwheel" } },
          results: [
            {
              ruleId: "altered",
              level: "error",
              locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 10 } } }],
            },
            { ruleId: "known", level: "none", kind: "pass" },
          ],
        },
      ],
    });
    for (const { ruleId, ruleIndex } of log.runs[0].results)
      expect(log.runs[0].tool.driver.rules[ruleIndex].id).toBe(ruleId);
    const page = await readFile(html, "utf8");
    expect(page).toContain("<del>women</del>");
    expect(page).toContain("a &lt;b&gt;.md");
    expect(page).not.toMatch(/<script|src=|https?:\/\/(?!books\.example)/);
  });

  it("calls a stored work by the key of the draft's own bibliography, and takes from there what its record lacks", async () => {
    const { printed } = await check(
      {
        "own.bib": "@book{wal, author={Thoreau, Henry David}, title={Walden}, year={1854}}",
        "own.md": "“The mass of men lead lives of quiet desperation” [@wal, p. 70].\n",
      },
      { bibliographies: [join(folder, "own.bib")] },
    );
    expect(printed[0]).toContain("Cite it as [@wal, p. viii].");
  });

  it("does not let a work without a text pass for the one the words stand in", async () => {
    const { printed } = await check(
      {
        "kant.bib": "@book{kant, author={Kant, Immanuel}, title={Kritik der reinen Vernunft}, year={1781}}",
        "kant.md": "“The mass of men lead lives of quiet desperation” [@kant, p. 4].\n",
      },
      { bibliographies: [join(folder, "kant.bib")] },
    );
    expect(printed[0]).toMatch(/error misattributed: .* It stands in .*Thoreau, Walden.*, p\. viii, not in the work/);
  });

  it("shows the nearest passage where nothing reads like the quotation", async () => {
    const { printed } = await check({
      "absent.md": "“The mass of women in cities lead noisy and cheerful lives of desperation” [@thoreau1854].\n",
    });
    expect(printed[0]).toMatch(/absent.* Nearest, p\. viii: The mass of men lead lives/);
  });

  it("knows the works of a bibliography that the draft names, and says which text is missing", async () => {
    const { printed } = await check({
      "refs.bib": "@book{melville1851, author={Melville, Herman}, title={Moby-Dick}, year={1851}}",
      "named.md": "---\nbibliography: refs.bib\n---\n\n“Call me Ishmael some years ago never mind” [@melville1851].\n",
    });
    expect(printed[0]).toContain("warning unchecked");
    expect(printed.at(-1)).toContain("1 citation: 1 known");
  });

  it("reads Word documents, with their footnotes", async () => {
    const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
    const noted = `<w:p><w:r><w:t>He says “The mass of women lead lives of quiet desperation.”</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
    const ns = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`;
    const docx = zipSync({
      "[Content_Types].xml": strToU8(
        `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/></Types>`,
      ),
      "_rels/.rels": strToU8(
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
      "word/_rels/document.xml.rels": strToU8(
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/></Relationships>`,
      ),
      "word/document.xml": strToU8(
        `<?xml version="1.0"?><w:document ${ns}><w:body>${paragraph("First.")}${noted}</w:body></w:document>`,
      ),
      "word/footnotes.xml": strToU8(
        `<?xml version="1.0"?><w:footnotes ${ns}><w:footnote w:id="2">${paragraph("Thoreau, Walden, 7.")}</w:footnote></w:footnotes>`,
      ),
    });
    const { printed, complained } = await check({ "draft.docx": docx }, { fix: true, yes: true });
    expect(printed[0]).toMatch(/^draft\.docx:2:\d+: error altered: .*wrong page|^draft\.docx:2:\d+: error altered/);
    expect(complained[0]).toContain("Word documents are not changed");
  });

  it("says what it needs", async () => {
    expect((await check({})).code).toBe(2);
    await expect(check({}, { positionals: [join(folder, "nope.md")] })).rejects.toThrow("cannot be opened");
  });
});
