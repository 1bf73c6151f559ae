import { addTo } from "../kernel/collections.js";
import { editDistance } from "../kernel/edit-distance.js";
import { bareKey, normalise, type Word } from "./normalise.js";

/** A run of the source's words aligned with the quote. */
export interface Alignment {
  /** The run, as indexes into the source's words: `[from, to)`. */
  from: number;
  to: number;
  steps: Step[];
  /** In [0,1], by words; a differing word counts by its share of differing letters. */
  wordSimilarity: number;
}
export interface Step {
  /** Index into the quote's words; null for a word that only the source has. */
  quote: number | null;
  source: number | null;
  same: boolean;
}

const MATCH = 1;
const ADDED = 2;
const LEFT_OUT = 3;

/** The run of `source` most similar to the whole `quote`: semi-global alignment. */
export function align(quote: readonly Word[], source: readonly Word[]): Alignment {
  const n = quote.length;
  const m = source.length;
  const width = m + 1;
  const choice = new Uint8Array((n + 1) * width);
  let above = new Float64Array(width);
  let row = new Float64Array(width);
  for (let i = 1; i <= n; i++) {
    row[0] = i;
    choice[i * width] = ADDED;
    const key = quote[i - 1]!.key;
    for (let j = 1; j <= m; j++) {
      let best = above[j - 1]! + (isEdge(i, n, key, source[j - 1]!.key) ? 0 : wordDistance(key, source[j - 1]!.key));
      let by = MATCH;
      if (above[j]! + 1 < best) {
        best = above[j]! + 1;
        by = ADDED;
      }
      if (row[j - 1]! + 1 < best) {
        best = row[j - 1]! + 1;
        by = LEFT_OUT;
      }
      row[j] = best;
      choice[i * width + j] = by;
    }
    [above, row] = [row, above];
  }
  let to = 0;
  for (let j = 1; j <= m; j++) if (above[j]! < above[to]!) to = j;

  const steps: Step[] = [];
  let i = n;
  let j = to;
  while (i > 0) {
    const by = choice[i * width + j];
    if (by === MATCH) {
      i--;
      j--;
      const [mine, theirs] = [quote[i]!.key, source[j]!.key];
      steps.push({ quote: i, source: j, same: mine === theirs || isEdge(i + 1, n, mine, theirs) });
    } else if (by === ADDED) steps.push({ quote: --i, source: null, same: false });
    else steps.push({ quote: null, source: --j, same: false });
  }
  steps.reverse();
  // A different last word replaces the source's word there, unless the source's sentence has ended.
  for (let at = lastSame(steps) + 1; at > 0 && at < steps.length; at++) {
    const step = steps[at]!;
    if (step.source !== null || to >= m || ENDS_SENTENCE.test(source[to - 1]!.key)) break;
    steps[at] = { ...step, source: to++ };
  }
  const longer = Math.max(n, to - j, 1);
  return { from: j, to, steps, wordSimilarity: Math.max(0, 1 - above[to]! / longer) };
}

const ENDS_SENTENCE = /[.!?…][”’»"')\]]{0,3}$/u;

function lastSame(steps: readonly Step[]): number {
  return steps.findLastIndex(({ same }) => same);
}

/** A quote may begin after the source's punctuation and end before it. */
function isEdge(position: number, length: number, quoted: string, printed: string): boolean {
  if (position === 1 && printed.endsWith(quoted) && !bareKey(printed.slice(0, -quoted.length))) return true;
  if (position !== length) return false;
  // “measurement,” for "measurement.": the quoter's sentence sets the closing comma or stop.
  const stopless = quoted.replace(/[.,;]$/, "") || quoted;
  return printed.startsWith(stopless) && !bareKey(printed.slice(stopless.length));
}

/** 0 for the same word, 1 for another one; in between the share of letters that differ. */
function wordDistance(a: string, b: string): number {
  if (a === b) return 0;
  const longer = Math.max(a.length, b.length);
  if (Math.abs(a.length - b.length) * 2 > longer) return 1;
  const distance = editDistance(a, b) / longer;
  // Words that share less than half of their letters are different words, not misspellings.
  return distance > 0.5 ? 1 : distance;
}

/** The share of characters two texts have in common after normalising, in [0,1]. */
export function characterSimilarity(a: string, b: string): number {
  const left = normalise(a).text;
  const right = normalise(b).text;
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 1 : 1 - editDistance(left, right) / longer;
}

export interface Difference {
  /** The quote's words; empty where the quote left something out. */
  quote: string;
  /** The source's words; empty where the quote added something. */
  source: string;
}

/** The differences, and the whole text with the quote's words in [-…-] and the source's in {+…+}. */
export function differences(
  alignment: Alignment,
  quote: { text: string; words: readonly Word[] },
  source: { text: string; words: readonly Word[] },
): { differences: Difference[]; marked: string } {
  const found: Difference[] = [];
  const marked: string[] = [];
  let mine: string[] = [];
  let theirs: string[] = [];
  const settle = () => {
    if (mine.length > 0 || theirs.length > 0) {
      const difference = { quote: mine.join(" "), source: theirs.join(" ") };
      found.push(difference);
      if (difference.quote) marked.push(`[-${difference.quote}-]`);
      if (difference.source) marked.push(`{+${difference.source}+}`);
    }
    mine = [];
    theirs = [];
  };
  for (const step of alignment.steps) {
    const quoted = step.quote === null ? undefined : quote.words[step.quote]!;
    const printed = step.source === null ? undefined : source.words[step.source]!;
    if (step.same && quoted && printed) {
      settle();
      marked.push(source.text.slice(printed.start, printed.end));
      continue;
    }
    if (quoted) mine.push(quote.text.slice(quoted.start, quoted.end));
    if (printed) theirs.push(source.text.slice(printed.start, printed.end));
  }
  settle();
  return { differences: found, marked: marked.join(" ") };
}

/** A run of words that both texts share. */
export interface CommonRun {
  /** `[from, to)` of the quote's words. */
  from: number;
  to: number;
  /** The first word in the source. */
  source: number;
}

/** The longest verbatim run in `source` that begins at word `from` of the quote; punctuation around words may differ. */
export function longestRunFrom(
  quoteKeys: readonly string[],
  from: number,
  sourceKeys: readonly string[],
  positions: ReadonlyMap<string, number[]>,
): CommonRun | undefined {
  let best: CommonRun | undefined;
  for (const start of positions.get(quoteKeys[from]!) ?? []) {
    let length = 1;
    while (from + length < quoteKeys.length && quoteKeys[from + length] === sourceKeys[start + length]) length++;
    if (!best || length > best.to - best.from) best = { from, to: from + length, source: start };
  }
  return best;
}

export function keyPositions(keys: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  keys.forEach((key, at) => {
    addTo(positions, key, at);
  });
  return positions;
}

/** The words of a text without punctuation; items that are only punctuation stay unchanged. */
export function bareKeys(list: readonly Word[]): string[] {
  return list.map(({ key }) => bareKey(key) || key);
}
