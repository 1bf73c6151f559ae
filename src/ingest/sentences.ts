import { oncePerKey } from "../kernel/once.js";

/** Offsets into the document's text, the end excluded. */
export interface Span {
  start: number;
  end: number;
}

// Abbreviations, whose full stop does not end a sentence. The segmenter does not know them.
const ABBREVIATION =
  /(?:^|[\s(["“])(?:\p{Lu}|e\.g|i\.e|cf|vs|etc|al|ca|approx|resp|bzw|vgl|usw|z\. ?B|d\. ?h|u\. ?a|S|Nr|Bd|Abb|Hrsg|Dr|Mr|Mrs|Ms|Prof|Rev|St|Sr|Jr|Fig|Figs|Eq|Eqs|Sec|Ch|chap|Vol|No|pp?|vol|ed|eds|op|ibid|Inc|Ltd|Co|M|Mme|Mlle|Sra?|art|fig|p\. ex)\.\s*$/u;

const segmenterFor = oncePerKey((language: string) => new Intl.Segmenter(language, { granularity: "sentence" }));

/** Sentences of a paragraph, without the white space between them. A line break does not end a sentence. */
export function sentenceSpans(text: string, offset: number, language: string | null): Span[] {
  const spans: Span[] = [];
  let open: Span | undefined;
  for (const { start, end } of segmentsOf(text.replace(/\s/g, " "), segmenterFor(language ?? "en"))) {
    if (open) open.end = end;
    else open = { start, end };
    if (ABBREVIATION.test(text.slice(Math.max(open.start, open.end - 16), open.end))) continue;
    spans.push(open);
    open = undefined;
  }
  if (open) spans.push(open);
  return spans.flatMap(({ start, end }) => trimmed(text, start, end, offset));
}

const WINDOW_CHARS = 4_000;

/**
 * Runs the segmenter window by window, since each of its steps takes time in proportion to the whole text it is given.
 * The last segment of a window may continue in the next, so the next window begins with it.
 */
function* segmentsOf(text: string, segmenter: Intl.Segmenter): Generator<Span> {
  let from = 0;
  let size = WINDOW_CHARS;
  while (from < text.length) {
    const end = Math.min(text.length, from + size);
    const starts = Array.from(segmenter.segment(text.slice(from, end)), ({ index }) => from + index);
    const last = end === text.length ? end : starts.at(-1)!;
    // One sentence longer than the window: look at more of it at once.
    size = last === from ? size * 2 : WINDOW_CHARS;
    for (const [i, start] of starts.entries()) if (start < last) yield { start, end: starts[i + 1] ?? last };
    from = last;
  }
}

function trimmed(text: string, start: number, end: number, offset: number): Span[] {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from]!)) from++;
  while (to > from && /\s/.test(text[to - 1]!)) to--;
  return to > from ? [{ start: offset + from, end: offset + to }] : [];
}

/** Words between white space; a very long one (CJK has no spaces) is cut between characters. */
export function wordSpans(text: string, offset: number): Span[] {
  const spans: Span[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    for (let at = 0; at < word.length; ) {
      let end = Math.min(word.length, at + 64);
      const unit = word.charCodeAt(end - 1);
      if (end < word.length && unit >= 0xd800 && unit < 0xdc00) end--;
      spans.push({ start: offset + index + at, end: offset + index + end });
      at = end;
    }
  }
  return spans;
}
