import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { declaredEncoding, decodeText } from "../encoding.js";
import { findDoi, languageOf, yearOf } from "../meta.js";
import { createTextBuilder } from "../text-builder.js";
import { type Role, writeDom } from "./dom-text.js";
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
    meta: metaOf(front, title),
    language: languageOf(built.text, article.getAttribute("xml:lang")),
    warnings: [],
  };
}

const BLOCKS = new Set([
  "p",
  "sec",
  "caption",
  "disp-quote",
  "boxed-text",
  "ack",
  "app",
  "fn-group",
  "label",
  "glossary",
  "def-item",
  "table-wrap",
  "abstract",
  "table-wrap-foot",
  "notes",
  "bio",
  "title",
]);

function roleOf(element: Element): Role {
  const name = localName(element);
  // A picture's label and caption are one block; what a table is called stands before its rows.
  if (name === "fig") return "figure";
  if ((name === "label" || name === "caption") && parentName(element) === "table-wrap") return "caption";
  if (name === "disp-formula") return "equation";
  if (name === "title" && parentName(element) !== "caption") return { heading: Math.min(6, 1 + depth(element)) };
  if (name === "ref-list") return "references";
  if (name === "ref") return "block";
  if (name === "fn") return { footnote: "", ...(parentName(element) === "p" ? { within: true } : {}) };
  if (name === "label" && parentName(element) === "fn") return "note-label";
  if (name === "xref" && element.getAttribute("ref-type") === "fn") return "note-mark";
  if (name === "list" || name === "def-list") return "list";
  if (name === "list-item") return "item";
  if (name === "table") return "table";
  if (name === "tr") return "row";
  if (name === "td" || name === "th") return "cell";
  if (name === "preformat" || name === "code") return "code";
  if (name === "break") return "break";
  if (name === "label" && ["sec", "ref"].includes(parentName(element))) return "inline";
  if (["object-id", "graphic", "media", "tex-math", "supplementary-material", "ext-link-label"].includes(name))
    return "skip";
  return BLOCKS.has(name) ? "block" : "inline";
}

const parentName = (element: Element) => (element.parentElement ? localName(element.parentElement) : "");

function depth(element: Element): number {
  let levels = 0;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (["sec", "abstract", "ack", "app", "ref-list", "glossary", "notes"].includes(localName(parent))) levels++;
  return Math.max(1, levels);
}

function metaOf(front: Element | undefined, title: string): DocumentMeta {
  const meta: DocumentMeta = { type: "article-journal", title };
  if (!front) return meta;
  const doi = byName(front, "article-id").find((id) => id.getAttribute("pub-id-type") === "doi");
  const found = findDoi(textOf(doi));
  if (found) meta.doi = found;
  const authors = byName(front, "contrib")
    .filter((contrib) => contrib.getAttribute("contrib-type") === "author")
    .map((contrib) =>
      [textOf(byName(contrib, "given-names")[0]), textOf(byName(contrib, "surname")[0])].filter(Boolean).join(" "),
    )
    .filter(Boolean);
  if (authors.length) meta.authors = authors;
  const year = yearOf(textOf(byName(front, "pub-date")[0] && byName(byName(front, "pub-date")[0]!, "year")[0]));
  if (year) meta.year = year;
  return meta;
}
