import type { DocumentKind } from "./document.js";

const EXTENSIONS: Readonly<Record<string, DocumentKind>> = {
  pdf: "pdf",
  epub: "epub",
  html: "html",
  htm: "html",
  xhtml: "html",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  text: "text",
  docx: "docx",
  nxml: "jats",
  jats: "jats",
  xml: "jats",
};
const IMAGES = new Set(["png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp"]);

/** A picture, which only text recognition can read. */
export const isImage = (path: string) => IMAGES.has(extensionOf(path));

/** The kind of document a name stands for; undefined for photos and programs, which are not opened. */
export function kindByName(path: string): DocumentKind | undefined {
  const extension = extensionOf(path);
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

function extensionOf(path: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}
