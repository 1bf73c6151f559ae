import { nearest } from "../kernel/edit-distance.js";
import { badParameter, ShelfError } from "../kernel/errors.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { citationOf } from "./locator.js";
import { fromChunks, loadSource, type Place, type SourceText } from "./source-text.js";
import { resolveSource } from "./sources.js";
import { plainName } from "./works.js";

interface PassageRequest {
  /** A chunk, with this many neighbours on either side. */
  chunk_id?: string | undefined;
  neighbours?: number | undefined;
  /** Instead of a chunk, a citekey or document id, with pages or offsets; alone, the source from its beginning. */
  source?: string | undefined;
  /** Physical pages, 1-based, both included. */
  pages?: readonly number[] | undefined;
  /** The section under this heading. */
  heading?: string | undefined;
  /** Paragraphs of the requested text, 1-based, both included. */
  paragraphs?: readonly number[] | undefined;
  start?: number | undefined;
  end?: number | undefined;
  /** This many more characters on either side. */
  around?: number | undefined;
  max_chars?: number | undefined;
}

export interface Passage extends Place {
  doc_id: string | null;
  citekey: string | null;
  title: string | null;
  author: string | null;
  url: string | null;
  /** A pandoc citation with the page. */
  cite: string | null;
  /** Offsets of `text` in the source's text, UTF-16 units. */
  start: number;
  end: number;
  text: string;
  /** The file's own wording, if normalising changed it. */
  printed: string | null;
  /** Offset to continue at; null if everything requested is shown. */
  next_start: number | null;
  truncated: boolean;
  /** What the source holds before and after the text shown. */
  chars_before: number;
  chars_after: number;
  /** Chunks that `text` covers, whole or in part. */
  chunk_ids: string[];
}

interface Asked {
  source: SourceText;
  span: [number, number];
}

const DEFAULT_PASSAGE_CHARS = 6000;
const MAX_LISTED_CHUNKS = 100;
const MAX_BOTH_CHARS = 30_000;

export type Passages = ReturnType<typeof createPassages>;

/** Reads stored text in its context, one window at a time. */
export function createPassages({
  store,
  projects = createProjects({ store }),
}: {
  store: ChunkStore;
  projects?: Projects;
}) {
  return {
    async read(project: string, request: PassageRequest): Promise<Passage> {
      await projects.open(project, { notebooks: true });
      const { source, span } = await asked(store, project, request);
      const wanted = widened(source, paragraphsIn(source, span, request), request);
      return show(store, project, source, wanted, request.max_chars);
    },
  };
}

async function asked(store: ChunkStore, project: string, request: PassageRequest): Promise<Asked> {
  if (request.chunk_id !== undefined) return around(store, project, request.chunk_id, request.neighbours ?? 1);
  if (request.source === undefined)
    throw badParameter(
      "INVALID_INPUT",
      "chunk_id",
      "chunk_id or source is needed",
      "Say what to read: chunk_id, or source with pages or start.",
    );
  const [source] = await resolveSource(store, project, request.source);
  if (!source) throw new ShelfError("NOT_FOUND", `'${request.source}' has no text in '${project}'.`);
  return { source, span: spanOf(source, request) };
}

async function around(store: ChunkStore, project: string, chunkId: string, neighbours: number): Promise<Asked> {
  const [chunk] = await store.chunks(project, { ids: [chunkId] });
  if (!chunk)
    throw new ShelfError(
      "NOT_FOUND",
      `'${project}' has no chunk '${chunkId}'. Chunk ids come with search hits and may change when a file is read again.`,
    );
  if (chunk.doc_id === null) return { source: fromChunks(null, [chunk]), span: [0, chunk.text.length] };
  const [source, all] = await Promise.all([
    loadSource(store, project, chunk.doc_id),
    store.chunks(project, { doc_id: chunk.doc_id }),
  ]);
  const at = all.findIndex(({ id }) => id === chunk.id);
  const shown = all.slice(Math.max(0, at - neighbours), at + neighbours + 1);
  // A document stored without offsets does not know where its chunks begin: they are joined instead.
  const text = source && shown.every((each) => source.spanOf(each) !== null) ? source : fromChunks(chunk.doc_id, all);
  const spans = shown.flatMap((each) => {
    const span = text.spanOf(each);
    return span ? [span] : [];
  });
  return { source: text, span: [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))] };
}

