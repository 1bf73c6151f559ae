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

  it.each([
    ["Daniel", undefined],
    ["Microsoft Office User", undefined],
    ["Ada Writer; Bob Reader", ["Ada Writer", "Bob Reader"]],
    ["Wheel Society", ["Wheel Society"]],
  ])("by the account %s has the authors %j", async (creator, authors) => {
    expect((await read(word(`<w:p>${text("On wheels.")}</w:p>`, creator), {})).meta.authors).toEqual(authors);
  });
});
