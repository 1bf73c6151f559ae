import { commonSize, edgesOf, hasWords, quantile, type Run, type Segment } from "./pdf-segments.js";

const LINE_NUMBERS_IN_A_ROW = 4;

/** Numbers outside the text's own margins that count upwards by one, two, five or ten: line numbers of a listing or a draft. */
export function lineNumbers(runs: readonly Run[]): Set<Run> {
  const counting = runs.filter((run) => !run.turned && /^\d{1,4}$/.test(run.text.trim()));
  if (counting.length < LINE_NUMBERS_IN_A_ROW) return new Set();
  const isCounting = new Set(counting);
  const text = runs.filter((run) => !isCounting.has(run) && !run.turned && run.text.trim());
  const left = quantile(
    text.map(({ x }) => x),
    0.02,
  );
  const right = quantile(
    text.map(({ x, width }) => x + width),
    0.98,
  );
  const found = new Set<Run>();
  for (const side of [
    counting.filter(({ x, width }) => x + width < left - 1),
    counting.filter(({ x }) => x > right + 1),
  ]) {
    const column = [...side].sort((a, b) => a.y - b.y);
    const step = (i: number) => Number(column[i]!.text) - Number(column[i - 1]!.text);
    let from = 0;
    for (let i = 1; i <= column.length; i++) {
      if (i < column.length && [1, 2, 5, 10].includes(step(i)) && (i - from < 2 || step(i) === step(i - 1))) continue;
      if (i - from >= LINE_NUMBERS_IN_A_ROW) for (const run of column.slice(from, i)) found.add(run);
      from = i;
    }
  }
  return found;
}

/** A page with more is a drawing; looking for notes takes time with the square of it. */
const MAX_SEGMENTS = 5_000;

/**
 * Notes in small type beside the text, each as its own group: on the lines of the text they would be read into its
 * sentences. A side note begins with its mark or has several lines of words.
 */
export function sideNotes(segments: readonly Segment[]): Segment[][] {
  if (segments.length > MAX_SEGMENTS) return [];
  const bodySize = commonSize(segments);
  const isSmall = ({ size }: Segment) => size <= bodySize * 0.9;
  const body = segments.filter((segment) => segment.size >= bodySize * 0.93);
  if (body.length < 8 || body.length === segments.length) return [];
  const { left, right } = edgesOf(body);
  const [top, bottom] = [Math.min(...body.map(({ y }) => y)), Math.max(...body.map(({ y }) => y))];
  const small = segments.filter(isSmall);
  const isBeside = (segment: Segment) =>
    (segment.x0 > right + segment.size * 0.5 || segment.x1 < left - segment.size * 0.5) &&
    segment.x1 - segment.x0 < (right - left) * 0.55 &&
    segment.y > top - bodySize &&
    segment.y < bottom + bodySize * 4 &&
    !body.some((other) => other.x1 > segment.x0 && other.x0 < segment.x1 && Math.abs(other.y - segment.y) < bodySize);
  const groups: Segment[][] = [];
  for (const segment of small.filter(isBeside).sort((a, b) => a.y - b.y)) {
    const group = groups.find((each) => {
      const step = segment.y - each.at(-1)!.y;
      const follows = step > 0 && step < segment.size * 1.6 && Math.abs(each[0]!.x0 - segment.x0) < segment.size;
      return follows && !isNoteStart(segment);
    });
    if (group) group.push(segment);
    else groups.push([segment]);
  }
  // The cells of a table have neighbours in their own size.
  const isCell = (segment: Segment) =>
    small.some((other) => Math.abs(other.y - segment.y) < 2 && other.x0 < right && other.x1 > left);
  const isNote = (group: readonly Segment[]) =>
    isNoteStart(group[0]!) ||
    (group.length > 1 && group.filter((each) => hasWords(each) && !isCell(each)).length > group.length * 0.6);
  return groups.filter(isNote).sort(([a], [b]) => a!.y - b!.y);
}

const isNoteStart = ({ text }: Segment) => /^(?:\d{1,3}\s?|[*∗†‡§¶]{1,3}\s?)\p{L}/u.test(text.trim());
