import { type Alignment, align, characterSimilarity } from "./fuzzy.js";
import {
  collapse,
  isSetTight,
  type Normalised,
  normalise,
  originalSpan,
  sameDashes,
  type Word,
  words,
} from "./normalise.js";
import { anchors, plainQuote, type Quote, withoutClosingStop, withoutOuterMarks } from "./quote.js";

export const FUZZY_SIMILARITY = 0.85;
/** Parts of a quote with ellipses must be within about two pages of each other, in characters. */
export const PARTS_WITHIN_CHARS = 6000;
const MAX_OCCURRENCES = 20;
const MAX_WINDOWS = 6;
/** Texts up to this length are aligned as a whole if no piece of the quote is found. */
const SHORT_TEXT_CHARS = 6000;

export type Level = "exact" | "normalised" | "fuzzy" | "none";

/** A place in a text with the quote, or with similar words. */
export interface Found {
  level: Level;
  similarity: number;
  start: number;
  end: number;
  /** For inexact hits, the alignment of the quote with the words of this span. */
  aligned?: { alignment: Alignment; quote: Quote; from: number; words: Word[] };
}

const RANK: Record<Level, number> = { exact: 3, normalised: 2, fuzzy: 1, none: 0 };

export function better(a: Found, b: Found): number {
  return RANK[b.level] - RANK[a.level] || b.similarity - a.similarity || a.start - b.start;
}

/** A span of the text as the file prints it. */
interface PrintedForms {
  /** With hyphens and line ends; null if that is the same. */
  hyphenated(start: number, end: number): string | null;
  /** With the marks of notes, where it has any. */
  marked(start: number, end: number): string[];
}
const NO_FORMS: PrintedForms = { hyphenated: () => null, marked: () => [] };

/** Finds the quote in `text`, best hits first; `normalised` is the normalised `text`. */
export function searchText(
  quote: Quote,
  text: string,
  normalised: Normalised = normalise(text),
  forms: PrintedForms = NO_FORMS,
): Found[] {
  const { hyphenated } = forms;
  const verbatim = occurrences(quote, text, normalised, hyphenated);
  if (verbatim.length > 0) return verbatim;
  const bare = withoutOuterMarks(quote);
  const inner = bare ? occurrences(bare, text, normalised, hyphenated) : [];
  if (inner.length > 0) return inner;
  const unstopped = withoutClosingStop(bare ?? quote);
  const stopped = unstopped ? occurrences(unstopped, text, normalised, hyphenated) : [];
  if (stopped.length > 0) return stopped.map((found) => ({ ...found, level: "normalised" }));
  if (quote.parts.length > 1) {
    const together = partsInOrder(quote.parts, text, normalised);
    if (together) return [together];
  }
  const nearest = approximate(bare ?? quote, text, normalised);
  if (nearest && isPrinted(bare ?? quote, text, nearest, forms))
    return [{ level: "normalised", similarity: 1, start: nearest.start, end: nearest.end }];
  return nearest ? [nearest] : [];
}

