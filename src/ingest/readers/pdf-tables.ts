import { captionOf } from "../passage-groups.js";
import type { Line } from "./pdf-layout.js";
import { type Cell, coverage, median } from "./pdf-segments.js";

/** A table of a page: its rows, and the lines they are made of, which follow each other in reading order. */
export interface PdfTable {
  lines: readonly Line[];
  /** Cells are lists of lines, so that the caller joins words that are broken at a line's end. */
  rows: string[][][];
}

// Cells of one row are at most this many lines apart in reading order; two columns of prose are farther.
const ROW_REACH = 14;
const MOST_COLUMNS = 24;
const MOST_LINES = 400;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Tables whose cells are aligned beyond chance. What is not certain stays text. */
export function findTables(lines: readonly Line[], isHeading: (line: Line) => boolean): PdfTable[] {
  const tabular = tabularLines(lines);
  if (tabular.size < 2) return [];
  const tables: PdfTable[] = [];
  for (const [from, to] of regions(lines, (line) => tabular.has(line), isHeading)) {
    const captioned = hasCaption(lines, from, to);
    const first = captioned && isHeaderOf(lines, from, to) ? from - 1 : from;
    const table = tableOf(lines.slice(first, to + wrappedAfter(lines, first, to, isHeading)), captioned);
    if (table) tables.push(table);
  }
  return tables;
}

/** What stands between a line's gaps, the narrow ones included: which of them part columns, the other rows say. */
function cellsOf(line: Line): Cell[] {
  return (line.cells ?? [line]).flatMap((cell) => {
    const gaps = cell.gaps ?? [];
    if (gaps.length === 0) return [cell];
    return [...gaps, undefined].map((gap, i) => ({
      text: cell.text.slice(gaps[i - 1]?.at ?? 0, gap?.at),
      x0: gaps[i - 1]?.to ?? cell.x0,
      x1: gap?.from ?? cell.x1,
      y: cell.y,
      size: cell.size,
    }));
  });
}

/** Lines that share their height with other text near them in reading order. */
function tabularLines(lines: readonly Line[]): Set<Line> {
  const found = new Set<Line>();
  for (const [i, line] of lines.entries()) {
    if (line.turned || !line.text) continue;
    if ((line.cells?.length ?? 0) > 1 || (line.gaps?.length ?? 0) > 1) found.add(line);
    for (let k = i + 1; k < Math.min(lines.length, i + ROW_REACH); k++) {
      const other = lines[k]!;
      if (other.turned || !other.text || Math.abs(other.y - line.y) > line.size * 0.4) continue;
      if (other.x0 < line.x1 && line.x0 < other.x1) continue;
      found.add(line);
      found.add(other);
    }
  }
  return found;
}

/** Stretches of tabular lines with no more than a few wrapped lines between them. */
function regions(
  lines: readonly Line[],
  isTabular: (line: Line) => boolean,
  isHeading: (line: Line) => boolean,
): [number, number][] {
  const found: [number, number][] = [];
  let from = -1;
  let last = -1;
  const close = () => {
    if (from >= 0 && last - from >= 1 && last - from < MOST_LINES) found.push([from, last + 1]);
    from = -1;
  };
  for (const [i, line] of lines.entries()) {
    const before = lines[last];
    const apart = from >= 0 && before ? Math.abs(line.y - before.y) > Math.max(line.size, before.size) * 4.5 : false;
    const ends = isHeading(line) || captionOf(line.text) !== undefined;
    if (from >= 0 && (i - last > 4 || apart || ends)) close();
    if (!isTabular(line) || ends) continue;
    if (from < 0) from = i;
    last = i;
  }
  close();
  return found;
}

/** A caption right above, of a few lines, or right below. */
function hasCaption(lines: readonly Line[], from: number, to: number): boolean {
  for (let i = from - 1; i >= Math.max(0, from - 6); i--) if (captionOf(lines[i]!.text) === "table") return true;
  for (let i = to; i < Math.min(lines.length, to + 2); i++) if (captionOf(lines[i]!.text) === "table") return true;
  return false;
}

