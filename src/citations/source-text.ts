import type { ChunkStore, DocumentRecord, StoredChunk, TextEdit } from "../shelves/chunks/chunk-store.js";
import type { QuotableHighlight } from "../shelves/readwise/library/quotable.js";
import type { Highlight } from "../shelves/readwise/schemas.js";
import { chunkAuthors } from "./chunk-item.js";
import { authorsOf, itemOf, linkOf, sourceIdOf, type Work } from "./works.js";

/** Pages and headings of a span of text. */
export interface Place {
  page_span: [number, number] | null;
  page_labels: [string, string] | null;
  section_path: string[];
  /** The text there comes from text recognition. */
  recognised?: boolean;
}

/** The text of one source, stored as a document or only as chunks. */
export interface SourceText {
  /** Unique key: the document's id, or the chunk's if there is no document. */
  key: string;
  doc_id: string | null;
  citekey: string | null;
  title: string | null;
  author: string | null;
  /** An address a person can open. */
  url: string | null;
  /** The Readwise source and highlight, where the text is one. */
  source_id: number | null;
  highlight_id: number | null;
  /** What Readwise says about the highlight. */
  highlight?: Pick<Highlight, "note" | "location" | "location_type">;
  text: string;
  /** Whether offsets into `text` are valid for others: false if `text` was joined from chunks. */
  stored: boolean;
  /** Changes when the text does. */
  version: string;
  place(start: number, end: number): Place;
  /** The file's own wording, or null if normalising did not change it. */
  printed(start: number, end: number): string | null;
  /** Like `verbatim`, but only with the hyphens and line ends of broken words restored. */
  hyphenated(start: number, end: number): string | null;
  /** Likewise, but only with the marks of notes restored: without and with one right behind the span. */
  marked(start: number, end: number): string[];
  /** The span of these physical pages, both included; undefined if the text has none of them. */
  pages(first: number, last: number): [number, number] | undefined;
  /** The first and the last page there are. */
  pageCount(): [number, number] | undefined;
  /** Every heading with the span of its section, sub-sections included. */
  sections(): { title: string; start: number; end: number }[];
  /** The chunk's offsets in `text`; null if unknown. */
  spanOf(chunk: StoredChunk): [number, number] | null;
}

export async function loadSource(store: ChunkStore, project: string, docId: string): Promise<SourceText | undefined> {
  const record = await store.document(project, docId);
  if (record?.text.trim()) return fromDocument(record);
  const chunks = await store.chunks(project, { doc_id: docId });
  if (chunks.length > 0) return fromChunks(docId, chunks);
  return record && fromDocument(record);
}

export function fromDocument(record: DocumentRecord): SourceText {
  const item = itemOf(record.citekey ?? record.id, record);
  return {
    key: record.id,
    doc_id: record.id,
    citekey: record.citekey,
    title: item.title ?? record.title,
    author: authorsOf(item),
    url: linkOf(item) ?? (/^https?:/.test(record.origin ?? "") ? record.origin : null),
    source_id: sourceIdOf(record),
    highlight_id: null,
    text: record.text,
    stored: true,
    version: `${record.sha256} ${record.updated_at} ${record.text.length}`,
    place(start, end) {
      const first = record.pages.findIndex((page) => start < page.end && end > page.start);
      const last = record.pages.findLastIndex((page) => end > page.start && start < page.end);
      const pages = first < 0 ? undefined : ([record.pages[first]!, record.pages[last]!] as const);
      return {
        page_span: pages ? [pages[0].number, pages[1].number] : null,
        page_labels:
          pages && pages[0].label !== null && pages[1].label !== null ? [pages[0].label, pages[1].label] : null,
        section_path: sectionPath(record.headings, start),
        ...(first >= 0 && record.pages.slice(first, last + 1).some((page) => page.recognised)
          ? { recognised: true }
          : {}),
      };
    },
    pages(first, last) {
      const within = record.pages.filter(({ number }) => number >= first && number <= last);
      const [from, to] = [within[0], within.at(-1)];
      return from && to ? [from.start, to.end] : undefined;
    },
    pageCount() {
      const [from, to] = [record.pages[0], record.pages.at(-1)];
      return from && to ? [from.number, to.number] : undefined;
    },
    sections: () => sectionsOf(record.headings, record.text.length),
    printed: (start, end) => printedForm(record.text, record.edits, start, end),
    hyphenated: (start, end) => printedForm(record.text, record.edits.filter(isWordBreak), start, end),
    marked(start, end) {
      const marks = record.edits.filter(isNoteMark);
      const behind = marks.find(({ at }) => at === end)?.original;
      const within = printedForm(record.text, marks, start, end);
      return [
        ...(within === null ? [] : [within]),
        ...(behind === undefined ? [] : [`${within ?? record.text.slice(start, end)}${behind}`]),
      ];
    },
    spanOf(chunk) {
      if (chunk.start === null || chunk.end === null || !record.text.startsWith(chunk.text, chunk.start)) return null;
      return [chunk.start, chunk.end];
    },
  };
}

