import { type Span, sentenceSpans } from "../../../../ingest/sentences.js";
import { analyse } from "../../../../text/analysis.js";
import type { StoredChunk } from "../../../chunks/chunk-store.js";

/** A sentence of a passage, with its position and its index terms. */
export interface Sentence {
  chunk: StoredChunk;
  /** Offsets into the chunk's text. */
  start: number;
  end: number;
  text: string;
  terms: ReadonlySet<string>;
  /** The paragraph, list or row of the chunk it belongs to. */
  block: number;
}

/** The longest sentence; longer text without a full stop is cut. */
const MAX_SENTENCE = 600;
const LINE_ITEM = /^\s*(?:[-*+•|]|\d{1,3}[.)])\s|\t/;

/** The sentences of a passage in reading order, without headings, which answer nothing. */
export function sentencesOf(chunk: StoredChunk): Sentence[] {
  const headings = new Set([chunk.title, ...chunk.section_path].filter((title) => title !== null).map(plain));
  return blocksOf(chunk.text).flatMap((block, i) => {
    const body = chunk.text.slice(block.start, block.end);
    if (headings.has(plain(body)) || /^#{1,6} [^\n]*$/.test(body)) return [];
    return unitsOf(body, block.start, chunk.language)
      .flatMap((span) => (span.end - span.start > MAX_SENTENCE ? shortened(chunk.text, span) : [span]))
      .map(({ start, end }) => {
        const text = chunk.text.slice(start, end);
        return { chunk, start, end, text, terms: new Set(analyse(text, chunk.language)), block: i };
      })
      .filter(({ terms }) => terms.size > 1);
  });
}

function blocksOf(text: string): Span[] {
  const blocks: Span[] = [];
  let start = 0;
  for (const gap of text.matchAll(/\n[^\S\n]*\n\s*/g)) {
    if (gap.index > start) blocks.push({ start, end: gap.index });
    start = gap.index + gap[0].length;
  }
  if (start < text.length) blocks.push({ start, end: text.length });
  return blocks;
}

function unitsOf(body: string, offset: number, language: string | null): Span[] {
  const lines = [...body.matchAll(/[^\n]+/g)].filter(([line]) => line.trim());
  const items = lines.filter(([line]) => LINE_ITEM.test(line)).length;
  if (lines.length === 1 || items < lines.length / 2) return sentenceSpans(body, offset, language);
  return lines.flatMap(({ 0: line, index }) => sentenceSpans(line, offset + index, language));
}

function shortened(text: string, { start, end }: Span): Span[] {
  const spans: Span[] = [];
  let from = start;
  while (end - from > MAX_SENTENCE) {
    const window = text.slice(from, from + MAX_SENTENCE);
    const at = Math.max(window.lastIndexOf("\n"), window.lastIndexOf("; "), window.lastIndexOf(". "));
    const cut = at > MAX_SENTENCE / 3 ? at + 1 : Math.max(window.lastIndexOf(" "), 0) || MAX_SENTENCE;
    spans.push({ start: from, end: from + cut });
    from += cut;
    while (from < end && /\s/.test(text[from]!)) from++;
  }
  if (from < end) spans.push({ start: from, end });
  return spans.map((span) => {
    let to = span.end;
    while (to > span.start && /\s/.test(text[to - 1]!)) to--;
    return { start: span.start, end: to };
  });
}

const plain = (title: string) =>
  title
    .replace(/^#{1,6}\s+/, "")
    .replace(/\s+/g, " ")
    .trim();
