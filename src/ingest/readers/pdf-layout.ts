import { lineNumbers, sideNotes } from "./pdf-margins.js";
import { columnsInOrder } from "./pdf-reading-order.js";
import { type Cell, edgesOf, joinRuns, type Run, type Segment } from "./pdf-segments.js";

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

/** The lines of one page in the order a person reads them. */
export function layOut(runs: readonly Run[], page: number): Line[] {
  const numbers = lineNumbers(runs);
  const segments = joinRuns(numbers.size > 0 ? runs.filter((run) => !numbers.has(run)) : runs);
  const notes = sideNotes(segments.filter(({ turned }) => !turned));
  const beside = new Set(notes.flat());
  const upright = segments.filter((segment) => !segment.turned && !beside.has(segment));
  const columns = columnsInOrder(upright).map((column) => linesOf(column, page));
  shareEdges(columns);
  const lines = columns.flat();
  const margins = segments.filter(({ turned }) => turned);
  const alone = (segment: Segment) => ({ ...segment, page, left: segment.x0, right: segment.x1, opensColumn: true });
  return [
    ...lines,
    ...notes.flatMap((note) => linesOf(note, page).map((line) => ({ ...line, side: true }))),
    ...margins.map(alone),
    ...joinRuns([...numbers]).map((segment) => ({ ...alone(segment), lineNumber: true })),
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

/** Segments of one column as lines from top to bottom; what shares a baseline shares a line. */
function linesOf(segments: readonly Segment[], page: number): Line[] {
  const { left, right } = edgesOf(segments);
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
