import { strToU8, zipSync } from "fflate";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (inner: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}${inner}</w:p>`;

/** A draft as a German Word writes it: a heading, a deleted word, a footnote, a block quotation. */
export function wordFile(): Uint8Array {
  const document = `<w:document ${W}><w:body>${[
    paragraph(run("What stays"), "berschrift1"),
    paragraph(
      `${run("Renn ")}<w:del><w:r><w:delText>claims</w:delText></w:r></w:del><w:ins>${run("says")}</w:ins>${run(" that “the curve he drew ")}${run("falls slowly and flattens out”.")}<w:r><w:footnoteReference w:id="2"/></w:r>`,
    ),
    paragraph(run("Most of what we read is gone within a week"), "Zitat"),
  ].join("")}</w:body></w:document>`;
  const styles = `<w:styles ${W}>
    <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:styleId="Zitat"><w:name w:val="Quote"/></w:style></w:styles>`;
  const footnotes = `<w:footnotes ${W}>
    <w:footnote w:type="separator" w:id="0">${paragraph(run("–"))}</w:footnote>
    <w:footnote w:id="2">${paragraph(run("[@renn2025forgetting]"))}</w:footnote></w:footnotes>`;
  return zipSync({
    "word/document.xml": strToU8(document),
    "word/styles.xml": strToU8(styles),
    "word/footnotes.xml": strToU8(footnotes),
  });
}
