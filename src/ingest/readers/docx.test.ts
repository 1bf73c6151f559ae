import { describe, expect, it } from "vitest";
import { makeZip } from "../../../tests/support/ingest-files.js";
import { read } from "./docx.js";

const NAMES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const word = (body: string, creator = "") =>
  makeZip({
    "word/document.xml": `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`,
    "docProps/core.xml": `<cp xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${creator}</dc:creator></cp>`,
  });
const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const sign = (letters: string) => `<m:r><m:t>${letters}</m:t></m:r>`;

describe("a Word file", () => {
  it("keeps its equations as text, inside a sentence and on a line of their own", async () => {
    const power = `<m:sSup><m:e>${sign("x")}</m:e><m:sup>${sign("n+1")}</m:sup></m:sSup>`;
    const half = `<m:f><m:num>${sign("a&lt;b")}</m:num><m:den>${sign("2")}</m:den></m:f>`;
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${sign("k=1")}</m:sub><m:sup>${sign("n")}</m:sup><m:e><m:rad><m:deg/><m:e>${sign("k")}</m:e></m:rad></m:e></m:nary>`;
    const file = word(
      `<w:p>${text("Let ")}<m:oMath>${power}</m:oMath>${text(" be known.")}</w:p><w:p><m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath>${half}${sign("=")}${sum}</m:oMath></m:oMathPara></w:p>`,
    );
    expect((await read(file, {})).text).toBe("Let x^(n+1) be known.\n\n(a<b)/2=∑_(k=1)^n√k");
  });

  it("has its notes as blocks of their own that begin with their mark, and code line by line", async () => {
    const note = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const file = makeZip({
      "word/document.xml": `<w:document ${NAMES}><w:body><w:p>${text("A claim.")}${note(2)}${text(" Another.")}${note(3)}</w:p><w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr>${text("if (x)")}<w:r><w:br/></w:r>${text("  turn();")}</w:p></w:body></w:document>`,
      "word/styles.xml": `<w:styles ${NAMES}><w:style w:type="paragraph" w:styleId="SourceCode"><w:name w:val="Source Code"/></w:style></w:styles>`,
      "word/footnotes.xml": `<w:footnotes ${NAMES}>${[2, 3].map((id) => `<w:footnote w:id="${id}"><w:p>${text(`Its source, number ${id}.`)}</w:p></w:footnote>`).join("")}</w:footnotes>`,
      "word/_rels/document.xml.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    });
    const document = await read(file, {});
    expect(document.blocks.map(({ kind, start, end }) => [kind, document.text.slice(start, end)])).toEqual([
      ["paragraph", "A claim. Another."],
      ["code", "if (x)\n  turn();"],
      ["footnote", "1 Its source, number 2."],
      ["footnote", "2 Its source, number 3."],
    ]);
  });

  it.each([
    ["Daniel", undefined],
    ["Microsoft Office User", undefined],
    ["Ada Writer; Bob Reader", ["Ada Writer", "Bob Reader"]],
    ["Wheel Society", ["Wheel Society"]],
  ])("by the account %s has the authors %j", async (creator, authors) => {
    expect((await read(word(`<w:p>${text("On wheels.")}</w:p>`, creator), {})).meta.authors).toEqual(authors);
  });
});
