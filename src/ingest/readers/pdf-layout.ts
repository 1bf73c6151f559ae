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

export interface Line extends Cell {
  page: number;
  /** Where it has wide gaps: what stands between them, from left to right. */
  cells?: readonly Cell[];
  mono: boolean;
  /** The face most of it is set in, and whether words of it are in another one. */
  font: string;
  mixed: boolean;
  turned: boolean;
  /** A number that counts the lines of the page and is no part of them. */
  lineNumber?: boolean;
  /** In small type beside the text, in the page's margin. */
  side?: boolean;
  /** The column it stands in: its edges, and whether the line is the first of it. */
  left: number;
  right: number;
  opensColumn: boolean;
}

interface Segment extends Cell {
  mono: boolean;
  font: string;
  mixed: boolean;
  turned: boolean;
}

/** The lines of one page in the order a person reads them. */
export function layOut(runs: readonly Run[], page: number): Line[] {
  const numbers = lineNumbers(runs);
  const segments = joinRuns(numbers.size > 0 ? runs.filter((run) => !numbers.has(run)) : runs);
  const notes = sideNotes(segments.filter(({ turned }) => !turned));
  const beside = new Set(notes.flat());
  const upright = segments.filter((segment) => !segment.turned && !beside.has(segment));
  const groups = isDrawnAcross(upright) ? [upright] : readingOrder(textBlocks(upright));
  const columns = groups.flatMap((group) => columnsOf(group, 0).map((column) => linesOf(column, page)));
  shareEdges(columns);
  const lines = columns.flat();
  const margins = segments.filter(({ turned }) => turned);
  return [
    ...lines,
    ...notes.flatMap((note) => linesOf(note, page).map((line) => ({ ...line, side: true }))),
    ...margins.map((segment) => ({ ...segment, page, left: segment.x0, right: segment.x1, opensColumn: true })),
    ...joinRuns([...numbers]).map((segment) => ({
      ...segment,
      page,
      lineNumber: true,
      left: segment.x0,
      right: segment.x1,
      opensColumn: true,
    })),
  ];
}

/** White space parts a column into several; each takes the edges of the longest that begins at the same margin. */
function shareEdges(columns: readonly Line[][]) {
  for (const column of columns) {
    const [first] = column;
    if (!first) continue;
    const longest = columns.reduce(
      (best, other) =>
        Math.abs((other[0]?.left ?? Number.NaN) - first.left) < first.size * 2 && other.length > best.length
          ? other
          : best,
      column,
    );
    if (longest === column || longest[0]!.right <= first.right) continue;
    for (const line of column) line.right = longest[0]!.right;
  }
}

const LINE_NUMBERS_IN_A_ROW = 4;

