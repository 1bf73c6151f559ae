import { addTo } from "../../kernel/collections.js";
import { trimEndOf } from "../../kernel/trim-end.js";
import { romanValue } from "../../text/roman.js";
import { captionOf } from "../passage-groups.js";
import type { Line } from "./pdf-layout.js";
import { median } from "./pdf-segments.js";

/** Running heads and page numbers, which are not part of the text. */
interface RunningHeads {
  lines: ReadonlySet<Line>;
  /** The number printed on a page, where numbers on several pages agree. */
  printed: ReadonlyMap<number, string>;
}

const ROMAN = /^(?=[ivxlcdm])m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/i;
const NEIGHBOURS = 12; // running heads change with the chapter, so only near pages are compared
const EDGE_LINES = 2;
const FULL_LINES = 6;

/** Lines at the top or bottom of a page that repeat on other pages, or are page numbers. A single page keeps everything. */
export function findRunningHeads(pages: readonly (readonly Line[])[]): RunningHeads {
  const edges = pages.map(edgeLines);
  const usual = median(pages.flat().map(({ size }) => size));
  const lines = new Set<Line>();
  const printed = new Map<number, string>();
  markNumbers(edges, lines, printed, (line) => line.size > usual * 1.25);
  markRepeated(edges, (page) => pages[page]!.length > FULL_LINES, lines);
  for (const page of pages) for (const line of page) if (line.lineNumber) lines.add(line);
  return { lines, printed };
}

function edgeLines(lines: readonly Line[]): Line[] {
  const upright = lines.filter(({ turned, lineNumber }) => !turned && !lineNumber).sort((a, b) => a.y - b.y);
  if (upright.length < 2) return upright;
  // Captions and the headers of tables may repeat from page to page and belong to the text all the same.
  const caption = upright.slice(0, EDGE_LINES).findIndex(({ text }) => captionOf(text));
  const top = upright.slice(0, caption < 0 ? EDGE_LINES : caption);
  return [...top, ...upright.slice(-EDGE_LINES).filter((line) => !top.includes(line) && !captionOf(line.text))];
}

interface Numbered {
  line: Line;
  page: number;
  label: string;
}

function markNumbers(
  edges: readonly (readonly Line[])[],
  found: Set<Line>,
  printed: Map<number, string>,
  isLarge: (line: Line) => boolean,
) {
  // One offset per numbering: "8 on page 12" and "9 on page 13" have the same offset.
  const byOffset = new Map<string, Numbered[]>();
  edges.forEach((lines, index) => {
    for (const line of lines) {
      for (const { label, alone } of pageNumbers(line.text)) {
        // "7 Tables" above its chapter: chapters on consecutive pages look like page numbers too.
        if (!alone && isLarge(line)) continue;
        const roman = !/\d/.test(label);
        // A number beside a running head counts only if the others are at the same height.
        const key = `${roman ? "r" : "d"}${(roman ? romanValue(label) : Number(label)) - index}${alone ? "" : `@${Math.round(line.y / 4)}`}`;
        addTo(byOffset, key, { line, page: index + 1, label });
      }
    }
  });
  const enough = Math.min(3, Math.max(2, edges.length));
  for (const group of byOffset.values()) {
    if (group.length < enough) continue;
    for (const { line, page, label } of group) {
      found.add(line);
      printed.set(page, label);
    }
  }
}

function pageNumbers(text: string): { label: string; alone: boolean }[] {
  const alone = pageNumber(text);
  if (alone) return [{ label: alone, alone: true }];
  const beside = [/^(\d{1,5})(?:\t|\s+\D)/.exec(text.trim())?.[1], /(?:\t|\D\s)(\d{1,5})$/.exec(text.trim())?.[1]];
  return beside.flatMap((label) => (label && text.length < 120 ? [{ label, alone: false }] : []));
}

/** "12", "- 12 -", "Page 12 of 90", "xii". */
function pageNumber(text: string): string | undefined {
  const bare = trimEndOf(text.replace(/^[-–—[(\s]+/, ""), /[-–—\])\s]/);
  const worded = /^(?:page|seite|p\.|s\.)?\s*(\d{1,5})(?:\s*(?:of|von|\/)\s*\d{1,5})?$/i.exec(bare)?.[1];
  if (worded) return worded;
  return bare.length <= 8 && ROMAN.test(bare) ? bare : undefined;
}

function markRepeated(edges: readonly (readonly Line[])[], isFull: (page: number) => boolean, found: Set<Line>) {
  const seen = new Map<string, Edge[]>();
  edges.forEach((lines, page) => {
    for (const line of lines) {
      const form = line.text
        .toLowerCase()
        .replace(/\d+|\b[ivxlc]+\b/g, "#")
        .replace(/\s+/g, " ")
        .trim();
      if (form.length >= 3 && form.length <= 120) addTo(seen, form, { page, line });
    }
  });
  for (const group of seen.values()) {
    // On a page of a few lines every line is at an edge: such pages alone are no evidence.
    if (group.filter(({ page }) => isFull(page)).length < 2) continue;
    group.forEach((edge, i) => {
      // On consecutive pages or every second one: an ordinary sentence does not recur at a page's edge three times.
      const around = [i - 2, i - 1, i + 1, i + 2].filter((k) => group[k] && alike(edge, group[k])).length;
      if (around >= 2) found.add(edge.line);
    });
  }
}

interface Edge {
  page: number;
  line: Line;
}

function alike(a: Edge, b: Edge): boolean {
  const apart = Math.abs(a.page - b.page);
  return apart > 0 && apart <= NEIGHBOURS && Math.abs(a.line.y - b.line.y) < a.line.size * 1.5;
}