/** Whether the quote has the words of the span with the marks of its notes, as they are copied from the file. */
function isPrinted(quote: Quote, text: string, { level, start, end }: Found, { marked }: PrintedForms): boolean {
  if (level === "none") return false;
  // A stop that the quote has behind its last word is part of the span.
  const ends = [end, ...(/^[.,;:!?”"’)]/.test(text.slice(end, end + 1)) ? [end + 1] : [])];
  return ends
    .flatMap((stop) => marked(start, stop))
    .some((printed) => normalise(printed).text === quote.normal && sameDashes(printed, quote.text));
}

function occurrences(
  quote: Quote,
  text: string,
  normalised: Normalised,
  hyphenated: PrintedForms["hyphenated"],
): Found[] {
  const found: Found[] = [];
  const needle = quote.normal;
  if (!needle) return found;
  let wanted: string | undefined;
  for (let at = normalised.text.indexOf(needle); at >= 0; at = normalised.text.indexOf(needle, at + 1)) {
    const [start, end] = originalSpan(text, normalised, at, at + needle.length);
    if (insideWord(text, start, end)) continue;
    const slice = text.slice(start, end);
    wanted ??= collapse(quote.text);
    if (collapse(slice) === wanted) found.push({ level: "exact", similarity: 1, start, end });
    else if (sameDashes(slice, quote.text) || sameDashes(hyphenated(start, end) ?? slice, quote.text))
      found.push({ level: "normalised", similarity: 1, start, end });
    if (found.length >= MAX_OCCURRENCES) break;
  }
  return found.sort(better);
}

const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{N}/u;

/** Whether the span begins or ends inside a word. A note number after a word does not belong to it. */
function insideWord(text: string, start: number, end: number): boolean {
  const glued = (left: string | undefined, right: string | undefined) =>
    left !== undefined &&
    right !== undefined &&
    !isSetTight(left) &&
    !isSetTight(right) &&
    ((LETTER.test(left) && LETTER.test(right)) || (DIGIT.test(left) && DIGIT.test(right)));
  return glued(text[start - 1], text[start]) || glued(text[end - 1], text[end]);
}

/** Finds all parts in order and near each other; the worst part decides the score. */
function partsInOrder(parts: readonly Quote[], text: string, normalised: Normalised): Found | undefined {
  const [first, ...rest] = parts;
  const openings = searchText(first!, text, normalised).filter((found) => found.level !== "none");
  let best: Found | undefined;
  for (const opening of openings) {
    let chain: Found | undefined = opening;
    let weighed = opening.similarity * first!.words.length;
    let total = first!.words.length;
    for (const part of rest) {
      const slice: string = text.slice(chain.end, opening.start + PARTS_WITHIN_CHARS);
      const next: Found | undefined = searchText(part, slice).find((found) => found.level !== "none");
      if (!next) {
        chain = undefined;
        break;
      }
      weighed += next.similarity * part.words.length;
      total += part.words.length;
      chain = {
        level: RANK[next.level] < RANK[chain.level] ? next.level : chain.level,
        similarity: weighed / total,
        start: opening.start,
        end: chain.end + next.end,
      };
    }
    if (chain && (!best || better(chain, best) < 0)) best = chain;
  }
  return best;
}

/** The most similar span, searched around the places where pieces of the quote are found. */
function approximate(quote: Quote, text: string, normalised: Normalised): Found | undefined {
  let best: Found | undefined;
  for (const [from, to] of windows(quote, text, normalised)) {
    const slice = text.slice(from, to);
    const found = compare(quote, slice, from);
    if (found && (!best || better(found, best) < 0)) best = found;
  }
  return best;
}

/** Aligns a part of a quote with the span found for it, which begins at `from` of the text. */
export function compareWith(part: string, slice: string, from: number): Found {
  const whole: Found = { level: "fuzzy", similarity: 1, start: from, end: from + slice.length };
  return compare(plainQuote(part), slice, from) ?? whole;
}

/** Aligns the quote with `slice`, which begins at `from` of the text. */
function compare(quote: Quote, slice: string, from: number): Found | undefined {
  const list = words(slice);
  const alignment = align(quote.words, list);
  const first = list[alignment.from];
  const last = list[alignment.to - 1];
  if (!first || !last) return undefined;
  // Punctuation that the quote omits at its ends is not part of the span.
  const opening = quote.words[0]!.key;
  const closing = quote.words.at(-1)!.key;
  const start = first.start + (first.key.endsWith(opening) ? first.key.length - opening.length : 0);
  const end = last.end - (last.key.startsWith(closing) ? last.key.length - closing.length : 0);
  const run = slice.slice(start, end);
  const similarity = Math.max(alignment.wordSimilarity, characterSimilarity(quote.text, run));
  return {
    level: similarity >= FUZZY_SIMILARITY ? "fuzzy" : "none",
    similarity,
    start: from + start,
    end: from + end,
    aligned: { alignment, quote, from, words: list },
  };
}

/** Spans of the original that may contain the altered quote, the most promising first. */
export function windows(quote: Quote, text: string, normalised: Normalised): [number, number][] {
  const length = quote.normal.length;
  const slack = Math.ceil(length * 0.3) + 40;
  const starts: number[] = [];
  for (const piece of anchors(quote)) {
    let seen = 0;
    for (
      let at = normalised.text.indexOf(piece.text);
      at >= 0 && seen < 50;
      at = normalised.text.indexOf(piece.text, at + 1)
    ) {
      starts.push(at - piece.at);
      seen++;
    }
  }
  if (starts.length === 0) return text.length <= SHORT_TEXT_CHARS && text.length > 0 ? [[0, text.length]] : [];
  starts.sort((a, b) => a - b);
  const groups: { from: number; to: number; pieces: number }[] = [];
  for (const start of starts) {
    const group = groups.at(-1);
    if (group && start - group.to <= slack) {
      group.to = start;
      group.pieces++;
    } else groups.push({ from: start, to: start, pieces: 1 });
  }
  return groups
    .sort((a, b) => b.pieces - a.pieces)
    .slice(0, MAX_WINDOWS)
    .map(({ from, to }): [number, number] => {
      const first = Math.max(0, from - slack);
      const last = Math.min(normalised.text.length, to + length + slack);
      // A window begins and ends between words.
      return [
        wordStart(text, normalised.starts[first] ?? 0),
        wordEnd(text, originalSpan(text, normalised, first, last)[1]),
      ];
    });
}

function wordStart(text: string, position: number): number {
  let at = position;
  while (at > 0 && position - at < 60 && /\S/.test(text[at - 1]!)) at--;
  return at;
}
function wordEnd(text: string, position: number): number {
  let at = position;
  while (at < text.length && at - position < 60 && /\S/.test(text[at]!)) at++;
  return at;
}