/** A header that the file gives in one run: right above the rows, not wider than they are, with space above it. */
function isHeaderOf(lines: readonly Line[], from: number, to: number): boolean {
  const header = lines[from - 1];
  const above = lines[from - 2];
  if (!header || !above || header.page !== above.page || captionOf(header.text)) return false;
  const rows = lines.slice(from, to);
  const [x0, x1] = [Math.min(...rows.map((row) => row.x0)), Math.max(...rows.map((row) => row.x1))];
  const apart = header.y - above.y;
  const below = lines[from]!.y - header.y;
  return (
    below > 0 &&
    below < header.size * 2 &&
    apart > Math.max(header.size * 1.7, below * 1.2) &&
    header.x0 > x0 - header.size * 4 &&
    header.x1 < x1 + header.size &&
    header.x1 - header.x0 > (x1 - x0) * 0.5
  );
}

/** How many lines after the last row go on in its cells: right below, where a later column begins. */
function wrappedAfter(lines: readonly Line[], from: number, to: number, isHeading: (line: Line) => boolean): number {
  const columns = columnsOf(rowsOf(lines.slice(from, to)));
  let count = 0;
  for (let last = lines[to - 1]!; count < 4; count++) {
    const line = lines[to + count];
    if (!line || isHeading(line) || captionOf(line.text) || line.y <= last.y || line.y - last.y > line.size * 1.4)
      break;
    const inCell = columns.some(
      ({ x0, x1 }, i) => i > 0 && Math.abs(line.x0 - x0) < line.size * 0.4 && line.x1 < x1 + line.size,
    );
    if (!inCell) break;
    last = line;
  }
  return count;
}

interface Row {
  y: number;
  cells: Cell[];
}

function tableOf(lines: readonly Line[], captioned: boolean): PdfTable | undefined {
  if (lines.some(({ text }) => RIGHT_TO_LEFT.test(text))) return undefined;
  const rows = rowsOf(lines);
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
  for (const row of rows)
    row.cells = joinedByColumn({ ...row, cells: row.cells.flatMap((cell) => split(cell, columns)) }, columns);
  const placed = rows.map((row) => place(row, columns));
  if (!isTable(lines, rows, columns, placed, captioned)) return undefined;
  return { lines, rows: cellByCell(lines, columns) ?? joinWrapped(rows, columns, placed) };
}

/**
 * Text across two columns is two cells where a space of it lies at the border, and what follows begins where the second
 * column does. The place of a space is estimated: the file gives such text in one run.
 */
function split(cell: Cell, columns: readonly Column[]): Cell[] {
  const text = cell.text.trim();
  const left = columns.findIndex(({ x0 }) => Math.abs(cell.x0 - x0) < cell.size);
  const right = columns[left + 1];
  if (left < 0 || !right || cell.x1 < right.x0 + cell.size * 0.5) return [cell];
  const wide = (cell.x1 - cell.x0) / Math.max(1, text.length);
  for (const { index } of text.matchAll(/ /g)) {
    const [from, to] = [cell.x0 + index * wide, cell.x0 + (index + 1) * wide];
    if (Math.abs(to - right.x0) > cell.size * 1.2 || from > right.x0) continue;
    const rest = { ...cell, text: text.slice(index + 1), x0: right.x0 };
    return [{ ...cell, text: text.slice(0, index), x1: Math.min(from, right.x0) }, ...split(rest, columns)];
  }
  return [cell];
}

/** Words that a gap parts inside one column belong to one cell. */
function joinedByColumn(row: Row, columns: readonly Column[]): Cell[] {
  const at = place(row, columns);
  const joined: Cell[] = [];
  for (const [i, cell] of row.cells.entries()) {
    const last = joined.at(-1);
    if (last && i > 0 && at[i] === at[i - 1])
      joined[joined.length - 1] = { ...last, text: `${last.text.trimEnd()} ${cell.text.trimStart()}`, x1: cell.x1 };
    else joined.push(cell);
  }
  return joined;
}

/**
 * Some programs write a table cell by cell, each with all its lines. Their order then says where a cell ends, which
 * lines of equal distance do not. Undefined where the table is written line by line.
 */
function cellByCell(lines: readonly Line[], columns: readonly Column[]): string[][][] | undefined {
  const single = lines.filter(({ cells, gaps }) => !cells && !gaps).length;
  const upwards = lines.some((line, i) => {
    const before = lines[i - 1];
    return before && line.y < before.y - line.size * 0.4 && line.x0 > before.x1;
  });
  if (single < lines.length * 0.8 && !upwards) return undefined;
  const rows: string[][][] = [];
  let column = Number.POSITIVE_INFINITY;
  let last: Cell | undefined;
  let wrapped = 0;
  for (const cell of lines.flatMap((line) => line.cells ?? [line])) {
    const [at = 0] = place({ y: cell.y, cells: [cell] }, columns);
    const goesOn = last !== undefined && at === column && cell.y > last.y && cell.y - last.y < cell.size * 1.7;
    if (goesOn) wrapped++;
    else if (at <= column) rows.push(columns.map(() => []));
    rows.at(-1)![at]!.push(cell.text);
    column = at;
    last = cell;
  }
  return wrapped > 0 ? rows : undefined;
}