/** The headings open at this offset, outermost first. */
function sectionPath(headings: DocumentRecord["headings"], offset: number): string[] {
  const open: DocumentRecord["headings"] = [];
  for (const heading of headings) {
    if (heading.start > offset) break;
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
  }
  return open.map((heading) => heading.title);
}

function sectionsOf(headings: DocumentRecord["headings"], length: number) {
  return headings.map(({ title, level, start }, i) => {
    const next = headings.slice(i + 1).find((other) => other.level <= level);
    return { title, start, end: next?.start ?? length };
  });
}

function printedForm(text: string, edits: readonly TextEdit[], start: number, end: number): string | null {
  let printed = "";
  let at = start;
  for (const edit of edits) {
    if (edit.at >= end) break;
    // Text removed before the first or after the last character is not part of the passage.
    if (edit.at < at || (edit.length === 0 && edit.at === start) || edit.at + edit.length > end) continue;
    printed += text.slice(at, edit.at) + edit.original;
    at = edit.at + edit.length;
  }
  if (at === start) return null;
  const whole = printed + text.slice(at, end);
  // A printed form that differs only in invisible characters is of no use.
  return whole.replace(INVISIBLE, "") === text.slice(start, end) ? null : whole;
}
const isWordBreak = ({ length, original }: TextEdit) => length === 0 && /^[-\u2010]?\n$/.test(original);
const isNoteMark = ({ length, original }: TextEdit) =>
  length === 0 && /^ ?[[(]?\^?[\p{L}\d*∗†‡§¶]{1,12}[\])]?$/u.test(original);
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** Of texts whose file is not known to read otherwise. */
const NO_OTHER_FORMS = {
  printed: () => null,
  hyphenated: () => null,
  marked: () => [],
} satisfies Partial<SourceText>;

