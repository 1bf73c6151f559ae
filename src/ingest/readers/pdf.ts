import { fileURLToPath } from "node:url";
import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { findIsbn } from "../isbn.js";
import { findDoi, languageOf, metaOf } from "../meta.js";
import { isCorporate, isPersonName, splitAuthors } from "../names.js";
import { HOW_TO_RECOGNISE, OCR_PACKAGES } from "../ocr.js";
import { createTextBuilder, plainText } from "../text-builder.js";
import { composeAccents, composeInitials } from "./accents.js";
import { createHyphenation } from "./hyphenation.js";
import { findHeadings } from "./pdf-found-headings.js";
import { isGarbled } from "./pdf-garbled.js";
import { letters, placeOutline, readOutline } from "./pdf-headings.js";
import { pageLabels } from "./pdf-labels.js";
import { type Line, layOut } from "./pdf-layout.js";
import { restoreCorkSigns, restoreLigatures } from "./pdf-ligatures.js";
import { footnotesOf, marksOf } from "./pdf-notes.js";
import { createFlow } from "./pdf-paragraphs.js";
import { findRunningHeads } from "./pdf-running-heads.js";
import { commonSize, type Run } from "./pdf-segments.js";
import { findTables, type PdfTable } from "./pdf-tables.js";
import { isLabel, readTitlePage, type TitlePage } from "./pdf-title-page.js";
import { getDocument, PasswordResponses, VerbosityLevel } from "./pdfjs.js";
import { RecognitionTimeout, recognisePage } from "./recognise.js";

const folder = (name: string) =>
  `${fileURLToPath(new URL(`../../${name}`, import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))}/`;
const MAX_PAGES = 50_000;
const PAGES_BEFORE_CLEANUP = 250;
const PAGES_TO_LOSE_A_LIGATURE = 20;
// Less than this on every page is only stamps and page numbers on scanned pages.
const SCAN_CHARS_PER_PAGE = 12;

export async function read(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument> {
  const pdf = await open(bytes);
  try {
    return await readPages(pdf, options);
  } finally {
    await pdf.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data: new Uint8Array(bytes),
      verbosity: VerbosityLevel.ERRORS,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      enableXfa: false,
      cMapUrl: folder("cmaps"),
      cMapPacked: true,
      standardFontDataUrl: folder("standard_fonts"),
    }).promise;
  } catch (error) {
    const { name, code } = error as { name?: string; code?: number };
    if (name === "PasswordException" || code === PasswordResponses.NEED_PASSWORD)
      throw unreadable("encrypted", "The PDF needs a password. Save a copy without one.", error);
    throw unreadable("broken", "The PDF is broken or cut short. Fetch or save it again.", error);
  }
}

interface PageText {
  lines: Line[];
  width: number;
  height: number;
  /** Lines in which an accent stood apart from its letter. */
  accented: number;
  recognised?: boolean;
  failed: boolean;
  garbled: boolean;
}