function rowsOf(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  for (const cell of lines.flatMap(cellsOf).sort((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    if (row && Math.abs(row.y - cell.y) < cell.size * 0.45) row.cells.push(cell);
    else rows.push({ y: cell.y, cells: [cell] });
  }
  for (const row of rows) row.cells.sort((a, b) => a.x0 - b.x0);
  return rows;
}

type Column = Readonly<{ x0: number; x1: number }>;

/** Columns that white space separates in nearly every row. */
function columnsOf(rows: readonly Row[]): Column[] {
  const many = rows.filter(({ cells }) => cells.length > 1);
  if (many.length < 2) return [];
  const cells = many.flatMap((row) => row.cells);
  const size = median(cells.map((cell) => cell.size));
  const left = Math.min(...cells.map(({ x0 }) => x0));
  const width = Math.ceil(Math.max(...cells.map(({ x1 }) => x1)) - left) + 1;
  if (!(width > 20 && width < 20_000)) return [];
  const cover = coverage(cells, left, width + 1);
  // One heading may span several columns.
  const few = many.length >= 5 ? Math.max(1, Math.floor(many.length * 0.12)) : 0;
  const columns: Column[] = [];
  let start = -1;
  let gap = 0;
  for (let i = 0; i <= width; i++) {
    const empty = i === width || cover[i]! <= few;
    if (!empty) {
      if (start < 0) start = i;
      gap = 0;
      continue;
    }
    gap++;
    if (start >= 0 && (gap >= size * 0.6 || i === width)) {
      columns.push({ x0: left + start, x1: left + i - gap + 1 });
      start = -1;
    }
  }
  return columns;
}

/** Each cell's column: the one it covers most of; text across several stands in the first. */
function place(row: Row, columns: readonly Column[]): number[] {
  return row.cells.map(({ x0, x1 }) => {
    const touched = columns.flatMap((column, i) => (Math.min(x1, column.x1) - Math.max(x0, column.x0) > 0 ? [i] : []));
    if (touched.length > 0) return touched[0]!;
    const middle = (x0 + x1) / 2;
    const nearest = columns.findLastIndex((column) => column.x0 <= middle);
    return Math.max(0, nearest);
  });
}

const MARKER = /^(?:[^\p{L}\p{N}\s\\]|\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])[.):]|\[[^\]]{1,12}\]|\d{1,2})?$/u;
const FORMULA = /^[=+−<>≤≥≈∈∼≡→⇒:(){}[\]∑∏∫√|,.-]+|[=+−<>≤≥≈∈∼≡→⇒∑∏∫√]$/;

function isTable(
  lines: readonly Line[],
  rows: readonly Row[],
  columns: readonly Column[],
  placed: readonly number[][],
  captioned: boolean,
): boolean {
  const full = rows.filter(({ cells }) => cells.length > 1).length;
  if (full < (captioned ? 2 : 3) || full < rows.length * (captioned ? 0.3 : 0.6)) return false;
  const byColumn: Cell[][] = columns.map(() => []);
  for (const [r, row] of rows.entries())
    for (const [c, cell] of row.cells.entries()) byColumn[placed[r]![c]!]!.push(cell);
  if (byColumn.some((cells) => cells.length < Math.max(2, full * 0.25))) return false;
  const texts = lines.map(({ text }) => text).join(" ");
  if (/(?:\. ?){5}/.test(texts)) return false; // leaders of a table of contents
  const aligned = byColumn.map((cells) => alignment(cells));
  if (Math.min(...aligned) < (captioned ? 0.4 : 0.6) || mean(aligned) < (captioned ? 0.6 : 0.75)) return false;
  if (columns.length === 2 && byColumn[0]!.every(({ text }) => MARKER.test(text.trim()))) return false;
  const running = byColumn.filter((cells, i) => isRunning(cells, columns[i]!));
  if (running.length > (captioned ? columns.length - 1 : 0)) return false;
  if (captioned) return true;
  if (lines.every(({ mono }) => mono) || (columns.length === 2 && full < 4)) return false;
  if (isListOfPages(byColumn.at(-1)!)) return false;
  // Words with explanations of several lines each: a list, whatever its layout.
  const unnamed = placed.filter((columns) => columns[0] !== 0).length;
  if (columns.length === 2 && unnamed > rows.length * 0.2) return false;
  const cells = rows.flatMap((row) => row.cells.map(({ text }) => text.trim()));
  if (cells.filter((text) => FORMULA.test(text)).length > cells.length * 0.25) return false;
  const letters = cells.filter((text) => /\p{L}{2}/u.test(text)).length;
  return letters >= cells.length * 0.25 && rows[0]!.cells.some(({ text }) => /\p{L}{2}/u.test(text));
}

