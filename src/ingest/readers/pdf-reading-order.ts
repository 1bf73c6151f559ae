import { coverage, hasWords, median, type Segment } from "./pdf-segments.js";

/** The segments of a page in the order a person reads them, in groups that are columns or parts of one. */
export function columnsInOrder(segments: readonly Segment[]): Segment[][] {
  const groups = isDrawnAcross(segments) ? [[...segments]] : readingOrder(textBlocks(segments));
  return groups.flatMap((group) => columnsOf(group, 0));
}

/** Whether the content stream crosses a clear gutter at every line: then its order is not the reading order. */
function isDrawnAcross(segments: readonly Segment[]): boolean {
  const gutter = findGutter(segments);
  if (gutter === undefined) return false;
  let crossings = 0;
  for (let i = 1; i < segments.length; i++) if (segments[i - 1]!.x1 <= gutter && segments[i]!.x0 >= gutter) crossings++;
  return crossings > segments.length * 0.3;
}

interface TextBlock {
  segments: Segment[];
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
  let groups: TextBlock[][] = [];
  for (const block of blocks) {
    const touched = groups.filter((group) => group.some((other) => overlap(block, other)));
    groups = [...groups.filter((group) => !touched.includes(group)), [...touched.flat(), block]];
  }
  return groups.map((group) => group.flatMap(({ segments }) => segments));
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
  const crossing = coverage(segments, x0, Math.ceil(width) + 2);
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
