import { describe, expect, it } from "vitest";
import { makeEpub } from "../../../tests/support/ingest-files.js";
import { read } from "./epub.js";
import { readHtml } from "./html.js";
import { readMarkdown } from "./markdown.js";

const SENTENCE = "The wheel turns";
/** The page's blocks, with the kind of those that are no paragraphs. */
const blocksOf = ({ text, blocks }: ReturnType<typeof readHtml>) =>
  blocks.map(({ kind, start, end }) => `${kind === "paragraph" ? "" : `${kind}: `}${text.slice(start, end)}`);
const page = (body: string) => readHtml(`<!doctype html><html><body><main>${body}</main></body></html>`, {});

// As each program writes a sentence with a note, and the note.
const WRITTEN_BY: Record<string, string> = {
  Pandoc: `<p>${SENTENCE}<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>, and stops.</p>
    <section id="footnotes" class="footnotes" role="doc-endnotes"><hr /><ol><li id="fn1"><p>By hand.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>`,
  GitHub: `<p>${SENTENCE}<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref aria-describedby="footnote-label">1</a></sup>, and stops.</p>
    <section data-footnotes class="footnotes"><ol><li id="user-content-fn-1"><p>By hand. <a href="#user-content-fnref-1" data-footnote-backref class="data-footnote-backref">↩</a></p></li></ol></section>`,
  "Python-Markdown": `<p>${SENTENCE}<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>, and stops.</p>
    <div class="footnote"><hr /><ol><li id="fn:1"><p>By hand.&#160;<a class="footnote-backref" href="#fnref:1" title="Jump back">&#8617;</a></p></li></ol></div>`,
  DocBook: `<p>${SENTENCE}<a href="#ftn.idp1" class="footnote" id="idp1"><sup class="footnote">[1]</sup></a>, and stops.</p>
    <div class="footnotes"><br /><hr style="width:100" /><div id="ftn.idp1" class="footnote"><p><a href="#idp1" class="para"><sup class="para">[1] </sup></a>By hand.</p></div></div>`,
  AsciiDoctor: `<div class="paragraph"><p>${SENTENCE}<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1" title="View footnote.">1</a>]</sup>, and stops.</p></div>
    <div id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. By hand.</div></div>`,
  docutils: `<p>${SENTENCE}<a class="footnote-reference brackets" href="#footnote-1" id="footnote-reference-1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a>, and stops.</p>
    <aside class="footnote-list brackets"><aside class="footnote brackets" id="footnote-1" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#footnote-reference-1">1</a><span class="fn-bracket">]</span></span><p>By hand.</p></aside></aside>`,
  "docutils with tables": `<p>${SENTENCE}<a class="footnote-reference" href="#id2" id="id1">[1]</a>, and stops.</p>
    <table class="docutils footnote" frame="void" id="id2" rules="none"><colgroup><col class="label" /><col /></colgroup><tbody valign="top"><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>By hand.</td></tr></tbody></table>`,
  Texinfo: `<p>${SENTENCE}<a class="footnote" id="DOCF1" href="#FOOT1"><sup>1</sup></a>, and stops.</p>
    <div class="footnotes-segment"><hr><h5 class="footnote-body-heading"><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>By hand.</p></div>`,
  HeVeA: `<p>${SENTENCE}<sup><a id="text1" href="#note1">1</a></sup>, and stops.</p>
    <hr class="footnoterule"><dl class="thefootnotes"><dt class="dt-thefootnotes"><a id="note1" href="#text1">1</a></dt><dd class="dd-thefootnotes"><div class="footnotetext">By hand.</div></dd></dl>`,
  LibreOffice: `<p>${SENTENCE}<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>, and stops.</p>
    <div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>By hand.</p></div>`,
  Word: `<p class="MsoNormal">${SENTENCE}<a href="#_ftn1" name="_ftnref1"><span class="MsoFootnoteReference">[1]</span></a>, and stops.</p>
    <hr><div id="ftn1"><p class="MsoFootnoteText"><a href="#_ftnref1" name="_ftn1"><span class="MsoFootnoteReference">[1]</span></a> By hand.</p></div>`,
  Gutenberg: `<p>${SENTENCE}<a name="FNanchor_1_1"></a><a href="#Footnote_1_1" class="fnanchor">[1]</a>, and stops.</p>
    <div class="footnote"><p><a name="Footnote_1_1"></a><a href="#FNanchor_1_1"><span class="label">[1]</span></a> By hand.</p></div>`,
  LaTeXML: `<p class="ltx_p">${SENTENCE}<span class="ltx_note ltx_role_footnote" id="footnote1"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>By hand.</span></span></span>, and stops.</p>`,
  "org-mode": `<p>${SENTENCE}<sup><a id="fnr.1" class="footref" href="#fn.1" role="doc-backlink">1</a></sup>, and stops.</p>
    <div id="footnotes"><div id="text-footnotes"><div class="footdef"><sup><a id="fn.1" class="footnum" href="#fnr.1" role="doc-backlink">1</a></sup> <div class="footpara" role="doc-footnote"><p class="footpara">By hand.</p></div></div></div></div>`,
};

