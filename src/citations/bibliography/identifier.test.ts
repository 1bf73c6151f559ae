import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBibliography, readBibliographyFile } from "./bibliography.js";
import type { Described } from "./described-item.js";
import { createIdentifier } from "./identifier.js";
import { createMatcher } from "./matching.js";

const shared = process.env.BOOKWHEEL_SHARED ?? join(import.meta.dirname, "../../../../shared");
const bib = join(shared, "corpora/documents/bib");

const BIB = String.raw`
@string{oup = "Oxford University Press"}
@book{parfit1984reasons, author = {Parfit, Derek}, title = {Reasons and Persons}, year = 1984, publisher = oup, isbn = {978-0-19-824908-5}, keywords = {ethics, identity}, file = {Full Text:/home/me/Zotero/storage/ABCD1234/Parfit - 1984 - Reasons and Persons.pdf:application/pdf}}
@article{muller2003wege, author = {M{\"u}ller, J{\"o}rg}, title = {Wege {\"u}ber den Fluss: eine {Geschichte}}, journaltitle = {Zeitschrift}, date = {2003-05}, doi = {10.1000/182}}
@article{muller2004wege, author = {M{\"u}ller, J{\"o}rg}, title = {Wege {\"u}ber den Berg}, journal = {Zeitschrift}, year = {2004}}
@online{abnar2019, author = {Abnar, Samira}, title = {Blackbox Meets Blackbox}, date = {2019-06-04}, url = {http://arxiv.org/abs/1906.01539}}
@book{ethics, author = {Spinoza, Benedict de}, title = {Ethics}, year = {1677}}
`;
const document = (meta: Described["meta"], text = "", title = "untitled scan"): Described => ({ title, meta, text });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bookwheel-identity-"));
  await writeFile(join(folder, "library.bib"), BIB);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const identifier = (more = {}) => createIdentifier({ bibliographyFiles: [join(folder, "library.bib")], ...more });

describe("telling which work a document is", () => {
  it("goes by its DOI, however it is written", async () => {
    const { identify } = await identifier();
    expect(await identify(document({ doi: "https://doi.org/10.1000/182" }), "x.pdf")).toMatchObject({
      citekey: "muller2003wege",
      matched: { method: "doi" },
      csl: { id: "muller2003wege", "container-title": "Zeitschrift" },
    });
  });

  it("goes by its ISBN in either length", async () => {
    const { identify } = await identifier();
    expect(await identify(document({ isbn: "0-19-824908-X" }), "x.epub")).toMatchObject({
      citekey: "parfit1984reasons",
      matched: { method: "isbn" },
      tags: ["ethics", "identity"],
    });
  });

  it("goes by title, author and year with diacritics folded", async () => {
    const { identify } = await identifier();
    expect(
      await identify(document({ title: "Wege uber den Fluß", authors: ["Jorg Muller"], year: 2003 }), "x.pdf"),
    ).toMatchObject({ citekey: "muller2003wege", matched: { method: "title" } });
  });

  it("goes by the file the bibliography names", async () => {
    const { identify } = await identifier();
    const path = "/mnt/Zotero/storage/ABCD1234/Parfit - 1984 - Reasons and Persons.pdf";
    expect(await identify(document({}), path)).toMatchObject({
      citekey: "parfit1984reasons",
      matched: { method: "file" },
    });
  });

  it("goes by a telling file name", async () => {
    const { identify } = await identifier();
    expect(await identify(document({}), "/books/Abnar_2019_Blackbox meets Blackbox.pdf")).toMatchObject({
      citekey: "abnar2019",
      matched: { method: "filename" },
    });
  });

  it("trusts an identifier in the text only with the work's title in sight", async () => {
    const { identify } = await identifier();
    expect(
      await identify(document({}, "arXiv:1906.01539v2 Blackbox Meets Blackbox: stability"), "a.pdf"),
    ).toMatchObject({ citekey: "abnar2019", matched: { method: "arxiv" } });
    expect((await identify(document({}, "See [3] arXiv:1906.01539 for more."), "b.pdf")).matched).toBeNull();
  });

  it("takes no work where two are as likely, and none for a bare common title", async () => {
    const { identify } = await identifier();
    expect((await identify(document({ title: "Wege über den" }), "x.pdf")).matched).toBeNull();
    expect((await identify(document({ title: "Ethics" }), "y.pdf")).matched).toBeNull();
    expect((await identify(document({ title: "Ethics", authors: ["Benedict de Spinoza"] }), "z.pdf")).citekey).toBe(
      "ethics",
    );
  });

  it.each(["10.1145/nnnnnnn.nnnnnnn", "10.1145/1122445.1122456", "10.5555/12345678", "10.1000/xyz123"])(
    "does not take %s for a DOI",
    async (doi) => {
      const { entries } = await readBibliography(
        `@article{a, title={Something Else Entirely Different}, doi={${doi}}}`,
        "bibtex",
        "a.bib",
      );
      expect(createMatcher(entries).match({ doi })).toBeUndefined();
    },
  );
});

