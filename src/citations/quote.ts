import { ShelfError } from "../kernel/errors.js";
import { trimEndOf } from "../kernel/trim-end.js";
import { bareKeys } from "./fuzzy.js";
import { bareKey, isSetTight, normalise, type Word, words } from "./normalise.js";

export interface Quote {
  text: string;
  normal: string;
  words: Word[];
  /** The words without the punctuation around them. */
  keys: string[];
  /** The parts between ellipses; one part if there is none. */
  parts: Quote[];
  /** Mostly in a script without spaces: each character counts as a word. */
  unspaced: boolean;
}

const MIN_QUOTE_CHARACTERS = 12;
const MIN_QUOTE_WORDS = 3;

/**
 * An ellipsis in its usual spellings. Every quantifier is bounded and the caller handles spaces around it: a pattern
 * that can match the same spaces in two ways takes exponential time on a table of contents.
 */
const ELLIPSIS =
  /\[\s{0,3}(?:…|\.\s?\.\s?\.)\s{0,3}\]|\(\s{0,3}(?:…|\.\s?\.\s?\.)\s{0,3}\)|…|\.\s\.\s\.(?:\s\.)?|\.{3,4}/;
/** A letter in brackets is the quoter's change of case: [T]he. */
const BRACKETED_LETTER = /\[(\p{L})\](?=\p{L})/gu;

/** What is dropped at either end of a quote: spaces, dashes and ellipses. */
const BESIDE = /[\s\-\u2010-\u2015]/;
const OPENING = new RegExp(`^(?:${BESIDE.source}|${ELLIPSIS.source})+`);
const CLOSING_CHARACTER = /[\s\-\u2010-\u2015.…[\]()]/;
/** Possible ellipses at one place: three dots or four. */
const ELLIPSES = [ELLIPSIS, /\.{3}/, /\.\s\.\s\./].map((pattern) => new RegExp(pattern.source, "y"));

export function prepareQuote(raw: string): Quote {
  const text = withoutClosing(raw.replace(OPENING, ""));
  const whole = prepare(text);
  const letters = [...text.replace(/\s+/g, " ")].length;
  const counted = whole.words.filter(({ key }) => bareKey(key)).length;
  if (letters < MIN_QUOTE_CHARACTERS || (!whole.unspaced && counted < MIN_QUOTE_WORDS))
    throw new ShelfError(
      "INVALID_INPUT",
      `The quote is too short to check: under ${MIN_QUOTE_CHARACTERS} characters or ${MIN_QUOTE_WORDS} words it would match anywhere. Give more of the sentence.`,
      {
        details: {
          fields: [
            { field: "quote", problem: `needs ${MIN_QUOTE_CHARACTERS} characters and ${MIN_QUOTE_WORDS} words` },
          ],
        },
      },
    );
  const parts = text
    .split(ELLIPSIS)
    .map((part) => part.trim())
    .filter((part) => words(part).some(({ key }) => bareKey(key)));
  return { ...whole, parts: parts.length > 1 ? parts.map(prepare) : [] };
}

/** Cuts off the longest end of spaces, dashes and ellipses; scans from the back and visits each place once. */
function withoutClosing(text: string): string {
  const from = trimEndOf(text, CLOSING_CHARACTER).length;
  const cuts = new Set([text.length]);
  let cut = text.length;
  for (let at = text.length - 1; at >= from; at--) {
    const ends = BESIDE.test(text[at]!) ? [at + 1] : ellipsisEnds(text, at);
    if (!ends.some((end) => cuts.has(end))) continue;
    cuts.add(at);
    cut = at;
  }
  return text.slice(0, cut);
}

function ellipsisEnds(text: string, at: number): number[] {
  return ELLIPSES.flatMap((pattern) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? [pattern.lastIndex] : [];
  });
}

/** All words of the quote, without the ellipses between its parts. */
export function withoutEllipses(quote: Quote): Quote {
  return quote.parts.length > 1 ? prepare(quote.parts.map((part) => part.text).join(" ")) : quote;
}

/** The quote without enclosing quotation marks; undefined if it has none. */
export function withoutOuterMarks(quote: Quote): Quote | undefined {
  const inner = /^["'“”„«»‘’‚‹›](.*)["'“”„«»‘’‚‹›]([.,;:!?]?)$/su.exec(quote.text);
  if (!inner) return undefined;
  return prepare(`${inner[1]}${inner[2]}`.trim());
}

/** The quote without its closing comma or full stop, which may belong to the quoter's sentence. */
export function withoutClosingStop(quote: Quote): Quote | undefined {
  const inner = /^(.+[^\s.,;。，；、])[.,;。，；、]$/su.exec(quote.text)?.[1];
  return inner === undefined ? undefined : prepare(inner);
}

/** A quote without parts and without a minimum length. */
export const plainQuote = prepare;

function prepare(text: string): Quote {
  const plain = text.replace(BRACKETED_LETTER, "$1");
  const list = words(plain);
  const unspacedCount = list.filter(({ key }) => isSetTight(key)).length;
  return {
    text: plain,
    normal: normalise(plain).text,
    words: list,
    keys: bareKeys(list),
    parts: [],
    unspaced: unspacedCount * 2 > list.length,
  };
}

/** Non-overlapping pieces of the normalised quote, long enough to be rare, to find where an altered quote may be. */
export function anchors(quote: Quote): { text: string; at: number }[] {
  const size = quote.unspaced ? 4 : 12;
  const found: { text: string; at: number }[] = [];
  const { normal } = quote;
  let at = 0;
  while (at < normal.length) {
    let end = Math.min(normal.length, at + size);
    // Whole words: parts of words match too often.
    while (!quote.unspaced && end < normal.length && normal[end] !== " ") end++;
    if (end - at >= Math.min(size, 6)) found.push({ text: normal.slice(at, end), at });
    at = normal[end] === " " ? end + 1 : end;
  }
  return found;
}
