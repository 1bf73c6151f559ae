import { describe, expect, it } from "vitest";
import { lines, makePdf } from "../../../tests/support/ingest-files.js";
import { read } from "./pdf.js";

const LEFT = [
  "The first column begins here and it goes on with",
  "plain sentences that fill each line from edge to",
  "edge, as two columns in a journal always do. It is",
  "read to its very end before the second one begins,",
  "whatever stands beside it at the same height there.",
  "So ends the left column of this small test page.",
];
const RIGHT = [
  "The second column follows the first and speaks of",
  "other things at the same height on the page. Nobody",
  "reads across the gutter, although the letters stand",
  "on one line. A program that sorts by height alone",
  "mixes both columns into sentences that nobody ever",
  "wrote, and every quotation taken from it is wrong.",
];

/** Text whose font names no letters, as programs write it that leave the map out: two bytes per glyph of the font. */
function withoutMap(lines: readonly string[], glyphOf: (code: number) => number): Uint8Array {
  const glyphs = (line: string) =>
    [...line].map((letter) => glyphOf(letter.charCodeAt(0)).toString(16).padStart(4, "0")).join("");
  const drawn = lines.map((line, i) => `BT /F 10 Tf 72 ${700 - i * 14} Td <${glyphs(line)}> Tj ET`).join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Wheel /Encoding /Identity-H /DescendantFonts [6 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Wheel /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 500 >>",
    "<< /Type /FontDescriptor /FontName /ABCDEF+Wheel /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
  ];
  return fileOf(objects);
}

function fileOf(objects: readonly string[], info = ""): Uint8Array {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  file += `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${info} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}

/** A page in a font of TeX's whose map of letters has only those from a to z, as older versions of dvipdfmx write it. */
function withoutLigatures(producer: string, texts: readonly string[]): Uint8Array {
  const drawn = texts.map((text, i) => `BT /F 10 Tf 72 ${700 - i * 14} Td ${text} TJ ET`).join("\n");
  const map =
    "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <61> <7a> <0061> endbfrange endcmap end";
  return fileOf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>",
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+CMR10 /FontDescriptor 7 0 R /FirstChar 0 /LastChar 127 /Widths [${"500 ".repeat(128)}] /ToUnicode 6 0 R >>`,
      `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
      "<< /Type /FontDescriptor /FontName /ABCDEF+CMR10 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
      `<< /Producer (${producer}) >>`,
    ],
    "/Info 8 0 R",
  );
}

describe("a PDF whose fonts do not name their ligatures", () => {
  const texts = [
    String.raw`[(the)-333(speci\014cation)-333(of)-333(a)-333(\014le)-333(by)-333(the)-333(sta\013)]`,
    String.raw`[(o\016cer)-333(who)-333(reads)-333(it)-333(\134on)-333(the)-333(\015y")]`,
  ];

  it("has them where the program is known to leave them out, at the ends of words too", async () => {
    const { text } = await read(withoutLigatures("dvipdfmx (20100328)", texts), {});
    expect(text.replace(/\s+/g, " ")).toBe(
      "the specification of a file by the staff officer who reads it “on the fly”",
    );
  });

  it("is left as it is where another program wrote it", async () => {
    const { text } = await read(withoutLigatures("Other", texts), {});
    expect(text).toContain("speci cation");
  });
});

describe("a PDF whose fonts name no letters", () => {
  it.each([
    ["glyph numbers that look like letters", (code: number) => code - 29],
    ["glyph numbers that look like nothing", (code: number) => 0xe000 + code],
  ])("says that it cannot be read, with %s", async (_name, glyphOf) => {
    const document = await read(withoutMap([...LEFT, ...RIGHT], glyphOf), {});
    expect(document.text).not.toContain("column");
    expect(document.warnings).toEqual([expect.stringMatching(/^Unreadable: the fonts of page 1 .*OCR/)]);
    expect(document.pagesWithoutText).toBe(1);
  });

  it("is not taken for one where its letters are right", async () => {
    const document = await read(
      withoutMap([...LEFT, ...RIGHT], (code) => code),
      {},
    );
    expect(document.text).toContain("The first column begins here");
    expect(document.warnings).toEqual([]);
  });
});