describe("a document that matches nothing", () => {
  it("gets a readable key, another for another document, and the same again in the next run", async () => {
    const described = document({ title: "The Art of Émigré Cooking", authors: ["Zoë van der Berg"], year: 1999 });
    const first = await identifier();
    const a = await first.identify(described, "/a.pdf");
    const b = await first.identify(described, "/b.pdf");
    expect([a.citekey, b.citekey]).toEqual(["vanderbergArt1999", "vanderbergArt1999b"]);
    expect(a).toMatchObject({
      matched: null,
      csl: { author: [{ family: "van der Berg", given: "Zoë" }], title: "The Art of Émigré Cooking" },
    });
    const again = await identifier({
      assigned: [
        { path: "/a.pdf", citekey: a.citekey },
        { path: "/b.pdf", citekey: b.citekey },
      ],
    });
    expect((await again.identify(described, "/b.pdf")).citekey).toBe("vanderbergArt1999b");
  });

  it("can be named in a sidecar file or in the project's bookwheel.json", async () => {
    const books = join(folder, "books", "deep");
    await mkdir(books, { recursive: true });
    await writeFile(join(books, "scan.pdf.bookwheel.json"), JSON.stringify({ citekey: "parfit1984reasons" }));
    await writeFile(
      join(folder, "books", "bookwheel.json"),
      JSON.stringify({
        documents: {
          "deep/other.pdf": "mine2001",
          "deep/third.pdf": { csl: { title: "A Better Title", type: "book" } },
        },
      }),
    );
    const { identify } = await identifier({ root: join(folder, "books") });
    expect(await identify(document({}), join(books, "scan.pdf"))).toMatchObject({
      citekey: "parfit1984reasons",
      csl: { title: "Reasons and Persons" },
      matched: { method: "override" },
    });
    expect(await identify(document({}), join(books, "other.pdf"))).toMatchObject({ citekey: "mine2001" });
    expect(await identify(document({}), join(books, "third.pdf"))).toMatchObject({ csl: { title: "A Better Title" } });
    await writeFile(join(books, "bad.pdf.bookwheel.json"), "{");
    await expect(identify(document({}), join(books, "bad.pdf"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("bad.pdf.bookwheel.json"),
    });
  });
});

describe("what a document says wrongly of itself", () => {
  it("does not hide it: a junk author, a version, TeX in the title, no title at all", async () => {
    await writeFile(
      join(folder, "junk.bib"),
      String.raw`@manual{raxml, title = {The {RAxML} Manual for Large Phylogenies}, author = {Stamatakis, A.}, year = 2016}
@article{macros, title = {The {\LaTeX} macros of a journal}, author = {Fairbairns, Robin}, year = 1996}
@book{rivers, title = {A History of Rivers}, subtitle = {Water and the Making of Cities}, author = {Marlowe, Ann}, year = 2009}
@book{other, title = {A History of Bridges}, author = {Marlowe, Ann}, year = 2011}`,
    );
    const { identify } = await createIdentifier({ bibliographyFiles: [join(folder, "junk.bib")] });
    const keyOf = async (meta: Described["meta"], text: string, title?: string) => {
      const { citekey, matched } = await identify(document(meta, text, title), "scan0001.pdf");
      return matched && citekey;
    };
    expect(await keyOf({ title: "The RAxML v8.2.X Manual for Large Phylogenies", authors: ["admin"] }, "")).toBe(
      "raxml",
    );
    expect(await keyOf({ title: "The L A TEX macros of a journal", authors: ["dvips"] }, "by Robin Fairbairns")).toBe(
      "macros",
    );
    expect(
      await keyOf({}, "A History of Rivers\n\nWater and the Making of Cities\n\nAnn Marlowe", "Microsoft Word - x.doc"),
    ).toBe("rivers");
    expect(await keyOf({}, "A Short History of Wells\n\nAnn Marlowe")).toBeNull();
    expect(await keyOf({ title: "Ethics", authors: ["admin"] }, "Lectures")).toBeNull();
  });
});

describe("reading bibliographies", () => {
  it("keeps the good entries of a file with a broken one, and what can be read of that one", async () => {
    const { entries, problems } = await readBibliography(
      "@book{good, title={Good}, year=2000}\n\n@book{bad, title={un{balanced}, year=2001}\n\n@book{fine, title={Fine}, year=2002}",
      "bibtex",
      "x.bib",
    );
    expect(entries.map(({ citekey }) => citekey)).toEqual(["good", "bad", "fine"]);
    expect(problems).toEqual([expect.stringContaining("'bad'")]);
  });

  it("reads RIS", async () => {
    const { entries } = await readBibliography(
      "TY  - JOUR\nAU  - Müller, Jörg\nTI  - On things\nPY  - 2003\nDO  - 10.1000/abc\nKW  - alpha\nKW  - beta\nID  - key1\nL1  - file/on-things.pdf\nER  - \n",
      "ris",
      "x.ris",
    );
    expect(entries).toMatchObject([
      {
        citekey: "key1",
        tags: ["alpha", "beta"],
        files: ["file/on-things.pdf"],
        csl: { type: "article-journal", title: "On things", issued: { "date-parts": [[2003]] } },
      },
    ]);
  });

  it("says what is wrong with a file that is no bibliography", async () => {
    await writeFile(join(folder, "not.json"), "{}");
    await expect(readBibliographyFile(join(folder, "not.json"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(readBibliographyFile(join(folder, "missing.bib"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("missing.bib"),
    });
    await expect(readBibliographyFile(join(folder, "x.docx"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe.skipIf(!existsSync(bib))("a real library of 1,241 works (needs the shared corpora)", () => {
  it("reads every work of the BibTeX, CSL-JSON and Better BibTeX files", async () => {
    expect((await readBibliographyFile(join(bib, "zotero-bulk.bib"))).entries).toHaveLength(1241);
    expect((await readBibliographyFile(join(bib, "zotero-bulk.json"))).entries).toHaveLength(1241);
    const [fromBib, fromJson] = await Promise.all([
      readBibliographyFile(join(bib, "library.bib")),
      readBibliographyFile(join(bib, "library.csl.json")),
    ]);
    expect(fromJson.entries.map(({ citekey }) => citekey)).toEqual(fromBib.entries.map(({ citekey }) => citekey));
  });

  it("finds at least 95 of 100 works again by what a file says about them, and no wrong one", async () => {
    const { entries } = await readBibliographyFile(join(bib, "zotero-bulk.bib"));
    const matcher = createMatcher(entries);
    let found = 0;
    let wrong = 0;
    let tried = 0;
    for (const { citekey, csl } of entries.filter(({ csl: { title, author } }) => title && author)) {
      tried++;
      const authors = csl.author!.map(
        ({ given, family, literal }) => literal ?? [given, family].filter(Boolean).join(" "),
      );
      const title = csl.title!.toUpperCase().normalize("NFD").replace(/\p{M}/gu, "");
      const match = matcher.match({ title, authors, year: Number(csl.issued?.["date-parts"]?.[0]?.[0]) || undefined });
      if (match && (match.entry.citekey === citekey || match.entry.csl.title === csl.title)) found++;
      else if (match) wrong++;
    }
    expect(found / tried).toBeGreaterThanOrEqual(0.95);
    expect(wrong).toBe(0);
  });
});