describe("a web page with notes", () => {
  it.each(Object.entries(WRITTEN_BY))("by %s has them as blocks that begin with their mark", (_program, body) => {
    const read = page(`<h1>Wheels</h1>${body}`);
    const [, sentence, ...notes] = blocksOf(read);
    expect(sentence).toBe(`${SENTENCE}, and stops.`);
    expect(notes).toEqual([expect.stringMatching(/^footnote: (?:1\.?|\[1\]) By hand\.$/)]);
    expect(read.edits).toContainEqual({
      at: read.text.indexOf(", and"),
      length: 0,
      original: expect.stringMatching(/1/),
    });
    expect(read.headings.map(({ title }) => title)).toEqual(["Wheels"]);
  });

  it("keeps all paragraphs of a note in one block, and notes apart from each other", () => {
    const read = page(`<p>One<sup><a href="#a" id="ra">1</a></sup> and two<sup><a href="#b" id="rb">2</a></sup>.</p>
      <ol><li id="a"><p>First.</p><p>More of it. <a href="#ra">↩</a></p></li><li id="b">Second. <a href="#rb">↩</a></li></ol>`);
    expect(blocksOf(read)).toEqual(["One and two.", "footnote: 1 First. More of it.", "footnote: 2 Second."]);
  });

  it("keeps numbers that are no marks: powers, lists of links, citations and tables of contents", () => {
    const read = page(`<ul><li id="t1"><a href="#s1">1</a> Rims</li><li id="t2"><a href="#s2">2</a> Hubs</li></ul>
      <h2 id="s1"><a href="#t1">1</a> Rims</h2><p>About 10<sup>3</sup> of them, see [<a href="#ref7">7</a>].</p>
      <h2 id="s2"><a href="#t2">2</a> Hubs</h2><p>One.</p><p id="ref7">[7] A book.</p>`);
    expect(blocksOf(read)).toEqual([
      "list: 1 Rims\n2 Hubs",
      "heading: 1 Rims",
      "About 103 of them, see [7].",
      "heading: 2 Hubs",
      "One.",
      "[7] A book.",
    ]);
  });
});

describe("a book with notes", () => {
  const xhtml = (body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>${body}</body></html>`;

  it("has them under their marks, also where they are in a file of their own", () => {
    const book = read(
      makeEpub({
        chapters: {
          "one.xhtml": xhtml('<p>The wheel turns<a id="r1" href="notes.xhtml#n1">[1]</a>, and stops.</p>'),
          "two.xhtml": xhtml('<p>It is round.<a epub:type="noteref" href="notes.xhtml#n2">2</a></p>'),
          "notes.xhtml": xhtml(
            '<h1>Notes</h1><p id="n1"><a href="one.xhtml#r1">1</a> By hand.</p><aside epub:type="endnote" id="n2"><p>Mostly.</p></aside>',
          ),
        },
      }),
      {},
    );
    expect(blocksOf(book)).toEqual([
      "The wheel turns, and stops.",
      "It is round.",
      "heading: Notes",
      "footnote: 1 By hand.",
      "footnote: 2 Mostly.",
    ]);
  });
});

describe("a Markdown file with notes", () => {
  it("has them as blocks with their name, with all their lines; what looks like a mark in code is code", () => {
    const read = readMarkdown(
      "The wheel turns[^1], and **stops[^b]**. Not `[^1]`, nor [^x].\n\n```\n[^1]: code\n```\n\n[^1]: By hand.\n    And by foot.\n\n    Or not.\n[^b]: https://example.org/wheel\n\nThe end.\n",
      {},
    );
    expect(blocksOf(read)).toEqual([
      "The wheel turns, and stops. Not [^1], nor [^x].",
      "code: [^1]: code",
      "footnote: 1 By hand. And by foot. Or not.",
      "footnote: b https://example.org/wheel",
      "The end.",
    ]);
    expect(read.edits).toContainEqual({ at: "The wheel turns".length, length: 0, original: "[^1]" });
  });
});
