/** A run of text as pdf.js gives it, in page space with y growing downwards. */
export interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  mono: boolean;
  font: string;
  /** Not written from left to right along the page: a margin stamp, a rotated table. */
  turned: boolean;
}

/** Text between two wide gaps of a line. */
export interface Cell {
  text: string;
  x0: number;
  x1: number;
  y: number;
  size: number;
  /** Gaps inside it that are wider than a word space: where in the text, and from where to where on the page. */
  gaps?: { at: number; from: number; to: number }[];
  /** Small raised signs behind a word, which may be marks of notes, each with the end of the text before it. */
  raised?: RaisedMark[];
}

export interface RaisedMark {
  mark: string;
  /** The mark as it stands in the text, with a space before it where there is one. */
  written: string;
  before: string;
}

export interface Segment extends Cell {
  mono: boolean;
  font: string;
  mixed: boolean;
  turned: boolean;
}

// Word spaces of justified lines are mostly narrower, in sizes of the type.
const WIDE_GAP = 0.55;

/** Runs that follow each other on one baseline with no more than a word space between them. */
export function joinRuns(runs: readonly Run[]): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | undefined;
  let spaced = false;
  let drawn: Run | undefined;
  for (const run of runs) {
    if (!run.text.trim()) {
      spaced ||= run.text.length > 0;
      continue;
    }
    const size = Math.max(run.size, 1);
    // Some programs make letters bold by drawing them twice, a whole run or its last letter.
    if (
      drawn &&
      drawn.text === run.text &&
      Math.abs(drawn.x - run.x) < size * 0.12 &&
      Math.abs(drawn.y - run.y) < size * 0.12
    )
      continue;
    const again = drawn && beginsWithLastLetter(drawn, run) ? 1 : 0;
    drawn = run;
    const gap = current ? run.x - current.x1 : 0;
    const reach = Math.max(size, current?.size ?? 0);
    const near =
      current &&
      !run.turned &&
      !current.turned &&
      Math.abs(run.y - current.y) < reach * 0.55 &&
      (gap > -reach * 0.6 || again > 0) &&
      gap < reach * 1.3;
    const stacked = current?.turned && run.turned && Math.abs(run.x - current.x0) < reach * 0.55;
    if (current && (near || stacked)) {
      if (gap > reach * WIDE_GAP && !stacked) {
        current.gaps ??= [];
        current.gaps.push({ at: current.text.length, from: current.x1, to: run.x });
      }
      const joint = spaced || gap > reach * 0.18 || stacked;
      const added = (joint && !/\s$/.test(current.text) && !/^\s/.test(run.text) ? " " : "") + run.text.slice(again);
      if (isRaisedMark(run, current)) {
        current.raised ??= [];
        current.raised.push({ mark: run.text.trim(), written: added.trimEnd(), before: current.text.slice(-12) });
      }
      current.text += added;
      current.x1 = Math.max(current.x1, run.x + run.width);
      if (size > current.size * 1.05) Object.assign(current, { size, y: run.y });
      current.mono &&= run.mono;
      if (run.font !== current.font && run.text.trim().length > 2) current.mixed = true;
    } else {
      current = {
        text: run.text,
        x0: run.x,
        x1: run.x + run.width,
        y: run.y,
        size,
        mono: run.mono,
        font: run.font,
        mixed: false,
        turned: run.turned,
      };
      segments.push(current);
    }
    spaced = false;
  }
  return segments;
}

/** Behind a word of the text: "word¹", not "x²" and not "km²". */
function isRaisedMark(run: Run, { text, size, y }: Segment): boolean {
  if (run.size > size * 0.85 || run.y > y - size * 0.15 || !/^\s?(?:\d{1,3}|[*∗†‡§¶]{1,3})\s?$/u.test(run.text))
    return false;
  return /[\p{L}\d]{2}$|[.,;:!?)\]”"'’»]$/u.test(text) && !/(?:^|[\s\d/(])(?:[kcdmµn]?m|ft|in|s|Hz)$/u.test(text);
}

/** "AM" over the last letter of "A": the letter they share is drawn twice. */
function beginsWithLastLetter(drawn: Run, run: Run): boolean {
  const shared = drawn.x + drawn.width - run.x;
  return (
    shared > run.size * 0.2 &&
    shared < run.size * 1.2 &&
    drawn.text.at(-1) === run.text[0] &&
    drawn.font === run.font &&
    Math.abs(drawn.y - run.y) < run.size * 0.12
  );
}

/** Prose, not a part of a formula. */
export function hasWords({ text }: Segment): boolean {
  return text.split(" ").filter((word) => /\p{L}{2}/u.test(word)).length >= 2;
}

/** Where most lines of the segments begin and end: what juts out on either side is left aside. */
export function edgesOf(segments: readonly Segment[]): { left: number; right: number } {
  const left = quantile(
    segments.map(({ x0 }) => x0),
    0.1,
  );
  const right = quantile(
    segments.map(({ x1 }) => x1),
    0.9,
  );
  return { left, right };
}

/** The size most of the text is set in, to half a point. */
export function commonSize(texts: Iterable<Pick<Cell, "size" | "text">>): number {
  const weight = new Map<number, number>();
  for (const { size, text } of texts) {
    const rounded = Math.round(size * 2) / 2;
    weight.set(rounded, (weight.get(rounded) ?? 0) + text.length);
  }
  return [...weight].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
}

/** How many boxes cover each point of a line that begins at `left`. */
export function coverage(boxes: readonly Pick<Cell, "x0" | "x1">[], left: number, length: number): Int32Array {
  const cover = new Int32Array(length);
  for (const { x0, x1 } of boxes) {
    cover[Math.max(0, Math.floor(x0 - left))]!++;
    cover[Math.min(length - 1, Math.ceil(x1 - left))]!--;
  }
  for (let i = 1; i < length; i++) cover[i]! += cover[i - 1]!;
  return cover;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
