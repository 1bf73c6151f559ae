import { firstIndex } from "../kernel/collections.js";
import type { HeadingMark, PageMark } from "../shelves/chunks/chunk-store.js";
import type { TablePart } from "../shelves/chunks/shown-text.js";
import type { Block, ReadDocument } from "./document.js";
import { type ListKind, listKindOf } from "./lists.js";
import { type Group, groupsOf, markCaptions } from "./passage-groups.js";
import { markReferences } from "./references.js";
import { type Span, sentenceSpans, wordSpans } from "./sentences.js";

/** Increase it when the same document would be cut differently: documents cut by an older version are then read again. */
export const CHUNK_POLICY = "structure-4";

interface CutOptions {
  countTokens(text: string): number;
  /** Largest piece, in tokens of the embedding model. */
  maxTokens: number;
  /** Whole sentences up to this size are repeated from the piece before. */
  overlapTokens: number;
  /** Keep lists of references as pieces of their own. */
  references?: boolean;
}

/** A passage: `text` is the document's text from `start` to `end`, unchanged. */
export interface Piece extends Span {
  kind: "text" | "references" | "table" | "figure" | "equation" | ListKind;
  text: string;
  /** What a table's later parts repeat. */
  table?: TablePart;
  section_path: string[];
  page_span: [number, number] | null;
  page_labels: [string, string] | null;
}

/** Sizes for a model: leaves room for title and headings, and has an upper limit however much the model takes. */
export function sizesFor(maxTokens: number): Pick<CutOptions, "maxTokens" | "overlapTokens"> {
  const size = Math.max(32, Math.min(450, Math.floor(maxTokens * 0.84)));
  return { maxTokens: size, overlapTokens: Math.floor(size * 0.15) };
}

/** A span that is not cut any further. */
interface Unit extends Span {
  tokens: number;
  /** Sentences may be repeated in the next piece; rows, items and code may not. */
  sentence: boolean;
  /** A paragraph or smaller heading begins here. */
  opens: "heading" | "block" | "none";
}

/** Cuts a document by its structure: at headings first, then between paragraphs, then between sentences. */
export function cut(
  document: Pick<ReadDocument, "text" | "blocks" | "headings" | "pages" | "language">,
  options: CutOptions,
): Piece[] {
  const blocks = markReferences({ ...document, blocks: markCaptions(document) });
  const equations = blocks.filter(({ kind }) => kind === "equation");
  const locate = createLocator(document);
  const spans: (Packed & { kind: Piece["kind"] })[] = [];
  const sections = sectionsOf(blocks, document.headings);
  for (const [i, section] of sections.entries()) {
    const announces = section.blocks.every(({ kind }) => kind === "heading") && sections[i + 1]?.kind === "references";
    if ((section.kind === "references" || announces) && !options.references) continue;
    const groups: Group[] =
      section.kind === "text" ? groupsOf(section.blocks) : [{ kind: "text", blocks: section.blocks }];
    for (const group of groups) {
      const packed =
        group.kind === "table"
          ? packTable(group.blocks, document, options)
          : pack(
              group.blocks.flatMap((block) => unitsOf(block, document, options)),
              options,
            );
      for (const span of packed) {
        if (!/[\p{L}\p{N}]/u.test(document.text.slice(span.start, span.end))) continue;
        // Text that holds a displayed equation can be asked for as such; it keeps the sentences around it.
        const holdsEquation = (equations[lastAtOrBefore(equations, span.end - 1)]?.start ?? -1) >= span.start;
        const plain = holdsEquation && section.kind === "text" ? "equation" : section.kind;
        spans.push({ ...span, kind: group.kind === "text" ? plain : group.kind });
      }
    }
  }
  return spans.map(({ start, end, body, kind, table }) => {
    const text = document.text.slice(start, end);
    const section_path = locate.sectionPath(body);
    const list = kind === "text" || kind === "table" ? listKindOf(text, section_path) : undefined;
    return {
      kind: list ?? kind,
      start,
      end,
      ...(table && !list ? { table } : {}),
      text,
      section_path,
      ...locate.pages(start, end),
    };
  });
}

interface Section {
  kind: "text" | "references";
  blocks: Block[];
}

/** Headings of the first two levels and lists of references begin a section; a heading without text joins the next. */
function sectionsOf(blocks: readonly Block[], headings: readonly HeadingMark[]): Section[] {
  const starts = headings
    .filter(({ level }) => level <= 2)
    .map(({ start }) => start)
    .sort((a, b) => a - b);
  const sections: Section[] = [];
  let next = 0;
  for (const block of blocks) {
    const kind = block.kind === "reference" ? "references" : "text";
    let begins = false;
    while (next < starts.length && starts[next]! < block.end) {
      begins = true;
      next++;
    }
    const current = sections.at(-1);
    const bare = current?.blocks.every((each) => each.kind === "heading") && kind === "text";
    if (!current || current.kind !== kind || (begins && !bare)) sections.push({ kind, blocks: [block] });
    else current.blocks.push(block);
  }
  return sections;
}

