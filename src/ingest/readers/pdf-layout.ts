/** A run of text as pdf.js gives it, in page space with y growing downwards. */
export interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  mono: boolean;
  /** Not written from left to right along the page: a margin stamp, a rotated table. */
  turned: boolean;
}

export interface Line {
  page: number;
  text: string;
  x0: number;
  x1: number;
  y: number;
  size: number;
  mono: boolean;
  turned: boolean;
  /** The column it stands in: its edges, and whether the line is the first of it. */
  left: number;
  right: number;
  opensColumn: boolean;
}

interface Segment {
  text: string;
  x0: number;
  x1: number;
  y: number;
  size: number;
  mono: boolean;
  turned: boolean;
}

/** The lines of one page in the order a person reads them: column by column between what runs across. */
export function layOut(runs: readonly Run[], page: number): Line[] {
  const segments = joinRuns(runs);
  const upright = segments.filter(({ turned }) => !turned);
  const lines = columnsOf(upright, 0).flatMap((column) => linesOf(column, page));
  const margins = segments.filter(({ turned }) => turned);
  return [
    ...lines,
    ...margins.map((segment) => ({ ...segment, page, left: segment.x0, right: segment.x1, opensColumn: true })),
  ];
}

/** Runs that follow each other on one baseline with no more than a word space between them. */
function joinRuns(runs: readonly Run[]): Segment[] {
  const segments: Segment[] = [];
  let current: Segment | undefined;
  let spaced = false;
  for (const run of runs) {
    if (!run.text.trim()) {
      spaced ||= run.text.length > 0;
      continue;
    }
    const size = Math.max(run.size, 1);
    const gap = current ? run.x - current.x1 : 0;
    const reach = Math.max(size, current?.size ?? 0);
    const near =
      current &&
      !run.turned &&
      !current.turned &&
      Math.abs(run.y - current.y) < reach * 0.55 &&
      gap > -reach * 0.6 &&
      gap < reach * 1.3;
    const stacked = current?.turned && run.turned && Math.abs(run.x - current.x0) < reach * 0.55;
    if (current && (near || stacked)) {
      const joint = spaced || gap > reach * 0.18 || stacked;
      current.text += (joint && !/\s$/.test(current.text) && !/^\s/.test(run.text) ? " " : "") + run.text;
      current.x1 = Math.max(current.x1, run.x + run.width);
      if (size > current.size * 1.05) Object.assign(current, { size, y: run.y });
      current.mono &&= run.mono;
    } else {
      current = {
        text: run.text,
        x0: run.x,
        x1: run.x + run.width,
        y: run.y,
        size,
        mono: run.mono,
        turned: run.turned,
      };
      segments.push(current);
    }
    spaced = false;
  }
  return segments;
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
    row.sort((a, b) => a.x0 - b.x0);
    const widest = row.reduce((a, b) => (b.text.length > a.text.length ? b : a));
    let text = "";
    row.forEach((segment, j) => {
      const gap = j > 0 ? segment.x0 - row[j - 1]!.x1 : 0;
      text +=
        (j === 0 ? "" : gap > segment.size * 2.2 ? "\t" : gap > segment.size * 0.15 ? " " : "") + segment.text.trim();
    });
    return {
      page,
      text,
      x0: row[0]!.x0,
      x1: Math.max(...row.map(({ x1 }) => x1)),
      y: widest.y,
      size: widest.size,
      mono: row.every(({ mono }) => mono),
      turned: false,
      left,
      right,
      opensColumn: i === 0,
    };
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