async function readPages(pdf: PDFDocumentProxy, options: ReadOptions): Promise<ReadDocument> {
  if (pdf.numPages > MAX_PAGES)
    throw unreadable("too_large", `The PDF has ${pdf.numPages} pages; at most ${MAX_PAGES} are read. Split it.`);
  const pages: PageText[] = [];
  const ligatures = { mayBeLost: await isByDvipdfm(pdf), found: 0 };
  for (let number = 1; number <= pdf.numPages; number++) {
    pages.push(await readPage(pdf, number, ligatures));
    if (number >= PAGES_TO_LOSE_A_LIGATURE && ligatures.found === 0) ligatures.mayBeLost = false;
    // Frees parsed objects and fonts of earlier pages: a book of thousands of pages would keep them all.
    if (number % PAGES_BEFORE_CLEANUP === 0) await pdf.cleanup(true);
    options.onPage?.(number, pdf.numPages, false);
  }
  if (drawsAccentsApart(pages)) for (const { lines } of pages) composeLines(lines, composeInitials);
  const recognition = await recogniseMissing(pages, options);
  const warnings = [...checkText(pages), ...recognition];
  const labels = await pdf.getPageLabels().catch(() => null);
  const heads = findRunningHeads(pages.map(({ lines }) => lines));
  const body = pages.map(({ lines }) => lines.filter((line) => !heads.lines.has(line)));
  const bodySize = commonSize(body.flat());
  const outline = await readOutline(pdf, (page) => pages[page - 1]?.height);
  const headings =
    outline.length >= 2 ? placeOutline(outline, (page) => body[page - 1] ?? []) : findHeadings(body, bodySize);
  const hyphenation = createHyphenation();
  for (const lines of body) for (const line of lines) hyphenation.learn(line.text);

  const builder = createTextBuilder();
  let marks: ReturnType<typeof marksOf> = new Map();
  const flow = createFlow({
    builder,
    hyphenation,
    bodySize,
    monoBody: isMono(body.flat()),
    beginningAt: (line) => headings.get(line),
    marksIn: (line) => marks.get(line) ?? [],
  });
  const label = pageLabels(labels, heads.printed, pages.length);
  pages.forEach(({ lines }, i) => {
    const { text, inferred } = label(i + 1);
    builder.page(i + 1, text, inferred);
    flow.learn(body[i]!);
    const notes = footnotesOf(body[i]!, bodySize);
    const setApart = new Set(notes.flat());
    marks = marksOf(notes, body[i]!);
    const running = setApart.size > 0 ? lines.filter((line) => !setApart.has(line)) : lines;
    const tables = new Map<Line, PdfTable>();
    const inTables = new Set<Line>();
    for (const table of findTables(
      running.filter((line) => !heads.lines.has(line)),
      (line) => headings.has(line),
    )) {
      tables.set(table.lines[0]!, table);
      for (const line of table.lines) inTables.add(line);
    }
    const last = notes.length > 0 ? flow.lastParagraph(running.filter((line) => !heads.lines.has(line))) : undefined;
    running.forEach((line, j) => {
      if (line === last) for (const note of notes.splice(0)) flow.note(note);
      const table = tables.get(line);
      if (table) flow.table(table);
      if (inTables.has(line)) return;
      if (heads.lines.has(line)) builder.removed(`${line.text}\n`);
      else flow.write(line, running[j + 1]);
    });
    for (const note of notes) flow.note(note);
  });
  flow.end();
  const built = builder.finish();
  const { meta, language } = await metadata(pdf, {
    opening: built.text.slice(0, built.pages[Math.min(built.pages.length, 3) - 1]?.end ?? 0),
    page: readTitlePage(pages[0]?.lines ?? [], {
      height: pages[0]?.height ?? 0,
      bodySize,
      isWord: (word) => hasInLowerCase(built.text, word),
    }),
  });
  return {
    ...built,
    pages: built.pages.map((page) => (pages[page.number - 1]?.recognised ? { ...page, recognised: true } : page)),
    pagesWithoutText: pages.filter(hasNoText).length,
    title: meta.title ?? fileStem(options.path) ?? "Untitled PDF",
    kind: "pdf",
    meta,
    language: languageOf(built.text, language),
    warnings,
  };
}

/** Whether a text has a word without a capital; letters in other words and in addresses do not count. */
function hasInLowerCase(text: string, word: string): boolean {
  const lower = word.toLowerCase();
  for (let at = text.indexOf(lower); at >= 0; at = text.indexOf(lower, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text.slice(at + lower.length, at + lower.length + 2)];
    if (!/[\p{L}\d.:@/_~-]/u.test(before) && !/^(?:[\p{L}\d@/_~-]|\.\p{L})/u.test(after)) return true;
  }
  return false;
}

/** The only program known to write maps of letters without ligatures. */
async function isByDvipdfm(pdf: PDFDocumentProxy): Promise<boolean> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  return /dvipdfm/i.test(String((info as { Producer?: unknown }).Producer ?? ""));
}

