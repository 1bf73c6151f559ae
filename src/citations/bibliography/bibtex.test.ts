import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { citationJs } from "../citation-js.js";
import { readBibtex } from "./bibtex.js";

async function read(text: string) {
  const { entries, problems } = readBibtex(await citationJs(), text, "library.bib");
  return { entries, problems, csl: Object.fromEntries(entries.map(({ citekey, csl }) => [citekey, csl])) };
}

describe("entries of a BibTeX file", () => {
  it("come out whatever commands their titles and notes use", async () => {
    const { csl, problems } = await read(String.raw`
@book{knuth, title = {The {\TeX book} and \BibTeX\ \enquote*{quoted} \ce{H2O}: \foreignlanguage{german}{Stra{\ss}e}}, author = {Knuth, D.}, date = {1984}}
@article{abstract, title = {Costs of 50\% \& \emph{more}}, author = {{\'E}mile Zola and {\O}rsted, Hans}, abstract = {an $ unclosed \emph and $x^2}, year = 1990}
@article{strange, title = {Broken $math in a \emph title}, author = {Miller, Ann}, year = 2011}`);
    expect(problems).toEqual([]);
    expect(csl.knuth?.title).toBe("The TeXbook and BibTeX “quoted” H2O: Straße");
    expect(csl.abstract).toMatchObject({
      title: "Costs of 50% & <i>more</i>",
      author: [
        { given: "Émile", family: "Zola" },
        { given: "Hans", family: "Ørsted" },
      ],
    });
    expect(csl.strange).toMatchObject({ title: "Broken math in a title", author: [{ family: "Miller" }] });
  });

  it("take what they lack from the whole they are part of, also where another entry is broken", async () => {
    const { csl, problems } = await read(`
@incollection{part, title = {A Part}, author = {Kid, Ann}, crossref = {whole}}
@misc{broken,
  title = {This is never closed,
  author = {Nobody}

@collection{whole, title = {The Whole}, subtitle = {A Book}, editor = {Ed, E.}, date = {2010}, xdata = {house}}
@xdata{house, publisher = {One and {Two and Sons}}, location = {Durham and London}}
@inbook{a, title = {A}, crossref = {b}}
@book{b, title = {B}, crossref = {a}}
@book{lost, title = {Without its parent}, crossref = {toString}}`);
    expect(csl.part).toMatchObject({
      type: "chapter",
      title: "A Part",
      "container-title": "The Whole: A Book",
      editor: [{ family: "Ed", given: "E." }],
      publisher: "One; Two and Sons",
      "publisher-place": "Durham; London",
    });
    expect(Object.keys(csl)).toEqual(["part", "whole", "a", "b", "lost"]);
    expect(problems).toEqual([
      "library.bib: the entry 'broken' is broken (line 7: the value of 'title' is not closed): it is skipped",
    ]);
  });

  it("name reports, patents, languages and eprints as a reader would", async () => {
    const { csl, entries } = await read(`
@string{tse = {IEEE Transactions on } # "Software Engineering"}
@report{tr, title = {R}, type = {resreport}, institution = {{International Business Machines}}, number = {RC-1}, date = {1978}, langid = {ngerman}}
@patent{p, title = {P}, type = {patreqfr}, number = {9500261}, location = {countryde and countryuk}, date = {1995}}
@article{art, title = {X}, journal = tse, month = mar, year = 1999, eprint = {math/0307200v3}, eprinttype = {arxiv}}
@online{pre, title = {Y}, author = {{The Debian Project} and others}, eprint = {2101.00001}, archiveprefix = {arXiv}, date = {2021}, ids = {old2020, older}}`);
    expect(csl.tr).toMatchObject({
      genre: "Research report",
      publisher: "International Business Machines",
      language: "de",
    });
    expect(csl.p).toMatchObject({
      type: "patent",
      genre: "French patent request",
      "publisher-place": "Germany; United Kingdom",
    });
    expect(csl.art).toMatchObject({
      "container-title": "IEEE Transactions on Software Engineering",
      issued: { "date-parts": [[1999, 3]] },
      URL: "https://arxiv.org/abs/math/0307200v3",
    });
    expect(csl.pre).toMatchObject({ number: "arXiv:2101.00001", author: [{ literal: "The Debian Project" }] });
    expect(entries.find(({ citekey }) => citekey === "pre")).toMatchObject({
      aliases: ["old2020", "older"],
      arxiv: "2101.00001",
    });
  });

  it("of a large Better BibTeX export are all there, with their files and tags", async () => {
    const { entries, problems } = await read(betterBibtexExport(3000));
    expect(problems).toEqual([
      "library.bib: the entry 'broken2019' is broken (line 11005: the value of 'author' is not closed): only what stands before that place is used",
    ]);
    expect(entries).toHaveLength(3001);
    expect(entries.at(-1)).toMatchObject({
      citekey: "author2999title2019",
      csl: {
        title: "Title 2999: Über α-Synuclein & Ångström",
        author: [{ family: "Müller", given: "Jörg" }, { literal: "World Health Organization" }],
        DOI: "10.1000/x_2999",
        page: "1-10",
        language: "de",
      },
      tags: ["biology", "computer science"],
      files: ["/home/ann/Zotero/storage/ABCD2999/Müller - 2019 - Title.pdf", "C:\\Users\\ann\\Zotero\\x.html"],
    });
  });

  const examples = join(
    import.meta.dirname,
    "../../../.cache/documents/usr/share/texlive/texmf-dist/bibtex/bib/biblatex/biblatex/biblatex-examples.bib",
  );
  it.skipIf(!existsSync(examples))(
    "of biblatex's own examples are read as biber reads them (scripts/fetch-documents.mjs fetches the file)",
    async () => {
      const { entries, problems, csl } = await read(readFileSync(examples, "utf8"));
      expect(problems).toEqual([]);
      expect(entries).toHaveLength(92);
      // Markup that CSL has is all that may be left of TeX.
      for (const { csl: item } of entries)
        for (const [field, value] of Object.entries(item))
          if (field !== "abstract" && typeof value === "string")
            expect(value.replace(/<\/?(?:i|b|sup|sub|span)(?: [^<>]*)?>/g, ""), `${item.id} ${field}`).not.toMatch(
              /[\\{}]|--/,
            );
      expect(csl["knuth:ct:a"]).toMatchObject({ title: "The TeXbook", "container-title": "Computers & Typesetting" });
      expect(csl["westfahl:space"]).toMatchObject({
        "container-title": "Space and Beyond: The Frontier Theme in Science Fiction",
        editor: [{ family: "Westfahl" }],
        "publisher-place": "Westport, Conn.; London",
        issued: { "date-parts": [[2000]] },
      });
      expect(csl["nietzsche:historie"]).toMatchObject({
        publisher: "Deutscher Taschenbuch-Verlag; Walter de Gruyter",
        "volume-title": "Die Geburt der Tragödie. Unzeitgemäße Betrachtungen I–IV. Nachgelassene Schriften 1870–1973",
        volume: "1",
      });
      expect(csl.itzhaki).toMatchObject({
        number: "arXiv:hep-th/9603067",
        title: "Some remarks on 't Hooft's S-matrix for black holes",
      });
      expect(csl.chiu).toMatchObject({ type: "report", genre: "Research report", number: "RC-6947", publisher: "IBM" });
      expect(csl.almendro).toMatchObject({ type: "patent", "publisher-place": "France; United Kingdom; Germany" });
      expect(csl.cms).toMatchObject({
        type: "book",
        title: "The Chicago Manual of Style: The Essential Guide for Writers, Editors, and Publishers",
      });
    },
  );
});