function unitsOf(
  block: Block,
  { text, language }: Pick<ReadDocument, "text" | "language">,
  { countTokens: count, maxTokens }: CutOptions,
): Unit[] {
  const countTokens = (part: string) => boundedCount(part, count);
  const whole = text.slice(block.start, block.end);
  const opens = block.kind === "heading" ? "heading" : "block";
  const kept = block.kind === "table" || block.kind === "code" || block.kind === "list";
  const tokens = countTokens(whole);
  const unit = (span: Span, count: number, first: boolean, sentence: boolean): Unit => ({
    ...span,
    tokens: count,
    sentence,
    opens: first ? opens : "none",
  });
  if (tokens <= maxTokens && (kept || block.kind === "heading" || block.kind === "reference"))
    return [unit(block, tokens, true, false)];
  const spans = kept ? lineSpans(whole, block.start) : sentenceSpans(whole, block.start, language);
  return spans.flatMap((span, i) => {
    const tokens = countTokens(text.slice(span.start, span.end));
    if (tokens <= maxTokens) return [unit(span, tokens, i === 0, !kept)];
    return splitLong(text, span, maxTokens, countTokens).map((part, k) =>
      unit(part, countTokens(text.slice(part.start, part.end)), i === 0 && k === 0, false),
    );
  });
}

/** For text far longer than a chunk an estimate is enough: exact counting is linear in the text. White space is not a token. */
const MOST_COUNTED_CHARS = 20_000;
function boundedCount(part: string, countTokens: (text: string) => number): number {
  if (part.length <= MOST_COUNTED_CHARS) return countTokens(part);
  const words = part.replace(/\s+/g, " ");
  return words.length <= MOST_COUNTED_CHARS ? countTokens(words) : Math.ceil(words.length / 4);
}

function lineSpans(text: string, offset: number): Span[] {
  const spans: Span[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g))
    if (line.trim()) spans.push({ start: offset + index, end: offset + index + line.length });
  return spans;
}

/** Cuts a sentence that is too long for the model: at commas or semicolons where that helps, else between words. */
function splitLong(
  text: string,
  { start, end }: Span,
  maxTokens: number,
  countTokens: (text: string) => number,
): Span[] {
  const words = wordSpans(text.slice(start, end), start);
  const parts: Span[] = [];
  let from = 0;
  while (from < words.length) {
    let tokens = 0;
    let to = from;
    let clause = -1;
    while (to < words.length) {
      const size = countTokens(text.slice(words[to]!.start, words[to]!.end));
      if (to > from && tokens + size > maxTokens) break;
      tokens += size;
      if (/[,;:–—]$/.test(text.slice(words[to]!.start, words[to]!.end)) && tokens > maxTokens / 2) clause = to;
      to++;
    }
    const last = to < words.length && clause >= 0 ? clause + 1 : to;
    parts.push({ start: words[from]!.start, end: words[last - 1]!.end });
    from = last;
  }
  return parts;
}

interface Packed extends Span {
  /** Where a piece's own text begins, behind headings and what it repeats. */
  body: number;
  table?: TablePart;
}

const MOST_REPEATED_CHARS = 300;

/** A table in one piece, or cut between rows: every later part repeats the header and names the caption. */
function packTable(blocks: readonly Block[], document: Pick<ReadDocument, "text">, options: CutOptions): Packed[] {
  const { text } = document;
  const { maxTokens, countTokens } = options;
  const at = blocks.findIndex(({ kind }) => kind === "table");
  const table = blocks[at]!;
  const start = blocks[0]!.start;
  const end = blocks.at(-1)!.end;
  const size = (span: Span) => boundedCount(text.slice(span.start, span.end), countTokens);
  if (size({ start, end }) <= maxTokens) return [{ start, end, body: table.start }];
  const rows = lineSpans(text.slice(table.start, table.end), table.start);
  const caption = blocks.find(({ kind }) => kind === "caption");
  const shorten = (span: Span) =>
    text.slice(span.start, Math.min(span.end, span.start + MOST_REPEATED_CHARS)).trimEnd();
  const part: TablePart = {
    header: shorten(rows[0] ?? table),
    ...(caption ? { caption: shorten(caption) } : {}),
  };
  const repeated = countTokens(part.header) + (part.caption ? countTokens(part.caption) : 0);
  const room = Math.max(maxTokens / 2, maxTokens - repeated);
  const pieces: Packed[] = [];
  let tokens = at > 0 ? size({ start, end: blocks[at - 1]!.end }) : 0;
  let open: Packed = { start, end: table.start, body: table.start };
  for (const row of rows.flatMap((each) => (size(each) > room ? splitLong(text, each, room, countTokens) : [each]))) {
    const more = size(row);
    if (open.end > table.start && tokens + more > (pieces.length > 0 ? room : maxTokens)) {
      pieces.push(open);
      open = { ...row, body: row.start, table: part };
      tokens = 0;
    }
    open.end = row.end;
    tokens += more;
  }
  pieces.push({ ...open, end: Math.max(open.end, end) });
  return pieces;
}