async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  ligatures: { mayBeLost: boolean; found: number },
): Promise<PageText> {
  try {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const content = await page.getTextContent({ disableNormalization: true });
    const runs: Run[] = [];
    for (const item of content.items) {
      if (!("str" in item)) continue;
      const [a, b, c, d, e, f] = multiply(viewport.transform, item.transform);
      // On a rotated page the direction after the rotation counts.
      runs.push({
        text: item.str,
        x: e,
        y: f,
        width: item.width,
        size: Math.hypot(c, d) || item.height,
        mono: content.styles[item.fontName]?.fontFamily === "monospace",
        font: item.fontName,
        turned: Math.abs(b) > Math.abs(a),
      });
    }
    if (ligatures.mayBeLost) ligatures.found += await restoreLigatures(page, runs);
    else restoreCorkSigns(runs);
    page.cleanup();
    const lines = layOut(runs, number);
    const accented = composeLines(lines, composeAccents);
    const { width, height } = viewport;
    return { lines, width, height, accented, failed: false, garbled: isGarbled(lines) };
  } catch (error) {
    // One damaged page does not fail the whole document; the warning names the page.
    if (error instanceof RangeError) throw error;
    return { lines: [], width: 0, height: 0, accented: 0, failed: true, garbled: false };
  }
}

/** How many lines have changed. In code the signs stand for themselves. */
function composeLines(lines: readonly Line[], compose: (text: string) => string): number {
  let changed = 0;
  for (const line of lines) {
    const text = line.mono ? line.text : compose(line.text);
    if (text !== line.text) changed++;
    line.text = text;
  }
  return changed;
}

/** Whether accents were drawn before their letters all over a document, not in a name or two. */
function drawsAccentsApart(pages: readonly PageText[]): boolean {
  const accented = pages.reduce((sum, page) => sum + page.accented, 0);
  return accented >= 5 && accented > pages.reduce((sum, { lines }) => sum + lines.length, 0) * 0.05;
}

