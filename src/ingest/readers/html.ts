import { parseHTML } from "linkedom";
import { addTo } from "../../kernel/collections.js";
import { fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { declaredEncoding, decode } from "../encoding.js";
import { findIsbn } from "../isbn.js";
import { findDoi, languageOf, metaOf, yearOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import { createTextBuilder } from "../text-builder.js";
import { writeDom } from "./dom-text.js";
import { resolve } from "./epub-files.js";
import { noteRoles } from "./html-notes.js";
import { textPart } from "./html-page.js";
import { htmlRole } from "./html-roles.js";
import { markedAuthors } from "./title-page-markup.js";
import { textOf } from "./xml.js";

export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  const { text, warnings } = decode(bytes, declaredEncoding(bytes, options.contentType));
  const page = readHtml(text, options);
  return { ...page, warnings: [...warnings, ...page.warnings] };
}

export function readHtml(source: string, options: ReadOptions): ReadDocument {
  const document = parsePage(source);
  const meta = declaredIn(document);
  const declared = /<html\s[^>]{0,500}?\blang\s*=\s*["']?([\w-]+)/i.exec(source.slice(0, 10_000))?.[1];
  const builder = createTextBuilder();
  const { root, isChrome, warnings } = textPart(document);
  const noteRole = noteRoles(root, { path: "", addressOf: (href) => resolve("", href).target });
  writeDom(root, builder, {
    roleOf: (element) => (isChrome(element) ? "skip" : (noteRole(element) ?? htmlRole(element))),
  });
  const built = builder.finish();
  if (!built.text.trim())
    throw unreadable(
      "no_text",
      "The page holds no text. Pages that are drawn by a program have to be saved as text or PDF first.",
    );
  const title = meta.title || built.headings[0]?.title || fileStem(options.path) || options.url || "Untitled page";
  return { ...built, title, kind: "html", meta, language: languageOf(built.text, declared), warnings };
}

/** Browsers show content outside `body`, but the parser leaves it there; such a page is wrapped again. */
function parsePage(source: string): Document {
  const { document } = parseHTML(source);
  const parts = document.children.length === 1 ? [...(document.documentElement?.children ?? [])] : [];
  const names = parts.map(({ localName }) => localName.toLowerCase()).join();
  if (names === "head,body" || names === "body") return document;
  const inner = source.replace(/<!doctype[^<>]*>|<\/?(?:html|body)(?:\s[^<>]*)?>/gi, "");
  return parseHTML(`<!doctype html><html><head></head><body>${inner}</body></html>`).document;
}

function declaredIn(document: Document) {
  const values = new Map<string, string[]>();
  for (const element of document.querySelectorAll("meta")) {
    const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "").toLowerCase();
    const content = element.getAttribute("content")?.trim();
    if (name && content) addTo(values, name, content);
  }
  const first = (...names: string[]) => names.map((name) => values.get(name)?.[0]).find(Boolean);
  const title = first("citation_title", "dc.title", "og:title") ?? textOf(document.querySelector("title"));
  const declared = values.get("citation_author") ?? values.get("dc.creator") ?? splitAuthors(first("author"));
  return metaOf({
    title,
    authors: declared.length > 0 ? declared : markedAuthors(document),
    year: yearOf(first("citation_publication_date", "citation_date", "dc.date", "article:published_time", "date")),
    doi: findDoi(first("citation_doi", "dc.identifier", "doi") ?? ""),
    isbn: findIsbn(`ISBN ${first("citation_isbn", "book:isbn") ?? ""}`),
  });
}
