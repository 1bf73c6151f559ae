import { oncePerKey } from "../../kernel/once.js";
import type { HeadingMark, PageMark } from "../../shelves/chunks/chunk-store.js";
import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { isIsbn } from "../isbn.js";
import { languageOf, metaOf, yearOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import { type BuiltText, createTextBuilder } from "../text-builder.js";
import { openZip, type Zip } from "../zip.js";
import { writeDom } from "./dom-text.js";
import { resolve, textFile } from "./epub-files.js";
import { type NavigationEntry, navigationOf } from "./epub-navigation.js";
import { type LinkedPage, noteLinksOf, noteRoles } from "./html-notes.js";
import { htmlRole } from "./html-roles.js";
import { markedAuthors } from "./title-page-markup.js";
import { byName, localName, parseXml, textOf } from "./xml.js";

const FILES_OF_A_TITLE_PAGE = 3;

/** Text offsets of every content file and every id in it, keyed like link targets. */
type Places = Map<string, number>;

/** Encrypted fonts are common and harmless; encrypted chapters cannot be read. */
function encryptsText(listing: string): boolean {
  const first = listing.search(/EncryptedData/i);
  return first >= 0 && /\.x?html?["']/i.test(listing.slice(first));
}

export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  const zip = openZip(bytes);
  if (zip.has("META-INF/encryption.xml") && encryptsText(textFile(zip, "META-INF/encryption.xml")))
    throw unreadable("encrypted", "The book is protected by DRM. Only its seller's programs can read it.");
  const packagePath = rootFile(zip);
  const opf = parseXml(textFile(zip, packagePath));
  const manifest = new Map(byName(opf, "item").map((item) => [item.getAttribute("id") ?? "", item]));
  const places: Places = new Map();
  const marks: { label: string | null; start: number }[] = [];
  const warnings: string[] = [];
  const builder = createTextBuilder();
  let marked: string[] = [];
  const noteMarks = new Map<string, string>();
  const linksOf = noteLinksOfFiles(zip);

  for (const ref of byName(opf, "itemref")) {
    const item = manifest.get(ref.getAttribute("idref") ?? "");
    const href = item?.getAttribute("href");
    if (
      !href ||
      !/html|xml/.test(item?.getAttribute("media-type") ?? "") ||
      /\bnav\b/.test(item?.getAttribute("properties") ?? "")
    )
      continue;
    const path = resolve(packagePath, href).path;
    // Some books list a file once per section, with the section's id behind its name.
    if (places.has(path)) continue;
    if (!zip.has(path)) {
      warnings.push(`The book lists '${href}' but does not hold it.`);
      continue;
    }
    places.set(path, builder.length);
    const content = parseXml(textFile(zip, path));
    const body = byName(content, "body")[0];
    if (!body) continue;
    if (marked.length === 0 && places.size <= FILES_OF_A_TITLE_PAGE) marked = markedAuthors(body);
    const noteRole = noteRoles(body, {
      path,
      addressOf: (href) => resolve(path, href).target,
      others: linksOf,
      marks: noteMarks,
    });
    writeDom(body, builder, {
      roleOf: (element) => (isPageBreak(element) ? "block" : (noteRole(element) ?? htmlRole(element))),
      enter(element, { length }) {
        const id = element.getAttribute("id");
        if (id) places.set(`${path}#${id}`, length);
        if (isPageBreak(element))
          marks.push({
            label: element.getAttribute("title") ?? element.getAttribute("aria-label") ?? (textOf(element) || null),
            start: length,
          });
      },
    });
  }

  const built = builder.finish();
  if (!built.text.trim()) throw unreadable("no_text", "The book holds no text.");
  const navigation = navigationOf(zip, opf, packagePath);
  const declared = declaredIn(opf);
  const meta = declared.authors || marked.length === 0 ? declared : { ...declared, authors: marked };
  const located = (entries: readonly NavigationEntry[]) =>
    entries.flatMap((entry) => (places.has(entry.target) ? [{ ...entry, start: places.get(entry.target)! }] : []));
  return {
    ...built,
    pages: pageMarks(
      navigation.pages.length ? located(navigation.pages).map(({ title, start }) => ({ label: title, start })) : marks,
      built.text.length,
    ),
    headings: withNavigation(built, located(navigation.contents)),
    title: meta.title ?? fileStem(options.path) ?? "Untitled book",
    kind: "epub",
    meta,
    language: languageOf(built.text, textOf(byName(opf, "language")[0])),
    warnings,
  };
}

/** Links of the files that notes or their marks are in, each file read once. */
function noteLinksOfFiles(zip: Zip): (path: string) => LinkedPage | undefined {
  return oncePerKey((path) => {
    const body = zip.has(path) ? byName(parseXml(textFile(zip, path)), "body")[0] : undefined;
    return body && noteLinksOf(body, path, (href) => resolve(path, href).target);
  });
}

function rootFile(zip: Zip): string {
  const container = zip.has("META-INF/container.xml")
    ? byName(parseXml(textFile(zip, "META-INF/container.xml")), "rootfile")[0]?.getAttribute("full-path")
    : undefined;
  const path = container ?? zip.names.find((name) => name.endsWith(".opf"));
  if (!path || !zip.has(path)) throw unreadable("broken", "The archive is not an EPUB: it has no package file.");
  return path;
}

function isPageBreak(element: Element): boolean {
  return (
    /\bpagebreak\b/.test(element.getAttribute("epub:type") ?? "") || element.getAttribute("role") === "doc-pagebreak"
  );
}

function pageMarks(starts: readonly { label: string | null; start: number }[], end: number): PageMark[] {
  const ordered = [...starts].sort((a, b) => a.start - b.start);
  return ordered.map(({ label, start }, i) => ({ number: i + 1, label, start, end: ordered[i + 1]?.start ?? end }));
}

/**
 * The book's table of contents gives titles and levels; headings that it does not list go below the
 * entry before them. An entry without a heading in the text marks the place it points to.
 */
function withNavigation(built: BuiltText, contents: readonly (NavigationEntry & { start: number })[]): HeadingMark[] {
  if (!contents.length) return built.headings;
  const entries = [...contents].sort((a, b) => a.start - b.start || a.level - b.level);
  const rest = [...built.headings];
  const marks: HeadingMark[] = entries.map((entry, i) => {
    const limit = Math.min(
      entries.slice(i + 1).find(({ start }) => start > entry.start)?.start ?? Number.POSITIVE_INFINITY,
      entry.start + 400,
    );
    const at = rest.findIndex(({ start }) => start >= entry.start && start < limit);
    const found = at >= 0 ? rest.splice(at, 1)[0] : undefined;
    const block = built.blocks.find(({ end }) => end > entry.start);
    return { level: entry.level, title: entry.title, start: found?.start ?? Math.max(entry.start, block?.start ?? 0) };
  });
  const unlisted = rest.flatMap((heading) => {
    const above = marks.findLast(({ start }) => start <= heading.start);
    // "I" and "Loomings" are two headings in the text and one entry, "I: Loomings", in the contents.
    if (above && heading.start - above.start < 200 && above.title.includes(heading.title)) return [];
    return [{ ...heading, level: Math.min(6, (above?.level ?? 0) + Math.max(1, heading.level - 1)) }];
  });
  return [...marks, ...unlisted].sort((a, b) => a.start - b.start || a.level - b.level);
}

/** MARC's codes for what a person did, as EPUB 2 writes them or as EPUB 3 refines them: author, annotator, translator. */
function rolesOf(metadata: Element, element: Element): string[] {
  const own = element.getAttribute("opf:role");
  const id = element.getAttribute("id");
  const refined = byName(metadata, "meta").filter(
    (meta) => id && meta.getAttribute("refines") === `#${id}` && meta.getAttribute("property") === "role",
  );
  return own ? [own] : refined.map(textOf);
}

function declaredIn(opf: Document): DocumentMeta {
  const metadata = byName(opf, "metadata")[0];
  if (!metadata) return {};
  const dc = (name: string) =>
    [...metadata.children].filter((element) => element.localName.startsWith("dc:") && localName(element) === name);
  const persons = (name: string, fits: (roles: readonly string[]) => boolean) =>
    dc(name)
      .filter((element) => fits(rolesOf(metadata, element)))
      .flatMap((element) => splitAuthors(textOf(element)));
  const authors = persons(
    "creator",
    (roles) => roles.length === 0 || roles.some((role) => /^(?:aut|author|)$/i.test(role)),
  );
  const identifiers = [...dc("identifier"), ...dc("source")].map((element) =>
    textOf(element)
      .replace(/^urn:isbn:/i, "")
      .replace(/[- ]/g, ""),
  );
  const isbn = identifiers.find(isIsbn);
  // The date of a reissue (Standard Ebooks, Gutenberg) is not the work's date.
  const about = [...dc("publisher"), ...dc("rights"), ...dc("source"), ...dc("identifier")].map(textOf).join(" ");
  const reissue = /gutenberg|standard ?ebooks|feedbooks|wikisource|public domain|\bCC0\b/i.test(about) && !isbn;
  const date =
    dc("date").find((element) => /publication/.test(element.getAttribute("opf:event") ?? "")) ?? dc("date")[0];
  return metaOf({
    type: "book",
    title: textOf(dc("title")[0]),
    authors,
    isbn,
    year: reissue ? undefined : yearOf(textOf(date)),
    publisher: textOf(dc("publisher")[0]),
    translators: persons("contributor", (roles) => roles.some((role) => /^(?:trl|translator)$/i.test(role))),
  });
}