type Matrix = readonly [number, number, number, number, number, number];
function multiply(outer: number[], inner: number[]): Matrix {
  const [a, b, c, d, e, f] = outer as unknown as Matrix;
  const [g, h, i, j, k, l] = inner as unknown as Matrix;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Recognises pages without text; returns warnings about pages it could not read. */
async function recogniseMissing(pages: PageText[], { ocr, file, onPage }: ReadOptions): Promise<string[]> {
  const missing = pages.flatMap((page, i) => (hasNoText(page) && !page.failed ? [i] : []));
  if (!ocr || !file || missing.length === 0) return [];
  if (!ocr.pdftoppm) return [`Text recognition of PDFs needs pdftoppm: install ${OCR_PACKAGES}.`];
  const failed: number[] = [];
  const late: number[] = [];
  for (const [done, i] of missing.entries()) {
    const { width, height } = pages[i]!;
    onPage?.(done + 1, missing.length, true);
    try {
      const runs = await recognisePage(ocr, { file: file.path, number: i + 1, width, height }, file.sha256);
      if (runs.length > 0) pages[i] = { ...pages[i]!, lines: layOut(runs, i + 1), recognised: true, garbled: false };
    } catch (error) {
      // A page that cannot be drawn or takes too long is reported; the others continue.
      (error instanceof RecognitionTimeout ? late : failed).push(i + 1);
    }
  }
  const read = numbersOf(pages, ({ recognised }) => recognised === true);
  return [
    ...about(read, (page) => `Recognised from pictures (${ocr.language}), letters may be misread: ${page}.`),
    ...about(failed, (page) => `Text recognition failed: ${page}.`),
    ...about(late, (page) => `Text recognition took too long and was stopped: ${page}.`),
  ];
}

function hasNoText({ lines, recognised, garbled }: PageText): boolean {
  if (recognised) return false;
  return garbled || lettersIn(lines) < SCAN_CHARS_PER_PAGE;
}

const charsIn = (lines: readonly Line[]) => lines.reduce((sum, { text }) => sum + text.length, 0);
const lettersIn = (lines: readonly Line[]) => lines.reduce((sum, { text }) => sum + text.trim().length, 0);

const numbersOf = (pages: readonly PageText[], test: (page: PageText) => boolean) =>
  pages.flatMap((page, i) => (test(page) ? [i + 1] : []));

/** A warning about these pages, if there are any. */
const about = (numbers: readonly number[], warning: (page: string) => string) =>
  numbers.length > 0 ? [warning(`page ${ranges(numbers)}`)] : [];

function checkText(pages: readonly PageText[]): string[] {
  const damaged = numbersOf(pages, ({ failed }) => failed);
  if (damaged.length === pages.length)
    throw unreadable("broken", "None of the PDF's pages can be read. Fetch or save it again.");
  const isBlank = ({ lines }: PageText) => lettersIn(lines) === 0;
  const isScan = pages.every(({ lines }) => lettersIn(lines) < SCAN_CHARS_PER_PAGE);
  if (isScan && (pages.length > 1 || isBlank(pages[0]!)))
    throw unreadable("no_text", `The PDF is a scan without a text layer. ${HOW_TO_RECOGNISE}`);
  const garbled = numbersOf(pages, (page) => page.garbled);
  const empty = numbersOf(pages, (page) => isBlank(page) && !page.failed);
  return [
    ...about(damaged, (page) => `Damaged, not read: ${page}.`),
    ...about(
      garbled,
      (page) =>
        `Unreadable: the fonts of ${page} do not say which letters they draw. Quotes from there cannot be checked; a copy with recognised text (OCR) can.`,
    ),
    ...about(empty, (page) => `No text, perhaps scanned or blank: ${page}.`),
  ];
}

function ranges(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  const shown = spans.slice(0, 20).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return shown.join(", ") + (spans.length > 20 ? " and more" : "");
}

/** Whether most of the text is monospaced. */
function isMono(lines: readonly Line[]): boolean {
  const mono = charsIn(lines.filter((line) => line.mono));
  return mono > charsIn(lines) / 2;
}

/** The title page first, then XMP, then the Info dictionary, which often names the typist or a template. */
async function metadata(
  pdf: PDFDocumentProxy,
  { opening, page }: { opening: string; page: TitlePage },
): Promise<{ meta: DocumentMeta; language: string | undefined }> {
  const found = await pdf.getMetadata().catch(() => undefined);
  const info = (found?.info ?? {}) as Record<string, unknown>;
  const field = (name: string) =>
    typeof info[name] === "string" ? (info[name] as string).replace(/\0/g, "").trim() : "";
  const xmp = (name: string) => {
    const value: unknown = found?.metadata?.get(name);
    return Array.isArray(value) ? value.join("; ") : typeof value === "string" ? value : "";
  };
  const shown = letters(opening);
  const declared = [xmp("dc:title"), field("Title")].map(plainText).filter(isTitle);
  const title =
    declared.find((each) => isShown(each, shown)) ??
    (page.title ? plainText(page.title) : declared.find((each) => !FILE_NAME.test(each)));
  const named = splitAuthors(xmp("dc:creator") || field("Author")).filter((name) => isCredible(name, shown));
  const meta = metaOf({
    title,
    authors: page.authors.length >= named.length ? page.authors : named,
    doi: findDoi(xmp("prism:doi")) ?? findDoi(field("Subject")) ?? findDoi(field("doi")) ?? findDoi(opening),
    isbn: findIsbn(`ISBN ${xmp("prism:isbn")}`) ?? findIsbn(opening),
  });
  return { meta, language: field("Language") || undefined };
}

/** "res1.xls", "flowchart.graffle": one word with an ending. */
const FILE_NAME = /^\S+\.[a-z][a-z0-9]{1,7}$/i;

/** Whether most words of a declared title are on the first pages. */
function isShown(title: string, shown: string): boolean {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  return words.length > 0 && words.filter((word) => shown.includes(letters(word))).length >= words.length * 0.7;
}

/** A name of the Info dictionary counts only if the first pages have it too; a single word is a login or a label. */
function isCredible(name: string, shown: string): boolean {
  if (!isPersonName(name) && !isCorporate(name) && !name.includes(",")) return false;
  return shown.includes(letters(name)) || shown.includes(letters(name.split(",").reverse().join(" ")));
}

/** Many programs write a file name or a template's title into the title field. */
function isTitle(title: string): boolean {
  return (
    title.length > 2 &&
    !isLabel(title) &&
    !/^(?:untitled|microsoft (?:word|powerpoint|excel)|powerpoint presentation|document\d*|slide \d|title|paper title|full title|file:|https?:|layout \d)|\(use style:|\.(?:docx?|tex|dvi|indd|qxd|pdf|txt|pptx?|odt|rtf|ps|eps)$/i.test(
      title,
    )
  );
}
