import { describe, expect, it } from "vitest";
import { corpusFile, hasDocuments, makeEpub, makeZip, xhtml } from "../../../tests/support/ingest-files.js";
import { openZip } from "../zip.js";
import { read } from "./epub.js";
import { byName, parseXml, textOf } from "./xml.js";

const BOOKS = [
  "alice",
  "moby-dick",
  "se-charles-darwin_the-origin-of-species",
  "se-henry-david-thoreau_walden",
  "se-marcus-aurelius_meditations_george-long",
  "se-mary-shelley_frankenstein",
];

describe.skipIf(!hasDocuments)("a real EPUB", () => {
  for (const name of BOOKS)
    it(`has the chapters of its own table of contents, in order and in place: ${name}`, async () => {
      const bytes = await corpusFile(`epub/${name}.epub`);
      const { headings, text } = read(bytes, {});
      const contents = contentsOf(bytes);
      expect(contents.length).toBeGreaterThan(8);
      const titles = headings.map(({ title }) => title);
      for (const title of contents) expect(titles).toContain(title);
      expect(titles.filter((title) => contents.includes(title))).toEqual(contents);
      for (const { start } of headings) expect(text.slice(start, start + 1)).toMatch(/\S/);
    });

  it("loses no sentence on the way to text", async () => {
    const bytes = await corpusFile("epub/moby-dick.epub");
    const { text } = read(bytes, {});
    const zip = openZip(bytes);
    const flat = (value: string) => value.replace(/[\s\u00a0\u2060\u00ad]+/g, "");
    const whole = flat(text);
    const chapter = zip.names.filter((name) => /chapter-\d+\.xhtml$/.test(name));
    expect(chapter.length).toBeGreaterThan(100);
    for (const name of chapter) {
      for (const paragraph of byName(parseXml(new TextDecoder().decode(zip.bytes(name))), "p")) {
        for (const mark of byName(paragraph, "a"))
          if (/noteref/.test(mark.getAttribute("epub:type") ?? "")) mark.remove();
        if (!byName(paragraph, "p", "img").length) expect(whole).toContain(flat(paragraph.textContent ?? ""));
      }
    }
  });

  it("knows its author, title and language, and has no pages it does not list", async () => {
    expect(read(await corpusFile("epub/se-henry-david-thoreau_walden.epub"), {})).toMatchObject({
      title: "Walden",
      language: "en",
      pages: [],
      meta: { authors: ["Henry David Thoreau"], type: "book" },
    });
  });

  it("keeps the author who is also annotator and writer of the introduction", async () => {
    const { meta } = read(await corpusFile("epub/se-mary-shelley_frankenstein.epub"), {});
    expect(meta?.authors).toHaveLength(1);
    expect(JSON.stringify(meta?.authors)).toContain("Shelley");
  });
});

function contentsOf(bytes: Uint8Array): string[] {
  const zip = openZip(bytes);
  for (const name of zip.names.filter((each) => /\.x?html$/.test(each))) {
    const toc = byName(parseXml(new TextDecoder().decode(zip.bytes(name))), "nav").find(
      (nav) => nav.getAttribute("epub:type") === "toc",
    );
    if (toc) return byName(toc, "a").map(textOf);
  }
  return [];
}