/** Joins the chunks of one document in reading order; overlapping words appear once. */
export function fromChunks(
  docId: string | null,
  chunks: readonly StoredChunk[],
  key = docId ?? `chunk ${chunks[0]?.id}`,
): SourceText {
  const spans: [number, number][] = [];
  let text = "";
  chunks.forEach((chunk, i) => {
    const previous = chunks[i - 1];
    const shared = previous ? overlap(previous, chunk) : 0;
    if (shared === 0 && text) text += "\n";
    const start = text.length - shared;
    text += chunk.text.slice(shared);
    spans.push([start, Math.max(start + chunk.text.length, start)]);
  });
  const byId = new Map(chunks.map((chunk, i) => [chunk.id, spans[i]!]));
  return {
    key,
    doc_id: docId,
    citekey: chunks.find((chunk) => chunk.citekey)?.citekey ?? null,
    title: chunks.find((chunk) => chunk.title)?.title ?? null,
    author:
      chunks
        .map(chunkAuthors)
        .find((names) => names.length > 0)
        ?.join(", ") ?? null,
    url: chunks.find((chunk) => chunk.url)?.url ?? null,
    source_id: null,
    highlight_id: null,
    text,
    stored: false,
    version: `${chunks.length} ${text.length}`,
    place(start, end) {
      const touched = chunks.filter((_, i) => start < spans[i]![1] && end > spans[i]![0]);
      // Prefer a chunk that contains the whole span to neighbours that contain a part.
      const whole = chunks.find((_, i) => spans[i]![0] <= start && end <= spans[i]![1]);
      const used = whole ? [whole] : touched;
      const from = used[0];
      const to = used.at(-1);
      return {
        page_span: from?.page_span && to?.page_span ? [from.page_span[0], to.page_span[1]] : null,
        page_labels: from?.page_labels && to?.page_labels ? [from.page_labels[0], to.page_labels[1]] : null,
        section_path: from?.section_path ?? [],
      };
    },
    pages(first, last) {
      const within = spans.filter((_, i) => {
        const span = chunks[i]!.page_span;
        return span !== null && span[0] <= last && span[1] >= first;
      });
      const [from, to] = [within[0], within.at(-1)];
      return from && to ? [from[0], to[1]] : undefined;
    },
    pageCount() {
      const numbers = chunks.flatMap(({ page_span }) => page_span ?? []);
      return numbers.length > 0 ? [Math.min(...numbers), Math.max(...numbers)] : undefined;
    },
    sections() {
      const titles = [...new Set(chunks.flatMap(({ section_path }) => section_path))];
      return titles.map((title) => {
        const within = spans.filter((_, i) => chunks[i]!.section_path.includes(title));
        return { title, start: within[0]![0], end: within.at(-1)![1] };
      });
    },
    ...NO_OTHER_FORMS,
    spanOf: (chunk) => byId.get(chunk.id) ?? null,
  };
}

/** One highlight, as a text of its own. */
export function fromHighlight({ highlight }: QuotableHighlight, work: Work): SourceText {
  const { id, text, note, location, location_type } = highlight;
  const page = location_type === "page" && location !== null && Number.isInteger(location) && location >= 1;
  return {
    key: `highlight ${id}`,
    doc_id: null,
    citekey: work.key,
    title: work.item.title ?? null,
    author: authorsOf(work.item),
    url: highlight.readwise_url ?? `https://readwise.io/open/${id}`,
    source_id: work.source_id,
    highlight_id: id,
    highlight: { note: note || null, location, location_type },
    text,
    stored: false,
    version: "",
    place: () => ({
      page_span: page ? [location, location] : null,
      page_labels: null,
      section_path: [],
    }),
    ...NO_OTHER_FORMS,
    pages: () => undefined,
    pageCount: () => undefined,
    sections: () => [],
    spanOf: () => null,
  };
}

const MAX_OVERLAP_CHARS = 4000;
const MIN_OVERLAP_CHARS = 16;

/** Length of the longest start of `chunk` that the chunk before it ends with. */
function overlap(previous: StoredChunk, chunk: StoredChunk): number {
  if (previous.end !== null && chunk.start !== null && chunk.start < previous.end) {
    const shared = previous.end - chunk.start;
    if (previous.text.endsWith(chunk.text.slice(0, shared))) return Math.min(shared, chunk.text.length);
  }
  const opening = chunk.text.slice(0, MIN_OVERLAP_CHARS);
  if (opening.length < MIN_OVERLAP_CHARS) return 0;
  const from = Math.max(0, previous.text.length - MAX_OVERLAP_CHARS);
  for (let at = previous.text.indexOf(opening, from); at >= 0; at = previous.text.indexOf(opening, at + 1)) {
    if (chunk.text.startsWith(previous.text.slice(at))) return previous.text.length - at;
  }
  return 0;
}