/** The share of a column's cells that begin, end or have their middle at one place. */
function alignment(cells: readonly Cell[]): number {
  const size = median(cells.map((cell) => cell.size));
  const share = (at: (cell: Cell) => number) => {
    const places = cells.map(at).sort((a, b) => a - b);
    let best = 0;
    for (let from = 0, to = 0; to < places.length; to++) {
      while (places[to]! - places[from]! > size * 0.35) from++;
      best = Math.max(best, to - from + 1);
    }
    return best / cells.length;
  };
  return Math.max(
    share(({ x0 }) => x0),
    share(({ x1 }) => x1),
    share(({ x0, x1 }) => (x0 + x1) / 2),
  );
}

/** Lines that fill their column one after the other: prose beside something else. */
function isRunning(cells: readonly Cell[], { x0, x1 }: Column): boolean {
  const size = median(cells.map((cell) => cell.size));
  if (x1 - x0 < size * 14) return false;
  const filled = cells.filter((cell) => cell.x1 > x1 - (x1 - x0) * 0.15 && cell.x0 < x0 + size * 2);
  return filled.length >= 3 && filled.length > cells.length * 0.5;
}

function isListOfPages(cells: readonly Cell[]): boolean {
  const numbers = cells.map(({ text }) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN));
  const counted = numbers.filter((each) => !Number.isNaN(each));
  return counted.length >= cells.length * 0.8 && counted.every((number, i) => i === 0 || number >= counted[i - 1]!);
}

/** Lines of one cell come together: where the first column is empty and what stands above is full, or lines lie closer. */
function joinWrapped(rows: readonly Row[], columns: readonly Column[], placed: readonly number[][]): string[][][] {
  const steps = rows.slice(1).map((row, i) => row.y - rows[i]!.y);
  const usual = median(steps);
  const widest = Math.max(...steps, 0);
  // Rows that are clearly farther apart than the lines inside them.
  const loose = widest > usual * 1.25 && steps.some((step) => step < widest * 0.8) ? widest * 0.8 : 0;
  const joined: { cells: string[][]; ends: (Cell | undefined)[] }[] = [];
  for (const [r, row] of rows.entries()) {
    const above = joined.at(-1);
    const step = r > 0 ? steps[r - 1]! : Number.POSITIVE_INFINITY;
    const continues =
      above !== undefined &&
      (joined.length > 1 || (placed[r]![0]! > 0 && row.cells.length < columns.length)) &&
      row.cells.every((cell, c) => {
        const column = placed[r]![c]!;
        const end = above.ends[column];
        const width = columns[column]!.x1 - columns[column]!.x0;
        const full = end !== undefined && end.x1 > columns[column]!.x1 - width * 0.3;
        const numeric = /^[\d.,%()±–-]+$/.test(cell.text.trim());
        const fits = joined.length > 1 ? full : true; // a header's second line is often longer than its first
        const begins = column === 0 && !/^\p{Ll}/u.test(cell.text);
        return !numeric && end !== undefined && fits && !begins && step < usual * 1.25;
      }) &&
      (placed[r]!.every((column) => column > 0) || row.cells.length === 1) &&
      (loose === 0 || step < loose);
    const target = continues
      ? above
      : { cells: columns.map((): string[] => []), ends: columns.map((): Cell | undefined => undefined) };
    if (!continues) joined.push(target);
    for (const [c, cell] of row.cells.entries()) {
      const column = placed[r]![c]!;
      target.cells[column]!.push(cell.text.trim());
      target.ends[column] = cell;
    }
  }
  return joined.map(({ cells }) => cells);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