/** Numbers outside the text's own margins that count upwards by one, two, five or ten: line numbers of a listing or a draft. */
function lineNumbers(runs: readonly Run[]): Set<Run> {
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

// Word spaces of justified lines are mostly narrower, in sizes of the type.
const WIDE_GAP = 0.55;

/** Runs that follow each other on one baseline with no more than a word space between them. */
function joinRuns(runs: readonly Run[]): Segment[] {
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

/**
 * Notes in small type beside the text, each as its own group: on the lines of the text they would be read into its
 * sentences. A side note begins with its mark or has several lines of words.
 */
function sideNotes(segments: readonly Segment[]): Segment[][] {
  const bodySize = commonSize(segments);
  const isSmall = ({ size }: Segment) => size <= bodySize * 0.9;
  const body = segments.filter((segment) => segment.size >= bodySize * 0.93);
  if (body.length < 8 || body.length === segments.length) return [];
  const left = quantile(
    body.map(({ x0 }) => x0),
    0.1,
  );
  const right = quantile(
    body.map(({ x1 }) => x1),
    0.9,
  );
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

function commonSize(segments: readonly Segment[]): number {
  const weight = new Map<number, number>();
  for (const { size, text } of segments) {
    const rounded = Math.round(size * 2) / 2;
    weight.set(rounded, (weight.get(rounded) ?? 0) + text.length);
  }
  return [...weight].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
}

/** Whether the content stream crosses a clear gutter at every line: then its order is not the reading order. */
function isDrawnAcross(segments: readonly Segment[]): boolean {
  const gutter = findGutter(segments);
  if (gutter === undefined) return false;
  let crossings = 0;
  for (let i = 1; i < segments.length; i++) if (segments[i - 1]!.x1 <= gutter && segments[i]!.x0 >= gutter) crossings++;
  return crossings > segments.length * 0.3;
}

interface TextBlock extends Box {
  segments: Segment[];
}
interface Box {
  x0: number;
  x1: number;
  top: number;
  bottom: number;
}

/**
 * Splits the content stream where the position jumps upwards (to the next column or cell, or to a page header drawn last) and
 * where it skips white space. What lies between two splits was written from top to bottom and stays together.
 */
function textBlocks(segments: readonly Segment[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let current: TextBlock | undefined;
  let last: Segment | undefined;
  for (const segment of segments) {
    const reach = Math.max(segment.size, last?.size ?? 0);
    const up = last ? last.y - segment.y : 0;
    // A fraction or an exponent goes up too, but stays beside what it belongs to.
    const beside =
      last &&
      segment.x0 > last.x0 - reach * 3 &&
      segment.x0 - last.x1 < reach &&
      up < reach * (hasWords(segment) ? 1.2 : 2);
    const toNextRow = last && up < -reach * 0.6 && segment.x1 < last.x0 - reach;
    // A heading centred over the cells of a table: with the first cell it would cover the others.
    const belowHeading =
      last &&
      current?.segments.length === 1 &&
      up < -reach * 0.6 &&
      !last.mixed &&
      segment.font !== last.font &&
      segment.x0 < last.x0 - reach * 2;
    if (current && !toNextRow && !belowHeading && up > -reach * 2.2 && (up < reach * 0.6 || beside)) {
      current.segments.push(segment);
      current.x0 = Math.min(current.x0, segment.x0);
      current.x1 = Math.max(current.x1, segment.x1);
      current.top = Math.min(current.top, segment.y - segment.size);
      current.bottom = Math.max(current.bottom, segment.y);
    } else {
      current = {
        segments: [segment],
        x0: segment.x0,
        x1: segment.x1,
        top: segment.y - segment.size,
        bottom: segment.y,
      };
      blocks.push(current);
    }
    last = segment;
  }
  return blocks;
}

/** Prose, not a part of a formula. */
function hasWords({ text }: Segment): boolean {
  return text.split(" ").filter((word) => /\p{L}{2}/u.test(word)).length >= 2;
}

/**
 * Text blocks in reading order, by a recursive XY-cut: blocks wholly above come first, then blocks to the left. Cuts where the
 * stream writes all of one side before the other are preferred.
 */
function readingOrder(blocks: readonly TextBlock[], depth = 0): Segment[][] {
  const [first] = blocks;
  if (!first) return [];
  if (blocks.length === 1) return [first.segments];
  if (depth > 60 || blocks.length > 2_000) return [blocks.flatMap(({ segments }) => segments)];
  const size = median(blocks.map(({ segments }) => segments[0]!.size));
  const rows = cuts(
    blocks,
    ({ top }) => top,
    ({ bottom }) => bottom,
    -size * 0.35,
  );
  const columns = cuts(
    blocks,
    ({ x0 }) => x0,
    ({ x1 }) => x1,
    size * 0.5,
  );
  const agreed = [rows, columns].map((each) => each.filter(({ agrees }) => agrees)).find((each) => each.length > 0);
  const chosen = agreed ?? (columns.length > 0 ? columns : rows);
  if (chosen.length === 0) return overlapping(blocks);
  return partsBetween(blocks, chosen).flatMap((part) => readingOrder(part, depth + 1));
}

interface Cut {
  /** What lies above it or to its left. */
  before: ReadonlySet<TextBlock>;
  /** Whether the stream writes one side before the other. */
  agrees: boolean;
}

/** The places along one axis with at least `gap` of white space. */
function cuts(
  blocks: readonly TextBlock[],
  from: (block: TextBlock) => number,
  to: (block: TextBlock) => number,
  gap: number,
): Cut[] {
  const found: Cut[] = [];
  const before = new Set<TextBlock>();
  let end = Number.POSITIVE_INFINITY;
  for (const block of [...blocks].sort((a, b) => from(a) - from(b))) {
    if (from(block) - end >= gap) {
      let changes = 0;
      for (let i = 1; i < blocks.length; i++) if (before.has(blocks[i]!) !== before.has(blocks[i - 1]!)) changes++;
      found.push({ before: new Set(before), agrees: changes === 1 });
    }
    before.add(block);
    end = Math.max(end === Number.POSITIVE_INFINITY ? to(block) : end, to(block));
  }
  return found;
}

/** The blocks between each two cuts, in stream order. */
function partsBetween(blocks: readonly TextBlock[], chosen: readonly Cut[]): TextBlock[][] {
  const parts: TextBlock[][] = Array.from({ length: chosen.length + 1 }, () => []);
  for (const block of blocks) parts[chosen.filter(({ before }) => !before.has(block)).length]!.push(block);
  return parts;
}

/** For blocks that no white space separates: those that overlap form one group, the others stay alone, in stream order. */
function overlapping(blocks: readonly TextBlock[]): Segment[][] {
  const groups: { blocks: TextBlock[] }[] = [];
  for (const block of blocks) {
    const touched = groups.filter((group) => group.blocks.some((other) => overlap(block, other)));
    const merged = { blocks: [...touched.flatMap((group) => group.blocks), block] };
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups.map((group) => group.blocks.flatMap(({ segments }) => segments));
}

/** Whether the lines of the two interleave, so that neither can be read before the other. */
function overlap(a: TextBlock, b: TextBlock): boolean {
  if (Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) <= 0) return false;
  return Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.segments[0]!.size, b.segments[0]!.size);
}

/** Columns in reading order. A segment across the gutter (a title, a wide figure's caption) parts what is above from what is below. */
function columnsOf(segments: readonly Segment[], depth: number): Segment[][] {
  const gutter = depth < 3 ? findGutter(segments) : undefined;
  if (gutter === undefined) return segments.length ? [[...segments]] : [];
  const across = segments.filter(({ x0, x1 }) => x0 < gutter && x1 > gutter).sort((a, b) => a.y - b.y);
  const left = segments.filter(({ x1 }) => x1 <= gutter);
  const right = segments.filter(({ x0 }) => x0 >= gutter);
  const columns: Segment[][] = [];
  let from = Number.NEGATIVE_INFINITY;
  const band = (to: number) => {
    const inBand = ({ y }: Segment) => y >= from && y < to;
    columns.push(...columnsOf(left.filter(inBand), depth + 1), ...columnsOf(right.filter(inBand), depth + 1));
    from = to;
  };
  for (let i = 0; i < across.length; ) {
    const wide: Segment[] = [across[i++]!];
    // Lines across that follow each other without column text between them stay together.
    const between = (top: number, bottom: number) => [...left, ...right].some(({ y }) => y > top + 1 && y < bottom - 1);
    while (i < across.length && !between(wide.at(-1)!.y, across[i]!.y)) wide.push(across[i++]!);
    band(wide[0]!.y);
    const bottom = wide.at(-1)!.y;
    const beside = [...left, ...right].filter(({ y }) => y >= from && y <= bottom + 1);
    columns.push([...wide, ...beside]);
    from = bottom + 1.001;
  }
  band(Number.POSITIVE_INFINITY);
  return columns.filter((column) => column.length > 0);
}

/** The middle of a white band from top to bottom with prose on both sides, or undefined. Tables and forms have none. */
function findGutter(segments: readonly Segment[]): number | undefined {
  if (segments.length < 8) return undefined;
  const x0 = Math.min(...segments.map((segment) => segment.x0));
  const x1 = Math.max(...segments.map((segment) => segment.x1));
  const width = x1 - x0;
  if (!(width > 100 && width < 20_000)) return undefined;
  const crossing = new Int32Array(Math.ceil(width) + 2);
  for (const segment of segments) {
    crossing[Math.max(0, Math.floor(segment.x0 - x0))]!++;
    crossing[Math.min(crossing.length - 1, Math.ceil(segment.x1 - x0))]!--;
  }
  for (let i = 1; i < crossing.length; i++) crossing[i]! += crossing[i - 1]!;
  const low = Math.floor(width * 0.22);
  const high = Math.ceil(width * 0.78);
  const fewest = Math.min(...crossing.subarray(low, high));
  if (fewest > segments.length * 0.25) return undefined;
  // A page number or a star may stand in the gutter itself.
  const few = fewest + Math.max(1, segments.length * 0.04);
  let best = { start: 0, length: 0 };
  for (let i = low, start = -1; i <= high; i++) {
    if (i < high && crossing[i]! <= few) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      if (i - start > best.length) best = { start, length: i - start };
      start = -1;
    }
  }
  const size = median(segments.map((segment) => segment.size));
  if (best.length < Math.max(5, size * 0.6)) return undefined;
  const gutter = x0 + best.start + best.length / 2;
  const sides = [
    segments.filter((segment) => segment.x1 <= gutter),
    segments.filter((segment) => segment.x0 >= gutter),
  ] as const;
  const prose = (side: readonly Segment[], room: number) => {
    const rows = new Map<number, number>();
    for (const { y, x0: from, x1: to } of side) rows.set(Math.round(y), (rows.get(Math.round(y)) ?? 0) + to - from);
    return rows.size >= 4 && median([...rows.values()]) > room * 0.6;
  };
  if (!prose(sides[0], gutter - x0) || !prose(sides[1], x1 - gutter)) return undefined;
  return gutter;
}

/** Segments of one column as lines from top to bottom; what shares a baseline shares a line. */
function linesOf(segments: readonly Segment[], page: number): Line[] {
  const left = quantile(
    segments.map(({ x0 }) => x0),
    0.1,
  );
  const right = quantile(
    segments.map(({ x1 }) => x1),
    0.9,
  );
  const rows: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const row = rows.findLast(
      (candidate) => Math.abs(candidate[0]!.y - segment.y) < Math.min(candidate[0]!.size, segment.size) * 0.4,
    );
    const collides = row?.some(
      (other) => Math.min(other.x1, segment.x1) - Math.max(other.x0, segment.x0) > Math.min(other.size, segment.size),
    );
    if (row && !collides) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((row, i) => {
    const widest = row.reduce((a, b) => (b.text.length > a.text.length ? b : a));
    return {
      page,
      text: rowText(row),
      x0: Math.min(...row.map(({ x0 }) => x0)),
      x1: Math.max(...row.map(({ x1 }) => x1)),
      y: widest.y,
      size: widest.size,
      mono: row.every(({ mono }) => mono),
      font: widest.font,
      mixed: row.some(({ mixed, font, text }) => mixed || (font !== widest.font && text.length > 2)),
      turned: false,
      left,
      right,
      opensColumn: i === 0,
      ...(row.length > 1 ? { cells: row } : {}),
      ...(row.some(({ raised }) => raised) ? { raised: row.flatMap(({ raised = [] }) => raised) } : {}),
    };
  });
}

function rowText(row: Segment[]): string {
  row.sort((a, b) => a.x0 - b.x0);
  const ordered = isRightToLeft(row) ? rightToLeft(row) : row;
  let text = "";
  ordered.forEach((segment, i) => {
    const before = ordered[i - 1];
    const gap = before ? Math.max(segment.x0 - before.x1, before.x0 - segment.x1) : 0;
    text += (gap > segment.size * 2.2 ? "\t" : gap > segment.size * 0.15 ? " " : "") + segment.text.trim();
  });
  return text;
}

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function isRightToLeft(row: readonly Segment[]): boolean {
  const own = row.filter(({ text }) => RTL.test(text)).length;
  if (own === 0) return false;
  const foreign = row.filter(({ text }) => !RTL.test(text) && /\p{L}/u.test(text)).length;
  return own > foreign || (own === foreign && RTL.test(row.at(-1)!.text));
}

/** From the right, except that neighbouring words of another direction keep their own order. */
function rightToLeft(row: readonly Segment[]): Segment[] {
  const ordered: Segment[] = [];
  let foreign: Segment[] = [];
  for (const segment of [...row].reverse()) {
    if (RTL.test(segment.text)) {
      ordered.push(...foreign, segment);
      foreign = [];
    } else foreign.unshift(segment);
  }
  return [...ordered, ...foreign];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
