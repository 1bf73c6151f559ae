import { addTo } from "../../kernel/collections.js";
import { captionOf } from "../passage-groups.js";
import type { Line } from "./pdf-layout.js";
import type { RaisedMark } from "./pdf-segments.js";

// What follows a number is a space or a letter: "20 40 60" are the marks of an axis, "5(3):187" the end of a reference.
const MARK = /^(?:\(?\d{1,3}[.)]?(?:\s|(?=[\p{L}“"])|(?<=[.)]))|[*∗†‡§¶]{1,3}|[a-z]\))\s?\S/u;
const GLUED = /^(\d{1,3}|[*∗†‡§¶]{1,3})(?=\p{L})/u;

/**
 * Footnotes of a page: smaller than the body, starting with a mark, with no body text below them; and notes beside the
 * text. Each is the list of its lines; the first begins with the mark, separated from the text by a space.
 */
export function footnotesOf(lines: readonly Line[], bodySize: number): Line[][] {
  const isSmall = (line: Line) => line.size <= bodySize * 0.93 && !line.turned && line.text !== "";
  const body = lines.filter((line) => !isSmall(line) && !line.turned && line.text);
  const isBelowBody = (line: Line) =>
    !body.some((other) => other.y > line.y && Math.min(other.x1, line.x1) - Math.max(other.x0, line.x0) > line.size);
  const middle = (Math.min(...lines.map(({ y }) => y)) + Math.max(...lines.map(({ y }) => y))) / 2;
  const notes: Line[][] = [];
  let open: Line[] | undefined;
  for (const line of lines) {
    const last = open?.at(-1);
    if (!isSmall(line) || (!line.side && (line.y < middle || !isBelowBody(line)))) {
      open = undefined;
    } else if (
      (line.side && line.opensColumn && !captionOf(line.text)) ||
      (MARK.test(line.text) && /\p{L}{2}/u.test(line.text) && !(last && /\p{Ll}-$/u.test(last.text)))
    ) {
      line.text = line.text.replace(GLUED, "$1 ");
      open = [line];
      notes.push(open);
    } else if (
      open &&
      last &&
      Math.abs(line.size / last.size - 1) < 0.08 &&
      line.y > last.y &&
      line.y - last.y < line.size * 2
    )
      open.push(line);
    else open = undefined;
  }
  return body.length > 0 ? notes : [];
}

/** The marks of these notes in the lines of their page. A sign that is raised at several places of it is no mark for certain. */
export function marksOf(notes: readonly (readonly Line[])[], lines: readonly Line[]): Map<Line, RaisedMark[]> {
  const found = new Map<string, { line: Line; raised: RaisedMark }[]>();
  for (const line of lines) for (const raised of line.raised ?? []) addTo(found, raised.mark, { line, raised });
  const marks = new Map<Line, RaisedMark[]>();
  for (const [first] of notes) {
    const mark = /^\(?(\d{1,3}|[*∗†‡§¶]{1,3})/u.exec(first?.text ?? "")?.[1];
    const places = mark === undefined ? [] : (found.get(mark) ?? []);
    if (places.length !== 1) continue;
    const { line, raised } = places[0]!;
    addTo(marks, line, raised);
  }
  return marks;
}
