import { ShelfError } from "../kernel/errors.js";
import { bareKeys } from "./fuzzy.js";
import { bareKey, isSetTight, normalise, type Word, words } from "./normalise.js";

/** A quote made ready to be looked for. */
export interface Quote {
  text: string;
  normal: string;
  words: Word[];
  /** The words without the punctuation around them. */
  keys: string[];
  /** What an ellipsis parts; one where there is none. */
  parts: Quote[];
  /** Mostly in a script written without spaces, where a character takes a word's place. */
  unspaced: boolean;
}

export const MIN_QUOTE_CHARACTERS = 12;
export const MIN_QUOTE_WORDS = 3;

const ELLIPSIS = /\s*(?:\[\s*(?:…|\.\s?\.\s?\.)\s*\]|\(\s*(?:…|\.\s?\.\s?\.)\s*\)|…|\.\s\.\s\.(?:\s\.)?|\.{3,4})\s*/;
/** A letter in brackets is the quoter's change of case: [T]he. */
const BRACKETED_LETTER = /\[(\p{L})\](?=\p{L})/gu;

/** What may stand at either end of a quote without being part of it: dashes, and an ellipsis for what was left off. */
const OPENING = new RegExp(`^(?:[\\s\\-\\u2010-\\u2015]|${ELLIPSIS.source})+`);
const CLOSING = new RegExp(`(?:[\\s\\-\\u2010-\\u2015]|${ELLIPSIS.source})+$`);

export function prepareQuote(raw: string): Quote {
  const text = raw.replace(OPENING, "").replace(CLOSING, "");
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

/** The quote's own words in a row, without the ellipses between its parts. */
export function withoutEllipses(quote: Quote): Quote {
  return quote.parts.length > 1 ? prepare(quote.parts.map((part) => part.text).join(" ")) : quote;
}

/** The same quote without the quotation marks around it, where it has them. */
export function withoutOuterMarks(quote: Quote): Quote | undefined {
  const inner = /^["'“”„«»‘’‚‹›](.*)["'“”„«»‘’‚‹›]([.,;:!?]?)$/su.exec(quote.text);
  if (!inner) return undefined;
  return prepare(`${inner[1]}${inner[2]}`.trim());
}

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

/** Overlap-free stretches of the normalised quote, long enough to be rare, to find where an altered quote may stand. */
export function anchors(quote: Quote): { text: string; at: number }[] {
  const size = quote.unspaced ? 4 : 12;
  const found: { text: string; at: number }[] = [];
  const { normal } = quote;
  let at = 0;
  while (at < normal.length) {
    let end = Math.min(normal.length, at + size);
    // Whole words: half a word is found too often.
    while (!quote.unspaced && end < normal.length && normal[end] !== " ") end++;
    if (end - at >= Math.min(size, 6)) found.push({ text: normal.slice(at, end), at });
    at = normal[end] === " " ? end + 1 : end;
  }
  return found;
}
