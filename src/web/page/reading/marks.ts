import { isUnspaced } from "../../../kernel/scripts.js";

/** A range of text, [from, to). */
export type Span = readonly [from: number, to: number];

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const PLAIN = /^[a-z]+$/;
const fold = (text: string) => (PLAIN.test(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());

/** The ranges of the query words in a text, including other forms of a word. */
export function spansOf(query: string, text: string): Span[] {
  const { wanted, unspaced } = wordsOf(query);
  const spans: Span[] = [];
  for (const match of text.matchAll(WORDS)) {
    const word = fold(match[0]);
    if (wanted.some((other) => sameWord(other, word))) spans.push([match.index, match.index + match[0].length]);
    else
      for (const part of unspaced) {
        const at = match[0].indexOf(part);
        if (at >= 0) spans.push([match.index + at, match.index + at + part.length]);
      }
  }
  return spans;
}

interface QueryWords {
  query: string;
  wanted: string[];
  unspaced: string[];
}
let last: QueryWords = { query: "", wanted: [], unspaced: [] };

/** A list of hits asks for the same query many times. */
function wordsOf(query: string): QueryWords {
  if (last.query === query) return last;
  const words = [...query.matchAll(WORDS)].map(([word]) => word);
  last = {
    query,
    wanted: words.map(fold).filter((word) => !STOP_WORDS.has(word)),
    unspaced: words.filter((word) => isUnspaced(word)),
  };
  return last;
}

/** Equal, or equal except for an ending: memory and memories, read and reading. */
function sameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const short = Math.min(a.length, b.length);
  if (short < 4) return false;
  let shared = 0;
  while (shared < short && a[shared] === b[shared]) shared++;
  return shared >= Math.max(4, short - 2) && Math.max(a.length, b.length) - shared <= 4;
}

/** The range of `passage` in `text`: exact, or else with all spaces and all quotation marks treated as equal. */
export function findPassage(text: string, passage: string): Span | undefined {
  const wanted = passage.trim();
  if (!wanted) return undefined;
  const exact = text.indexOf(wanted);
  if (exact >= 0) return [exact, exact + wanted.length];
  const pattern = wanted
    .split(/\s+/)
    .map((word) =>
      word
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/["“”„«»]/g, '["“”„«»]')
        .replace(/['‘’]/g, "['‘’]"),
    )
    .join("\\s+");
  const found = new RegExp(pattern, "iu").exec(text);
  return found ? [found.index, found.index + found[0].length] : undefined;
}

/** About `room` characters around the first mark, cut at spaces; the spans are shifted accordingly. */
export function excerpt(text: string, spans: readonly Span[], room = 420): { text: string; spans: readonly Span[] } {
  if (text.length <= room * 1.3) return { text, spans };
  const first = spans[0]?.[0] ?? 0;
  const from = first < room / 2 ? 0 : text.indexOf(" ", first - room / 3) + 1;
  const end = text.lastIndexOf(" ", from + room);
  const to = from + room >= text.length || end <= from ? Math.min(text.length, from + room) : end;
  const before = from > 0 ? "… " : "";
  return {
    text: `${before}${text.slice(from, to)}${to < text.length ? " …" : ""}`,
    spans: spans
      .filter(([start, stop]) => start >= from && stop <= to)
      .map(([start, stop]) => [start - from + before.length, stop - from + before.length]),
  };
}

const STOP_WORDS = new Set(
  "a an and are as at be but by for from has have how in is it its not of on or that the their this to was were what when where which who why will with you your".split(
    " ",
  ),
);