describe("an EPUB", () => {
  const nav = `<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li><li><a href="two.xhtml">Two</a></li></ol></nav>
    <nav epub:type="page-list"><ol><li><a href="one.xhtml#p7">vii</a></li><li><a href="one.xhtml#p8">viii</a></li><li><a href="two.xhtml#p9">1</a></li></ol></nav></body></html>`;
  const chapters = {
    "one.xhtml": xhtml(
      '<h1>One</h1><p><span id="p7"/>First page of the preface. <span id="p8"/>Second page&nbsp;of it &mdash; still.</p>',
    ),
    "two.xhtml": xhtml(
      '<h1 id="p9">Two</h1><p>The story begins.<a epub:type="noteref" href="#n1">1</a></p><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    ),
  };

  it("takes pages and their printed names from its page list", () => {
    const { pages, text } = read(makeEpub({ chapters, nav }), {});
    expect(pages.map(({ number, label, start, end }) => [number, label, text.slice(start, end).trim()])).toEqual([
      [1, "vii", "First page of the preface."],
      [2, "viii", "Second page of it — still."],
      [3, "1", "Two\n\nThe story begins.\n\na\tb\nc\td"],
    ]);
  });

  it("is read once where it lists a file again for each of its sections", () => {
    const listed = { "one.xhtml": chapters["one.xhtml"], "one.xhtml#p8": "", "two.xhtml": chapters["two.xhtml"] };
    expect(read(makeEpub({ chapters: listed, nav }), {}).text).toBe(read(makeEpub({ chapters, nav }), {}).text);
  });

  it("that names no author has the ones its title page marks", () => {
    const titlePage = xhtml(
      '<div class="titlepage"><h1>A Small Book</h1><h3 class="author">Bob Reader</h3></div><p>Wheels turn.</p>',
    );
    const bytes = makeEpub({ chapters: { "title.xhtml": titlePage, ...chapters } });
    expect(read(bytes, {}).meta.authors).toEqual(["Ada Writer"]);
    const entries = openZip(bytes);
    const files = Object.fromEntries(entries.names.map((name) => [name, Buffer.from(entries.bytes(name))]));
    const opf = String(files["OPS/book.opf"]).replace("<dc:creator>Ada Writer</dc:creator>", "");
    const { meta, headings } = read(makeZip({ ...files, "OPS/book.opf": opf }), {});
    expect(meta.authors).toEqual(["Bob Reader"]);
    expect(headings.map(({ title }) => title)).not.toContain("Bob Reader");
  });

  it("leaves note marks out of its sentences and remembers them", () => {
    const { text, edits } = read(makeEpub({ chapters, nav }), {});
    expect(text).toContain("The story begins.\n");
    expect(edits).toContainEqual({ at: text.indexOf("begins.") + 7, length: 0, original: "1" });
  });

  it("leaves out the arrows that lead back from its notes", () => {
    const notes = xhtml(
      '<aside epub:type="footnote" id="n1"><p>A note. <a href="#r1" role="doc-backlink">\u21a9\ufe0e</a></p></aside>',
    );
    expect(read(makeEpub({ chapters: { "notes.xhtml": notes } }), {}).text).toBe("A note.");
  });

  it("reads what it says about itself", () => {
    expect(read(makeEpub({ chapters, nav }), {}).meta).toEqual({
      type: "book",
      title: "A Small Book",
      authors: ["Ada Writer"],
      isbn: "9780306406157",
      year: 1999,
    });
  });

  it("that unpacks to gigabytes is refused before it does, whatever its headers say", () => {
    const bomb = makeEpub({ chapters, extra: { "OPS/bomb.xhtml": new Uint8Array(80 * 1024 ** 2) } });
    expect(() => openZip(bomb).bytes("OPS/bomb.xhtml")).toThrow(/far more than a document holds/);
    const lying = makeZip({ "word/document.xml": new Uint8Array(80 * 1024 ** 2) }, { lie: true });
    expect(() => openZip(lying).checkAll()).toThrow(/far more/);
    const many = makeZip(
      Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`f${i}`, new Uint8Array(60 * 1024 ** 2)])),
    );
    expect(() => openZip(many).checkAll()).toThrow(/far more/);
  });

  it("that names a file outside itself is refused", () => {
    for (const name of ["../../etc/passwd", "/etc/passwd", "a/../../b", "C:\\windows\\x", "..\\x"])
      expect(() => read(makeEpub({ chapters, extra: { [name]: "x" } }), {})).toThrow(/outside itself/);
  });

  it("that declares entities of its own is refused, and nothing is expanded or fetched", () => {
    const laughs = `<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>${xhtml("<p>&b;&c;</p>").replace(/^<\?xml[^>]*\?>/, "")}`;
    expect(() => read(makeEpub({ chapters: { "one.xhtml": laughs } }), {})).toThrow(/XML entities/);
  });

  it("under DRM says so", () => {
    const encryption =
      '<encryption><EncryptedData><CipherData><CipherReference URI="OPS/one.xhtml"/></CipherData></EncryptedData></encryption>';
    expect(() => read(makeEpub({ chapters, extra: { "META-INF/encryption.xml": encryption } }), {})).toThrow(/DRM/);
  });
});
