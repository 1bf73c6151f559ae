import { bareKeys, type CommonRun, keyPositions, longestRunFrom } from "./fuzzy.js";
import { words } from "./normalise.js";
import type { Quote } from "./quote.js";

/** Text of a source that may contain a part of the quote. */
export interface Stretch {
  /** Unique key of the source. */
  source: string;
  text: string;
  /** Where `text` begins in the source. */
  at: number;
}

/** A part of the quote found in a source, possibly with altered words. */
export interface Piece {
  source: string;
  start: number;
  end: number;
  /** The part in the quote's wording. */
  quoted: string;
  altered: number;
}

const MIN_RUN_WORDS = 4;
/** In scripts without spaces each character counts as a word, so a piece needs more of them. */
const MIN_RUN_CHARACTERS = 8;
const MIN_COVERAGE = 0.9;
/** Pieces this long are not a coincidence, so more words of the quoter may be around them. */
const LONG_RUN_FACTOR = 1.5;
const MIN_LONG_COVERAGE = 0.8;
const MAX_ALTERED = 0.2;
/** Words between two pieces that may belong to neither. */
const STRAY_WORDS = 2;
/** Runs this close in one text are one place with an error between them. */
const SAME_PLACE_CHARS = 25;

interface Run extends CommonRun {
  sourceEnd: number;
  altered: number;
}

/** The places a quote was put together from, in the quote's order; undefined if it was not. */
export function stitched(quote: Quote, stretches: readonly Stretch[]): Piece[] | undefined {
  const shortest = quote.unspaced ? MIN_RUN_CHARACTERS : MIN_RUN_WORDS;
  if (quote.keys.length < 2 * shortest) return undefined;
  const texts = stretches.map((stretch) => {
    const list = words(stretch.text);
    const keys = bareKeys(list);
    return { stretch, list, keys, positions: keyPositions(keys) };
  });

  const runs: { run: Run; text: (typeof texts)[number] }[] = [];
  for (let at = 0; at < quote.keys.length; ) {
    let best: { run: CommonRun; text: (typeof texts)[number] } | undefined;
    for (const text of texts) {
      const run = longestRunFrom(quote.keys, at, text.keys, text.positions);
      if (run && (!best || run.to - run.from > best.run.to - best.run.from)) best = { run, text };
    }
    if (best && best.run.to - best.run.from >= shortest) {
      const run = pastSlips(best.run, quote.keys, best.text.keys, runs.at(-1)?.run.to ?? 0);
      runs.push({ run, text: best.text });
      at = run.to;
    } else at++;
  }
  const covered = runs.reduce((sum, { run }) => sum + run.to - run.from, 0);
  const altered = runs.reduce((sum, { run }) => sum + run.altered, 0);
  const missing = quote.keys.length - covered;
  if (runs.length < 2 || altered > quote.keys.length * MAX_ALTERED) return undefined;
  const isLong = runs.every(({ run }) => run.to - run.from >= shortest * LONG_RUN_FACTOR);
  const mayMiss = quote.keys.length * (1 - (isLong ? MIN_LONG_COVERAGE : MIN_COVERAGE));
  if (missing > Math.max(mayMiss, Math.min(STRAY_WORDS, runs.length - 1))) return undefined;

  const pieces: Piece[] = [];
  for (const { run, text } of runs) {
    const start = text.stretch.at + text.list[run.source]!.start;
    const end = text.stretch.at + text.list[run.sourceEnd - 1]!.end;
    const quoted = quote.text.slice(quote.words[run.from]!.start, quote.words[run.to - 1]!.end);
    const previous = pieces.at(-1);
    const gap = previous?.source === text.stretch.source ? start - previous.end : -1;
    if (previous && gap >= 0 && gap <= SAME_PLACE_CHARS) {
      previous.end = end;
      previous.quoted += ` ${quoted}`;
      previous.altered += run.altered;
    } else pieces.push({ source: text.stretch.source, start, end, quoted, altered: run.altered });
  }
  return pieces.length > 1 ? pieces : undefined;
}

const MAX_SLIP = 2;

/** A run continues after an altered, added or missing word if at least two words match again; likewise before it. */
function pastSlips(run: CommonRun, quote: readonly string[], source: readonly string[], from: number): Run {
  const grown: Run = { ...run, sourceEnd: run.source + run.to - run.from, altered: 0 };
  const agree = (q: number, s: number, step: 1 | -1) => {
    let count = 0;
    while (
      q + count * step >= from &&
      q + count * step < quote.length &&
      quote[q + count * step] === source[s + count * step]
    )
      count++;
    return count;
  };
  for (const step of [1, -1] as const) {
    for (;;) {
      const [q, s] = step === 1 ? [grown.to, grown.sourceEnd] : [grown.from - 1, grown.source - 1];
      let best: { words: number; skipQuote: number; skipSource: number } | undefined;
      for (let skipQuote = 0; skipQuote <= MAX_SLIP; skipQuote++)
        for (let skipSource = 0; skipSource <= MAX_SLIP; skipSource++) {
          if (skipQuote + skipSource === 0) continue;
          const words = agree(q + skipQuote * step, s + skipSource * step, step);
          if (words >= 2 && (!best || words > best.words)) best = { words, skipQuote, skipSource };
        }
      if (!best) break;
      grown.altered += Math.max(best.skipQuote, best.skipSource);
      if (step === 1) {
        grown.to += best.skipQuote + best.words;
        grown.sourceEnd += best.skipSource + best.words;
      } else {
        grown.from -= best.skipQuote + best.words;
        grown.source -= best.skipSource + best.words;
      }
    }
  }
  return grown;
}
