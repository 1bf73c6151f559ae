import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { declaredEncoding, decodeText } from "../encoding.js";
import { findDoi, languageOf, metaOf, yearOf } from "../meta.js";
import { createTextBuilder } from "../text-builder.js";
import { type Role, rolesByName, writeDom } from "./dom-text.js";
import { byName, localName, parseXml, textOf } from "./xml.js";

/** Journal articles in JATS, the XML that publishers and PubMed Central exchange. */
export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  const document = parseXml(decodeText(bytes, declaredEncoding(bytes)));
  const article = byName(document, "article")[0];
  if (!article) throw unreadable("unsupported", "The XML file is not a journal article (JATS).");
  const front = byName(article, "article-meta")[0];
  const builder = createTextBuilder();
  const title = textOf(front && byName(front, "article-title")[0]) || fileStem(options.path) || "Untitled article";
  builder.heading(1, () => builder.write(title));
  for (const abstract of front ? byName(front, "abstract") : []) {
    if (!byName(abstract, "title").length) builder.heading(2, () => builder.write("Abstract"));
    writeDom(abstract, builder, { roleOf });
  }
  for (const part of ["body", "back"])
    for (const element of byName(article, part).slice(0, 1)) writeDom(element, builder, { roleOf });
  const built = builder.finish();
  return {
    ...built,
    title,
    kind: "jats",
    meta: declaredIn(front, title),
    language: languageOf(built.text, article.getAttribute("xml:lang")),
    warnings: [],
  };
}

/** What an element is wherever it stands; any other is inline. */
const ROLES = rolesByName({
  figure: "fig",
  equation: "disp-formula",
  references: "ref-list",
  list: "list def-list",
  item: "list-item",
  table: "table",
  row: "tr",
  cell: "td th",
  code: "preformat code",
  break: "break",
  skip: "object-id graphic media tex-math supplementary-material ext-link-label",
  block:
    "p sec caption disp-quote boxed-text ack app fn-group label glossary def-item table-wrap abstract table-wrap-foot notes bio title ref",
});

function roleOf(element: Element): Role {
  const name = localName(element);
  const parent = parentName(element);
  // A picture's label and caption are one block; what a table is called stands before its rows.
  if ((name === "label" || name === "caption") && parent === "table-wrap") return "caption";
  if (name === "title" && parent !== "caption") return { heading: Math.min(6, 1 + depth(element)) };
  if (name === "fn") return { footnote: "", ...(parent === "p" ? { within: true } : {}) };
  if (name === "label" && parent === "fn") return "note-label";
  if (name === "xref" && element.getAttribute("ref-type") === "fn") return "note-mark";
  if (name === "label" && (parent === "sec" || parent === "ref")) return "inline";
  return ROLES.get(name) ?? "inline";
}

const parentName = (element: Element) => (element.parentElement ? localName(element.parentElement) : "");

function depth(element: Element): number {
  let levels = 0;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (["sec", "abstract", "ack", "app", "ref-list", "glossary", "notes"].includes(localName(parent))) levels++;
  return Math.max(1, levels);
}

function declaredIn(front: Element | undefined, title: string): DocumentMeta {
  if (!front) return { type: "article-journal", title };
  const doi = byName(front, "article-id").find((id) => id.getAttribute("pub-id-type") === "doi");
  const date = byName(front, "pub-date")[0];
  const authors = byName(front, "contrib")
    .filter((contrib) => contrib.getAttribute("contrib-type") === "author")
    .map((contrib) =>
      [textOf(byName(contrib, "given-names")[0]), textOf(byName(contrib, "surname")[0])].filter(Boolean).join(" "),
    )
    .filter(Boolean);
  return metaOf({
    type: "article-journal",
    title,
    doi: findDoi(textOf(doi)),
    authors,
    year: yearOf(textOf(date && byName(date, "year")[0])),
  });
}