function spanOf(source: SourceText, { pages, heading, start, end }: PassageRequest): [number, number] {
  if (heading !== undefined) return sectionOf(source, heading);
  if (pages) {
    const [first = 1, last = first] = pages;
    const span = source.pages(first, last);
    if (span) return span;
    const known = source.pageCount();
    throw new ShelfError(
      "NOT_FOUND",
      known
        ? `'${source.title}' has no pages ${first}–${last}: its pages are ${known[0]} to ${known[1]}.`
        : `'${source.title}' has no page numbers. Read it by start, or by chunk_id.`,
    );
  }
  const from = start ?? 0;
  if (from >= source.text.length && source.text.length > 0)
    throw badParameter(
      "INVALID_INPUT",
      "start",
      `must be below ${source.text.length}`,
      `The text of '${source.title}' ends at ${source.text.length}.`,
    );
  return [from, Math.min(source.text.length, Math.max(from, end ?? source.text.length))];
}

/** The section with exactly this heading, else one whose heading contains these words. */
function sectionOf(source: SourceText, heading: string): [number, number] {
  const sections = source.sections();
  const wanted = plainName(heading);
  const found =
    sections.find(({ title }) => plainName(title) === wanted) ??
    sections.find(({ title }) => wanted !== "" && plainName(title).includes(wanted));
  if (found) return [found.start, found.end];
  const titles = [...new Set(sections.map(({ title }) => title))];
  const near = nearest(heading, titles);
  throw new ShelfError(
    "NOT_FOUND",
    titles.length === 0
      ? `'${source.title}' has no headings. Read it by pages, paragraphs or start.`
      : `'${source.title}' has no heading '${heading}'. ${near.length > 0 ? `Did you mean ${near.join(", ")}?` : `It has: ${titles.slice(0, 20).join("; ")}.`}`,
    { details: { headings: titles.slice(0, 50) } },
  );
}

/** Paragraphs are separated by blank lines, or by line ends if there are none. */
function paragraphsIn(
  source: SourceText,
  [start, end]: [number, number],
  { paragraphs }: PassageRequest,
): [number, number] {
  if (!paragraphs) return [start, end];
  const [first = 1, last = first] = paragraphs;
  const text = source.text.slice(start, end);
  const gap = text.includes("\n\n") ? "\n\n" : "\n";
  const spans: [number, number][] = [];
  for (let at = 0; at < text.length; ) {
    const stop = text.indexOf(gap, at);
    const to = stop < 0 ? text.length : stop;
    if (text.slice(at, to).trim()) spans.push([start + at, start + to]);
    at = to + gap.length;
  }
  const [from, to] = [spans[first - 1], spans[Math.min(last, spans.length) - 1]];
  if (from && to && last >= first) return [from[0], to[1]];
  throw new ShelfError(
    "NOT_FOUND",
    `There are ${spans.length} paragraphs here; ${first} to ${last} are not among them.`,
  );
}

function widened(
  { text }: SourceText,
  [start, end]: [number, number],
  { around = 0 }: PassageRequest,
): [number, number] {
  if (around === 0) return [start, end];
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, end + around);
  // Do not cut inside a word.
  const first = from === 0 ? 0 : from + Math.max(0, text.slice(from, start).search(/\s/));
  return [first, to === text.length ? to : Math.max(end, betweenWords(text, end, to))];
}

async function show(
  store: ChunkStore,
  project: string,
  source: SourceText,
  [start, end]: [number, number],
  maxChars = DEFAULT_PASSAGE_CHARS,
): Promise<Passage> {
  const stop = end - start > maxChars ? betweenWords(source.text, start, start + maxChars) : end;
  const chunks = source.doc_id === null ? [] : await store.chunks(project, { doc_id: source.doc_id });
  const shown = chunks.filter((chunk) => {
    const span = source.spanOf(chunk);
    return span !== null && span[0] < stop && span[1] > start;
  });
  const place = source.place(start, stop);
  const text = source.text.slice(start, stop);
  const printed = source.printed(start, stop);
  return {
    doc_id: source.doc_id,
    citekey: source.citekey,
    title: source.title,
    author: source.author,
    url: source.url,
    cite: source.citekey === null ? null : citationOf(source.citekey, place),
    ...place,
    start,
    end: stop,
    text,
    // Both must fit into one answer.
    printed: printed !== null && text.length + printed.length > MAX_BOTH_CHARS ? null : printed,
    next_start: stop < end ? stop : null,
    truncated: stop < end,
    chars_before: start,
    chars_after: source.text.length - stop,
    chunk_ids: shown.slice(0, MAX_LISTED_CHUNKS).map(({ id }) => id),
  };
}

/** The last gap between words before `limit`, so that no word is cut. */
function betweenWords(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + (limit - start) / 2; at--) if (/\s/.test(text[at - 1]!)) return at;
  // No gap: at least do not cut inside a character.
  return /[\udc00-\udfff]/.test(text[limit] ?? "") ? limit - 1 : limit;
}
