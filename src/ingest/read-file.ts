import type { DocumentKind, ReadDocument, Reader, ReadOptions } from "./document.js";
import { unreadable } from "./document.js";
import { isImage, kindByName } from "./file-name.js";
import * as text from "./readers/text.js";
import { openZip } from "./zip.js";

/** Reads a document of any kind. Runs parsers of hostile input: call it in the reader process. */
export async function readFile(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument> {
  if (bytes.length === 0) throw unreadable("no_text", "The file is empty.");
  const read = await readerFor(kindOf(bytes, options));
  return withShortTitles(await read(bytes, options));
}

export function withShortTitles(document: ReadDocument): ReadDocument {
  return {
    ...document,
    title: shortened(document.title),
    headings: document.headings.map((heading) => ({ ...heading, title: shortened(heading.title) })),
  };
}

/** Titles are shortened, since every passage of an answer carries one; the text keeps the whole heading. */
const MAX_TITLE_CHARS = 500;
const shortened = (title: string) =>
  title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS).toWellFormed()}…`;

/** The file type by its bytes; where they do not decide, by content type or file name. */
function kindOf(bytes: Uint8Array, { path, contentType, url }: ReadOptions): DocumentKind {
  const top = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  if (top.slice(0, 1024).includes("%PDF-")) return "pdf";
  if (top.startsWith("PK")) return packageKind(bytes);
  if (top.startsWith("\xd0\xcf\x11\xe0")) return "docx";
  if (/^(?:\x89PNG|\xff\xd8\xff|II\*\0|MM\0\*|BM|RIFF[\s\S]{4}WEBP)/.test(top) && isImage(path ?? "")) return "image";
  const named = kindByName(path ?? "") ?? kindByName(url ? pathOf(url) : "");
  if (/<!doctype html|<html[\s>]/i.test(top)) return "html";
  if (/<article[\s>]|JATS|\/\/NLM\/\//.test(top) && /^\s*(?:\xef\xbb\xbf)?<[?!]/.test(top)) return "jats";
  if (/^(?:application\/pdf|application\/epub)/.test(contentType ?? ""))
    throw unreadable("broken", "The file is not what the server says it is.");
  if (/\bx?html\b/.test(contentType ?? "")) return "html";
  if (/markdown/.test(contentType ?? "")) return "markdown";
  if (named === "pdf" || named === "epub" || named === "docx")
    throw unreadable(
      "broken",
      `The file is named .${named} but does not begin like one. It is broken or something else.`,
    );
  if (!named && !contentType?.startsWith("text/") && path)
    throw unreadable(
      "unsupported",
      "This kind of file is not read. PDF, EPUB, HTML, Markdown, DOCX, JATS and plain text are.",
    );
  return named ?? "text";
}

function packageKind(bytes: Uint8Array): DocumentKind {
  const zip = openZip(bytes);
  if (zip.has("word/document.xml")) return "docx";
  if (zip.has("META-INF/container.xml") || zip.names.some((name) => name.endsWith(".opf"))) return "epub";
  throw unreadable("unsupported", "The archive is neither an EPUB nor a Word document.");
}

async function readerFor(kind: DocumentKind): Promise<Reader> {
  const readers: Record<DocumentKind, () => Promise<{ read: Reader }>> = {
    pdf: () => import("./readers/pdf.js"),
    epub: () => import("./readers/epub.js"),
    html: () => import("./readers/html.js"),
    markdown: () => import("./readers/markdown.js"),
    text: async () => text,
    docx: () => import("./readers/docx.js"),
    jats: () => import("./readers/jats.js"),
    image: () => import("./readers/image.js"),
  };
  return (await readers[kind]()).read;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}
