import { bareKeys, type CommonRun, keyPositions, longestRunFrom } from "./fuzzy.js";
import { words } from "./normalise.js";
import type { Quote } from "./quote.js";

/** Some text of a source that may hold a part of the quote. */
export interface Stretch {
  /** What tells the source from another. */
  source: string;
  text: string;
  /** Where `text` begins in the source. */
  at: number;
}

/** A part of the quote that stands word for word in a source. */
export interface Piece {
  source: string;
  start: number;
  end: number;
  /** The part, as the quote has it. */
  quoted: string;
}

const MIN_RUN_WORDS = 4;
/** In scripts without spaces a character stands for a word, and four of them are one or two words. */
const MIN_RUN_CHARACTERS = 8;
const MIN_COVERAGE = 0.9;
/** Runs this near each other in one text are one place with a slip between them. */
const SAME_PLACE_CHARS = 25;

/** The places a quote was put together from, in the quote's order, or undefined where it was not. */
export function stitched(quote: Quote, stretches: readonly Stretch[]): Piece[] | undefined {
  const shortest = quote.unspaced ? MIN_RUN_CHARACTERS : MIN_RUN_WORDS;
  if (quote.keys.length < 2 * shortest) return undefined;
  const texts = stretches.map((stretch) => {
    const list = words(stretch.text);
    const keys = bareKeys(list);
    return { stretch, list, keys, positions: keyPositions(keys) };
  });

  const runs: { run: CommonRun; text: (typeof texts)[number] }[] = [];
  let covered = 0;
  for (let at = 0; at < quote.keys.length; ) {
    let best: (typeof runs)[number] | undefined;
    for (const text of texts) {
      const run = longestRunFrom(quote.keys, at, text.keys, text.positions);
      if (run && (!best || run.to - run.from > best.run.to - best.run.from)) best = { run, text };
    }
    if (best && best.run.to - best.run.from >= shortest) {
      runs.push(best);
      covered += best.run.to - best.run.from;
      at = best.run.to;
    } else at++;
  }
  if (runs.length < 2 || covered < quote.keys.length * MIN_COVERAGE) return undefined;

  const pieces: Piece[] = [];
  for (const { run, text } of runs) {
    const start = text.stretch.at + text.list[run.source]!.start;
    const end = text.stretch.at + text.list[run.source + run.to - run.from - 1]!.end;
    const quoted = quote.text.slice(quote.words[run.from]!.start, quote.words[run.to - 1]!.end);
    const previous = pieces.at(-1);
    const gap = previous?.source === text.stretch.source ? start - previous.end : -1;
    if (previous && gap >= 0 && gap <= SAME_PLACE_CHARS) {
      previous.end = end;
      previous.quoted += ` ${quoted}`;
    } else pieces.push({ source: text.stretch.source, start, end, quoted });
  }
  return pieces.length > 1 ? pieces : undefined;
}
