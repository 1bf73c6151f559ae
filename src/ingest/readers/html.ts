import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { declaredEncoding, decodeText } from "../encoding.js";
import { findDoi, findIsbn, languageOf, splitAuthors, yearOf } from "../meta.js";
import { createTextBuilder } from "../text-builder.js";
import { depthOf, writeDom } from "./dom-text.js";
import { htmlRole } from "./html-roles.js";
import { textOf } from "./xml.js";

const MAX_ARTICLE_DEPTH = 200;

export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  return readHtml(decodeText(bytes, declaredEncoding(bytes, options.contentType)), options);
}

export function readHtml(source: string, options: ReadOptions): ReadDocument {
  const { document } = parseHTML(
    /<html[\s>]/i.test(source) ? source : `<!doctype html><html><head></head><body>${source}</body></html>`,
  );
  const meta = metaOf(document);
  const declared = document.documentElement?.getAttribute("lang") ?? document.documentElement?.getAttribute("xml:lang");
  const builder = createTextBuilder();
  writeDom(mainPart(document), builder, { roleOf: htmlRole });
  const built = builder.finish();
  if (!built.text.trim())
    throw unreadable(
      "no_text",
      "The page holds no text. Pages that are drawn by a program have to be saved as text or PDF first.",
    );
  const title = meta.title || built.headings[0]?.title || fileStem(options.path) || options.url || "Untitled page";
  return { ...built, title, kind: "html", meta, language: languageOf(built.text, declared), warnings: [] };
}

/** The article without the page around it; the whole page where picking one out would lose what a reader came for. */
function mainPart(document: Document): Element {
  const body = document.body ?? document.documentElement;
  // Picking out the article takes time with the cube of the depth; no page that a person wrote comes near this.
  if (depthOf(body, MAX_ARTICLE_DEPTH) >= MAX_ARTICLE_DEPTH) return body;
  const prose = proseLength(body);
  const copy = document.cloneNode(true) as Document;
  const article = new Readability(copy, {
    charThreshold: 200,
    keepClasses: true,
    classesToPreserve: ["reference", "references"],
  }).parse();
  if (!article?.content) return body;
  const part = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`).document.body;
  return proseLength(part) >= prose * 0.7 ? part : body;
}

function proseLength(root: Element): number {
  let length = 0;
  for (const element of root.querySelectorAll("p, pre, blockquote, li"))
    if (element.localName !== "li" || !element.querySelector("a, p")) length += textOf(element).length;
  return length;
}

function metaOf(document: Document) {
  const values = new Map<string, string[]>();
  for (const element of document.querySelectorAll("meta")) {
    const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "").toLowerCase();
    const content = element.getAttribute("content")?.trim();
    if (name && content) values.set(name, [...(values.get(name) ?? []), content]);
  }
  const first = (...names: string[]) => names.map((name) => values.get(name)?.[0]).find(Boolean);
  const title = first("citation_title", "dc.title", "og:title") ?? textOf(document.querySelector("title"));
  const authors = values.get("citation_author") ?? values.get("dc.creator") ?? splitAuthors(first("author"));
  const year = yearOf(first("citation_publication_date", "citation_date", "dc.date", "article:published_time", "date"));
  const doi = findDoi(first("citation_doi", "dc.identifier", "doi") ?? "");
  const isbn = findIsbn(`ISBN ${first("citation_isbn", "book:isbn") ?? ""}`);
  return {
    ...(title ? { title } : {}),
    ...(authors.length ? { authors } : {}),
    ...(year ? { year } : {}),
    ...(doi ? { doi } : {}),
    ...(isbn ? { isbn } : {}),
  };
}
