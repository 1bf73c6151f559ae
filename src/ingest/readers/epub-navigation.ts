import type { Zip } from "../zip.js";
import { resolve, textFile } from "./epub-files.js";
import { byName, localName, parseXml, textOf } from "./xml.js";

export interface NavigationEntry {
  level: number;
  title: string;
  /** File, with `#id` where the link has one. */
  target: string;
}

/** The book's contents and printed pages: EPUB 3's navigation document, or EPUB 2's NCX. */
export function navigationOf(
  zip: Zip,
  opf: Document,
  packagePath: string,
): { contents: NavigationEntry[]; pages: NavigationEntry[] } {
  const items = byName(opf, "item");
  const nav = items.find((item) => /\bnav\b/.test(item.getAttribute("properties") ?? ""));
  const ncx = items.find((item) => item.getAttribute("media-type") === "application/x-dtbncx+xml");
  const found = { contents: [] as NavigationEntry[], pages: [] as NavigationEntry[] };
  const open = (item: Element | undefined) => {
    const href = item?.getAttribute("href");
    const path = href ? resolve(packagePath, href).path : undefined;
    return path && zip.has(path) ? { path, document: parseXml(textFile(zip, path)) } : undefined;
  };

  const modern = open(nav);
  for (const list of modern ? byName(modern.document, "nav") : []) {
    const type = list.getAttribute("epub:type") ?? list.getAttribute("role") ?? "";
    const into = /\b(toc|doc-toc)\b/.test(type)
      ? found.contents
      : /\b(page-list|doc-pagelist)\b/.test(type)
        ? found.pages
        : undefined;
    if (into) readList(list, 0, modern!.path, into);
  }
  const old = open(ncx);
  if (old && !found.contents.length)
    for (const map of byName(old.document, "navMap")) readPoints(map, 1, old.path, found.contents);
  if (old && !found.pages.length)
    for (const page of byName(old.document, "pageTarget")) readPoint(page, 1, old.path, found.pages);
  return found;
}

function readList(element: Element, level: number, path: string, into: NavigationEntry[]) {
  for (const child of element.children) {
    const name = localName(child);
    if (name === "ol") readList(child, level + 1, path, into);
    else if (name === "li") {
      const link = [...child.children].find((inner) => ["a", "span"].includes(localName(inner)));
      const href = link?.getAttribute("href");
      if (link && href) into.push({ level, title: textOf(link), target: resolve(path, href).target });
      readList(child, level, path, into);
    }
  }
}

function readPoints(element: Element, level: number, path: string, into: NavigationEntry[]) {
  for (const child of element.children) {
    if (localName(child) !== "navPoint") continue;
    readPoint(child, level, path, into);
    readPoints(child, level + 1, path, into);
  }
}

function readPoint(point: Element, level: number, path: string, into: NavigationEntry[]) {
  const part = (name: string) => [...point.children].find((child) => localName(child) === name);
  const src = part("content")?.getAttribute("src");
  const title = textOf(part("navLabel"));
  if (src && title) into.push({ level, title, target: resolve(path, src).target });
}
