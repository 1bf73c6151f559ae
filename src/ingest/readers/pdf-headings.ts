import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { plainText } from "../text-builder.js";
import type { Line } from "./pdf-layout.js";

interface OutlineEntry {
  level: number;
  title: string;
  /** 1-based. */
  page: number;
  /** From the top of the page, where the destination says. */
  y: number | undefined;
  /** From the left, where the destination says. */
  x: number | undefined;
}

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];
const MAX_ENTRIES = 5_000;

/** The file's bookmarks with their target pages; entries without a target are left out. */
export async function readOutline(
  pdf: PDFDocumentProxy,
  heightOf: (page: number) => number | undefined,
): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const visit = async (nodes: readonly OutlineNode[], level: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= MAX_ENTRIES || level > 6) return;
      const place = await destination(pdf, node.dest);
      const title = plainText(node.title);
      if (place && title) {
        const height = heightOf(place.page);
        entries.push({
          level,
          title,
          page: place.page,
          y: place.y === undefined || height === undefined ? undefined : height - place.y,
          x: place.x,
        });
      }
      await visit(node.items as OutlineNode[], level + 1);
    }
  };
  await visit((await pdf.getOutline()) ?? [], 1);
  return entries;
}

async function destination(
  pdf: PDFDocumentProxy,
  dest: OutlineNode["dest"],
): Promise<{ page: number; y: number | undefined; x: number | undefined } | undefined> {
  const explicit: unknown[] | null = typeof dest === "string" ? await pdf.getDestination(dest).catch(() => null) : dest;
  const target = explicit?.[0];
  if (!explicit || target === null || target === undefined) return undefined;
  const index =
    typeof target === "number"
      ? target
      : await pdf.getPageIndex(target as Parameters<PDFDocumentProxy["getPageIndex"]>[0]).catch(() => -1);
  if (index < 0 || index >= pdf.numPages) return undefined;
  const kind = (explicit[1] as { name?: string } | undefined)?.name;
  const y = kind === "XYZ" ? explicit[3] : kind === "FitH" || kind === "FitBH" ? explicit[2] : undefined;
  // Programs write zero for "no column".
  const x = kind === "XYZ" && typeof explicit[2] === "number" && explicit[2] > 0 ? explicit[2] : undefined;
  return { page: index + 1, y: typeof y === "number" ? y : undefined, x };
}

/** Headings at a line: bookmarks whose text differs from the line, and the line itself if it is a heading. */
export interface Beginning {
  marks: { level: number; title: string }[];
  heading?: { level: number; title?: string };
}

/** Maps bookmarks to lines: the line with the same text on the page, else the first line below the target. */
export function placeOutline(
  outline: readonly OutlineEntry[],
  linesOf: (page: number) => readonly Line[],
): Map<Line, Beginning> {
  const placed = new Map<Line, Beginning>();
  // A page's lines are compared with each of its bookmarks.
  const folded = new Map<Line, string>();
  const lettersOf = (line: Line) => {
    const known = folded.get(line);
    if (known !== undefined) return known;
    const fresh = letters(line.text);
    folded.set(line, fresh);
    return fresh;
  };
  for (const entry of outline) {
    const sought = letters(entry.title);
    const lines = linesOf(entry.page).filter((line) => !line.turned && line.text);
    const own = nearest(
      lines,
      lines.flatMap((line, i) => (!placed.get(line)?.heading && opens(lettersOf(line), sought) ? [i] : [])),
      entry.y,
    );
    const { level, title } = entry;
    if (own >= 0) {
      absorb(lines, own, sought);
      folded.delete(lines[own]!);
      placed.set(lines[own]!, { marks: placed.get(lines[own]!)?.marks ?? [], heading: { level, title } });
      continue;
    }
    const below = entry.y === undefined ? lines[0] : firstBelow(lines, entry.y, entry.x);
    if (!below) continue;
    const there = placed.get(below);
    if (there) there.marks.push({ level, title });
    else placed.set(below, { marks: [{ level, title }] });
  }
  return placed;
}

/** Of several lines with a bookmark's words the one nearest to its target; -1 where there is none. */
function nearest(lines: readonly Line[], found: readonly number[], y: number | undefined): number {
  const [first = -1] = found;
  if (y === undefined) return first;
  return found.reduce((best, i) => (Math.abs(lines[i]!.y - y) < Math.abs(lines[best]!.y - y) ? i : best), first);
}

/** The highest line below a place; in the place's column, if it has one. */
function firstBelow(lines: readonly Line[], y: number, x: number | undefined): Line | undefined {
  const below = lines.filter((line) => line.y >= y - 2).sort((a, b) => a.y - b.y);
  return (x === undefined ? undefined : below.find((line) => line.left <= x + 12 && line.right > x)) ?? below[0];
}

/** Whether a line is the title, its first line, or the title after a number. */
function opens(line: string, title: string): boolean {
  if (line.length < 2) return false;
  if (line === title) return true;
  if (title.startsWith(line)) return line.length >= Math.max(6, title.length * 0.3);
  return title.length >= 3 && line.endsWith(title) && NUMBER.test(line.slice(0, line.length - title.length));
}

/** "4", "A1", "IV", "chapter3" before a title, without punctuation. */
const NUMBER = /^(?:chapter|part|section|appendix|kapitel|teil|anhang)?(?:[ivxlc]{1,6}|[a-z]?\d{1,6}|[a-z])?$/;

/** A title over several lines becomes one line. */
function absorb(lines: readonly Line[], first: number, title: string) {
  const line = lines[first]!;
  for (let i = first + 1; i < lines.length && letters(line.text).length < title.length; i++) {
    const longer = letters(line.text) + letters(lines[i]!.text);
    if (!title.startsWith(longer)) return;
    line.text = `${line.text} ${lines[i]!.text}`;
    lines[i]!.text = "";
  }
}

/** The letters and digits of a text, without case and accents, for comparison. */
export const letters = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