describe("a PDF", () => {
  it("with two columns is read column by column, also where the file draws it line by line", async () => {
    const rows = LEFT.flatMap((text, i) => [
      { text, x: 60, y: 600 - i * 12 },
      { text: RIGHT[i]!, x: 320, y: 600 - i * 12 },
    ]);
    const { text } = await read(
      makePdf([[{ text: "A Title Across Both Columns", x: 180, y: 700, size: 18 }, ...rows]]),
      {},
    );

    expect(text.indexOf("So ends the left column")).toBeLessThan(text.indexOf("The second column follows"));
    expect(text).toContain("from edge to edge, as two columns");
  });

  it("loses running heads and page numbers from its text, and keeps them among what was printed", async () => {
    const page = (n: number) => [
      { text: "A Treatise of Wheels", x: 250, y: 760 },
      ...lines(
        ["first", "second", "third", "fourth", "fifth", "last"].map(
          (line) => `The ${line} line of leaf ${["one", "two", "three", "four"][n]} tells its part of the story.`,
        ),
      ),
      { text: String(n + 7), x: 300, y: 40 },
    ];
    const document = await read(makePdf([0, 1, 2, 3].map(page)), {});

    expect(document.text).not.toContain("Treatise");
    expect(document.text).not.toMatch(/\b(7|8|9|10)\b/);
    expect(document.edits.map(({ original }) => original)).toEqual(
      expect.arrayContaining(["A Treatise of Wheels\n", "8\n"]),
    );
    expect(document.pages.map(({ number, label }) => [number, label])).toEqual([
      [1, "7"],
      [2, "8"],
      [3, "9"],
      [4, "10"],
    ]);
  });

  it("keeps a number that merely happens to end a page", async () => {
    const { text } = await read(
      makePdf([
        lines(["The last line of this page is a year:", "1984"]),
        lines(["And here we go on without any number."]),
      ]),
      {},
    );
    expect(text).toContain("1984");
  });

  it("rejoins words cut at a line end when the document knows them, and leaves real hyphens alone", async () => {
    const document = await read(
      makePdf([
        lines([
          "The philosophy of wheels is a well-known subject, and philosophy is hard. We meet philo-",
          "sophy again at a line end, and a well-",
          "known example with it, and pre- and postwar pic-",
          "tures. The rest of the line is not cut at all.",
        ]),
      ]),
      {},
    );
    expect(document.text).toContain("We meet philosophy again");
    expect(document.text).toContain("a well-known example");
    expect(document.text).toContain("pre- and postwar pictures");
    const [cut] = document.edits.filter(({ original }) => original === "-\n");
    expect(document.text.slice(cut!.at - 5, cut!.at + 5)).toBe("philosophy");
  });

  it("carries a paragraph over the page break and still knows each page", async () => {
    const document = await read(
      makePdf([
        lines([
          "This sentence begins on the first page of the file and it runs on to",
          "the very end of the last line there without any stop, because it con-",
        ]),
        lines(["tinues on the second page, where it finally comes to an end."], { top: 700 }),
      ]),
      {},
    );
    expect(document.text).toContain("because it continues on the second page");
    expect(document.blocks).toHaveLength(1);
    const [first, second] = document.pages;
    expect(document.text.slice(first!.start, first!.end)).toMatch(/con$/);
    expect(document.text.slice(second!.start, second!.end)).toMatch(/^tinues/);
  });

  it("tells printed page labels apart from the page's place in the file", async () => {
    const { pages } = await read(
      makePdf([lines(["Preface, short."]), lines(["Preface, still."]), lines(["Chapter one."])], {
        labels: "0 << /S /r /St 5 >> 2 << /S /D >>",
      }),
      {},
    );
    expect(pages.map(({ number, label }) => [number, label])).toEqual([
      [1, "v"],
      [2, "vi"],
      [3, "1"],
    ]);
  });

  it("lets a sentence go on over a page end with a footnote between its halves", async () => {
    const body = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, i) => `Line ${from + i} of this book is about as wide as a line of a book may be`,
      );
    const { text, pages } = await read(
      makePdf([
        [
          ...lines(["A first paragraph stands here and comes to its end."], { top: 700 }),
          ...lines([...body(0, 12), "and the last sentence of this page does not stop with it but"], { top: 670 }),
          ...lines(["1A note in small print, which says where the thing was found."], { top: 100, size: 8 }),
        ],
        lines(["goes on here until it ends.", ...body(12, 24)], { top: 700 }),
      ]),
      {},
    );
    expect(text).toContain("does not stop with it but goes on here until it ends.");
    const at = text.indexOf("1 A note in small print");
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(pages[0]!.end);
    expect(text.slice(at - 2, at)).toBe("\n\n");
  });

  it("believes the printed numbers where they contradict its labels, and infers the one between two", async () => {
    const page = (number: string) => [
      ...lines(Array.from({ length: 20 }, (_, i) => `Some words about page ${number} and line ${i} that differ`)),
      { text: number, x: 300, y: 40 },
    ];
    const { pages } = await read(
      makePdf([page("7"), page("8"), page(""), page("10"), page("11")], { labels: "0 << /S /D /St 1 >>" }),
      {},
    );
    expect(pages.map(({ label, inferred }) => [label, inferred ?? false])).toEqual([
      ["7", false],
      ["8", false],
      ["9", true],
      ["10", false],
      ["11", false],
    ]);
  });

  it("keeps footnotes, on the page they stand on", async () => {
    const { text, blocks } = await read(
      makePdf([
        [
          ...lines([
            "The body of the page makes a claim of some weight.",
            "It goes on to a second line to be a paragraph.",
          ]),
          { text: "1 The claim is made in an older book too.", y: 90, size: 7 },
        ],
      ]),
      {},
    );
    const note = blocks.find(({ start, end }) => text.slice(start, end).startsWith("1 The claim"));
    expect(text.slice(note!.start, note!.end)).toBe("1 The claim is made in an older book too.");
  });

  it("has no marks of footnotes in its sentences, and remembers them; other raised figures stay", async () => {
    const sentence = "The body of the page makes a claim of some weight";
    const { text, edits } = await read(
      makePdf([
        [
          { text: sentence, y: 700 },
          { text: "1", x: 72 + 226, y: 704, size: 6 },
          { text: "that the area is 30 km", x: 72 + 232, y: 700 },
          { text: "2", x: 72 + 332, y: 704, size: 6 },
          ...lines(["and goes on to a second line, to be a paragraph of the page.", "The end."], { top: 688 }),
          { text: "1The claim is made in an older book too.", y: 90, size: 7 },
          { text: "2Or nearly.", y: 80, size: 7 },
        ],
      ]),
      {},
    );
    expect(text).toContain(`${sentence} that the area is 30 km`);
    expect(text).toContain("1 The claim is made");
    expect(edits).toContainEqual({ at: sentence.length, length: 0, original: expect.stringMatching(/^ ?1$/) });
    expect(edits.map(({ original }) => original.trim())).not.toContain("2");
  });

  it("takes no figures of an axis and no end of a reference for footnotes", async () => {
    const { blocks } = await read(
      makePdf([
        [
          ...lines(["The body of the page makes a claim of some weight.", "It goes on to a second line."]),
          ...["120", "80 100 120", "5(3):187-199.", "2001 2002 2003"].map((text, i) => ({
            text,
            y: 120 - i * 20,
            size: 7,
          })),
        ],
      ]),
      {},
    );
    expect(blocks.map(({ kind }) => kind)).not.toContain("footnote");
  });

  it("keeps items of a list whole where their lines hang, and a dash inside a sentence in it", async () => {
    const wide = "and the sentence is as long as the line that it stands in, from edge to edge, on the";
    const { text, blocks } = await read(
      makePdf([
        [
          ...lines([`The wheel turns on, ${wide}`, `- so to say - page, ${wide}`, "paper. It has:"], { top: 700 }),
          ...lines(["- spokes, of which there are many and which are made of the wood of an old typogra-"], {
            x: 90,
            top: 664,
          }),
          ...lines(["phical tree,"], { x: 108, top: 652 }),
          ...lines(["- a hub."], { x: 90, top: 640 }),
          ...lines([`So it is with wheels, ${wide}`], { x: 90, top: 628 }),
          ...lines(["paper as elsewhere. A typographical tree is a tree."], { top: 616 }),
        ],
      ]),
      {},
    );
    expect(blocks.map(({ kind }) => kind)).toEqual(["paragraph", "list", "paragraph"]);
    expect(text).toContain("on the - so to say - page");
    expect(text).toContain("an old typographical tree,\n- a hub.\n\nSo it is");
  });

  it("has the author below its title where a date follows, two beside each other apart, and no kind of document", async () => {
    const authors = async (...below: { text: string; x?: number }[]) =>
      (
        await read(
          makePdf([
            [
              { text: "On Wheels", x: 250, y: 720, size: 18 },
              ...below.map((line, i) => ({ x: 240, size: 12, y: 690 - i * 16, ...line })),
              ...lines(["A user reads this guide; it is about wheels.", "Wheels turn."], { top: 560 }),
            ],
          ]),
          {},
        )
      ).meta.authors;
    expect(await authors({ text: "Daniel Zerbino" }, { text: "August 29, 2008" })).toEqual(["Daniel Zerbino"]);
    expect(await authors({ text: "User Guide" }, { text: "August 29, 2008" })).toBeUndefined();
    const beside = [
      { text: "Ada Pottier", y: 690 },
      { text: "Jan Gianas", x: 330, y: 690 },
      { text: "INRIA", y: 670 },
    ];
    expect(await authors(...beside)).toEqual(["Ada Pottier", "Jan Gianas"]);
  });

  it("finds headings by their size where the file has no bookmarks", async () => {
    const { headings } = await read(
      makePdf([
        [
          { text: "On Wheels", y: 740, size: 20 },
          ...lines(["Some words about wheels in general.", "More of them."]),
          { text: "Of Spokes", y: 620, size: 14 },
          ...lines(["Some words about spokes.", "More of them, too."], { top: 600 }),
        ],
      ]),
      {},
    );
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, "On Wheels"],
      [2, "Of Spokes"],
    ]);
  });

  it("that draws its accents apart has them on first letters too", async () => {
    const french = lines([
      "La pr´esence d'une librairie compl`ete, ´ecrite `a la main,",
      "donne aux ´el`eves une libert´e que l'´ecole ne donne pas.",
      "Le syst`eme a ´et´e pens´e pour des lecteurs press´es,",
      "et l'id´ee d'une m´ethode vient de la m´emoire",
      "des premiers imprimeurs, tr`es attach´es `a leur m´etier.",
    ]);
    const { text } = await read(makePdf([french]), {});
    expect(text).toContain(
      "écrite à la main, donne aux élèves une liberté que l'école ne donne pas. Le système a été pensé",
    );

    const english = await read(makePdf([lines(["Only ´elegant´ is `a word` here, and B´ela read it."])]), {});
    expect(english.text).toBe("Only ´elegant´ is `a word` here, and Béla read it.");
  });

  it("has no first heading in its title, and no file name for one", async () => {
    const prose = lines(["Wheels turn because somebody made them round.", "That is nearly all there is to say."], {
      top: 640,
    });
    for (const heading of ["Introduction", "Table of Contents", "Background"]) {
      const { title } = await read(
        makePdf([[{ text: "The Wheel Package", y: 740, size: 16 }, { text: heading, y: 706, size: 16 }, ...prose]]),
        {},
      );
      expect(title).toBe("The Wheel Package");
    }
    for (const declared of ["res1.xls", "Contents"]) {
      const { title } = await read(makePdf([prose], { title: declared }), { path: "results.pdf" });
      expect(title).toBe("results");
    }
  });

  it("whose authors' addresses show that family names come first has them last", async () => {
    const page = (address: string) => [
      { text: "On Wheels", x: 250, y: 720, size: 18 },
      ...lines(["Oswald Xavier", address], { top: 690 }),
      ...lines(["Wheels turn because somebody made them round.", "That is nearly all there is to say."], { top: 580 }),
    ];
    const authors = async (address: string) => (await read(makePdf([page(address)]), {})).meta.authors;
    expect(await authors("x.oswald@example.org")).toEqual(["Xavier Oswald"]);
    expect(await authors("o.xavier@example.org")).toEqual(["Oswald Xavier"]);
  });

  it("has no heading that is the date of its title page, and one for its bibliography", async () => {
    const page = (heading: string) => [
      { text: heading, y: 600, size: 14 },
      ...lines(["Wheels turn because somebody made them round.", "That is nearly all there is to say."], { top: 580 }),
    ];
    const { headings } = await read(
      makePdf([
        [
          { text: "On Wheels", x: 250, y: 720, size: 18 },
          { text: "23rd April 2006", x: 240, y: 690, size: 14 },
          ...page("Of Rims"),
        ],
        page("Of Spokes"),
        [{ text: "Bibliography", y: 720, size: 17 }, ...lines(["Marlowe, A. The Wheel. London, 1925."], { top: 690 })],
      ]),
      {},
    );
    expect(headings.map(({ title }) => title)).toEqual(["On Wheels", "Of Rims", "Of Spokes", "Bibliography"]);
  });

  it("that is a scan says so", async () => {
    await expect(read(makePdf([[], [], []]), {})).rejects.toMatchObject({
      code: "PROCESSING_FAILED",
      details: { reason: "no_text" },
      message: expect.stringContaining("OCR"),
    });
  });

  it("names the pages without text when others have some", async () => {
    const { warnings } = await read(
      makePdf([lines(["Words on the first page of three."]), [], lines(["Words on the third page."])]),
      {},
    );
    expect(warnings).toEqual(["No text, perhaps scanned or blank: page 2."]);
  });

  it("that needs a password says so", async () => {
    await expect(read(makePdf([lines(["Secret words."])], { locked: true }), {})).rejects.toMatchObject({
      code: "PROCESSING_FAILED",
      details: { reason: "encrypted" },
    });
  });

  it("that is not one is broken, not a crash", async () => {
    await expect(read(new TextEncoder().encode("%PDF-1.7 and then nothing of the kind"), {})).rejects.toMatchObject({
      details: { reason: "broken" },
    });
  });
});