function pack(units: readonly Unit[], { maxTokens, overlapTokens }: CutOptions): Packed[] {
  const pieces: Packed[] = [];
  let first = 0;
  let rest = units.reduce((sum, { tokens }) => sum + tokens, 0);
  while (first < units.length) {
    const repeated = pieces.length ? overlapBefore(units, first, overlapTokens, maxTokens) : first;
    let tokens = 0;
    for (let i = repeated; i < first; i++) tokens += units[i]!.tokens;
    // The rest is split evenly between the last two pieces: a very short last piece is of no use in search.
    const limit = rest > maxTokens && rest < maxTokens * 1.6 ? Math.ceil(rest * 0.55) + tokens : maxTokens;
    let after = first;
    while (after < units.length && (after === first || tokens + units[after]!.tokens <= Math.min(limit, maxTokens))) {
      // A lower-level heading begins a new piece once this one is long enough.
      if (after > first && units[after]!.opens === "heading" && tokens > maxTokens / 2) break;
      tokens += units[after]!.tokens;
      after++;
    }
    while (after < units.length && after - 1 > first && units[after - 1]!.opens === "heading") after--;
    after = betterEnd(units, first, after, maxTokens);
    const body = units.slice(first, after).find(({ opens }) => opens !== "heading") ?? units[first]!;
    pieces.push({ start: units[repeated]!.start, end: units[after - 1]!.end, body: body.start });
    for (; first < after; first++) rest -= units[first]!.tokens;
  }
  return pieces;
}

/** Ends a piece with a paragraph rather than inside one, where that does not leave it half empty. */
function betterEnd(units: readonly Unit[], first: number, after: number, maxTokens: number): number {
  if (after >= units.length || units[after]!.opens !== "none") return after;
  let tokens = 0;
  let best = after;
  for (let i = first; i < after; i++) {
    if (i > first && units[i]!.opens !== "none" && tokens > maxTokens * 0.7) best = i;
    tokens += units[i]!.tokens;
  }
  return best;
}

function overlapBefore(units: readonly Unit[], first: number, overlapTokens: number, maxTokens: number): number {
  if (units[first]!.opens === "heading" || !units[first]!.sentence) return first;
  let from = first;
  let tokens = 0;
  const room = Math.min(overlapTokens, maxTokens - units[first]!.tokens);
  while (from > 0 && units[from - 1]!.sentence && tokens + units[from - 1]!.tokens <= room)
    tokens += units[--from]!.tokens;
  return from;
}

/** Interval look-ups: which headings apply at an offset, which pages a span covers. */
function createLocator({ headings, pages }: Pick<ReadDocument, "headings" | "pages">) {
  const byStart = [...headings].sort((a, b) => a.start - b.start);
  const paths: { start: number; path: string[] }[] = [];
  const stack: HeadingMark[] = [];
  for (const heading of byStart) {
    while (stack.length && stack.at(-1)!.level >= heading.level) stack.pop();
    stack.push(heading);
    paths.push({ start: heading.start, path: stack.map(({ title }) => title) });
  }
  return {
    sectionPath: (at: number): string[] => paths[lastAtOrBefore(paths, at)]?.path ?? [],
    pages(start: number, end: number): Pick<Piece, "page_span" | "page_labels"> {
      const first = pages[lastAtOrBefore(pages, start)];
      const last = pages[lastAtOrBefore(pages, end - 1)];
      if (!first || !last || !contains(first, start) || !contains(last, end - 1))
        return { page_span: null, page_labels: null };
      return {
        page_span: [first.number, last.number],
        page_labels: first.label !== null && last.label !== null ? [first.label, last.label] : null,
      };
    },
  };
}

const contains = (page: PageMark, at: number) => page.start <= at && at < page.end;

function lastAtOrBefore(marks: readonly { start: number }[], at: number): number {
  return firstIndex(marks.length, (i) => marks[i]!.start > at) - 1;
}