/** As Better BibTeX writes: its order of fields, its braces, its escapes; one entry was cut by hand. */
function betterBibtexExport(count: number): string {
  const entries: string[] = [];
  for (let n = 0; n < count; n++) {
    if (n === 500) entries.push("@article{broken2019,\n  title = {Cut},\n  author = {Someone, A.\n");
    entries.push(String.raw`@article{author${n}title2019,
  title = {Title ${n}: {\"U}ber {{$\alpha$-Synuclein}} \& {\AA}ngstr{\"o}m},
  shorttitle = {Title ${n}},
  author = {M{\"u}ller, J{\"o}rg and {{World Health Organization}}},
  date = {2019-05-24},
  journaltitle = {Nature Communications},
  shortjournal = {Nat Commun},
  volume = {10},
  number = {1},
  pages = {1--10},
  publisher = {{Springer Science and Business Media LLC}},
  issn = {2041-1723},
  doi = {10.1000/x\_${n}},
  url = {https://www.example.org/articles/a\_b?x=1\&y=2},
  urldate = {2020-01-02},
  abstract = {We show that \textbackslash{} and \textasciitilde{} cost 5\,\% of 3{\textless}4.},
  langid = {ngerman},
  keywords = {biology,computer science},
  annotation = {QID: Q1},
  file = {/home/ann/Zotero/storage/ABCD${n}/Müller - 2019 - Title.pdf;C\:\\Users\\ann\\Zotero\\x.html}
}
`);
  }
  return entries.join("\n");
}
