import { captionOf } from "../passage-groups.js";
import type { TextBuilder } from "../text-builder.js";
import { composeAccents } from "./accents.js";
import type { createHyphenation } from "./hyphenation.js";
import type { Beginning } from "./pdf-headings.js";
import type { Line } from "./pdf-layout.js";
import { median, type RaisedMark } from "./pdf-segments.js";
import type { PdfTable } from "./pdf-tables.js";

interface FlowOptions {
  builder: TextBuilder;
  hyphenation: ReturnType<typeof createHyphenation>;
  /** Font size of most of the text. */
  bodySize: number;
  /** True if the body itself is monospaced; the font then does not indicate code. */
  monoBody: boolean;
  beginningAt(line: Line): Beginning | undefined;
  /** Marks of notes in a line, which are not part of its sentence. */
  marksIn(line: Line): readonly RaisedMark[];
}

const BULLET = /^(?:[•◦▪●■–—*‣∙·-]\s+\S|\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)]\s+\S)/;
/** Signs that also stand inside a sentence; a bullet does not. */
const DOUBTFUL_BULLET = /^[–—*·\d(a-z-]/;
const SENTENCE_END = /[.!?:…]["'”’»)\]\d]*$/;

// Chinese and Japanese have no spaces: a line end between two of their characters is not a space.
const EAST_ASIAN = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]";
const EAST_ASIAN_END = new RegExp(`${EAST_ASIAN}\\s*$`, "u");
const EAST_ASIAN_START = new RegExp(`^\\s*${EAST_ASIAN}`, "u");

const EQUATION_NUMBER = /^\([A-Z]?\.?\d{1,3}(?:[.-]\d{1,3}){0,2}[a-z]?\)$/;
const MATHEMATICAL = /[=<>≤≥≈≠∈∼≡→⇒∑∏∫√±×∂∇∞⊂∪∩]/u;

/** A formula with its number at the column's edge. */
function isNumberedEquation(line: Line): boolean {
  const number = line.cells?.at(-1);
  if (!number || !EQUATION_NUMBER.test(number.text.trim()) || number.x1 < line.right - line.size * 2) return false;
  return MATHEMATICAL.test(line.text) && !line.mono;
}

/** Lines become blocks: the writer keeps the open paragraph across lines, columns and pages. */
export function createFlow({ builder, hyphenation, bodySize, monoBody, beginningAt, marksIn }: FlowOptions) {
  let previous: Line | undefined;
  let inCaption = false;
  /** The open block is code or columns, one line each. */
  let inRows = false;
  /** Left edge of the open list's items, if their other lines begin further to the right. */
  let hangsFrom: number | undefined;
  let leading = bodySize * 1.2;

  function kindOf(line: Line, next: Line | undefined): "code" | "columns" | "equation" | "list" | "paragraph" {
    if (line.mono && !monoBody && (previous?.mono || next?.mono)) return "code";
    if (isNumberedEquation(line)) return "equation";
    if (
      line.text.includes("\t") &&
      ((previous && !line.opensColumn && previous.text.includes("\t")) || next?.text.includes("\t"))
    )
      return "columns";
    return BULLET.test(line.text) && !isInsideSentence(line) ? "list" : "paragraph";
  }

  /** A full line of a paragraph goes on with a dash or a number: "the digits of π – now 3.14 –". */
  function isInsideSentence(line: Line): boolean {
    if (!previous || builder.openBlock?.kind !== "paragraph" || !DOUBTFUL_BULLET.test(line.text)) return false;
    return (
      isBelow(line, previous) &&
      Math.abs(line.x0 - previous.x0) < line.size * 0.3 &&
      previous.x1 > previous.right - (previous.right - previous.left) * 0.08 &&
      !/[.!?:;…]["'”’»)\]]*$/.test(previous.text.trim())
    );
  }

  const isBelow = (line: Line, above: Line) =>
    line.page === above.page && line.y > above.y && line.y - above.y < Math.max(leading * 1.3, line.size * 1.55);

  /** The next line of a list's item, under its text and not under its bullet. */
  const hangsUnder = (line: Line, above: Line) =>
    BULLET.test(above.text) &&
    isBelow(line, above) &&
    line.x0 > above.x0 + line.size * 0.3 &&
    line.x0 < above.x0 + line.size * 3.5;

  function startsParagraph(line: Line, previous: Line | undefined): boolean {
    if (!previous || captionOf(line.text)) return true;
    // A caption does not go on in another column or on another page.
    if (inCaption && (line.opensColumn || line.page !== previous.page)) return true;
    const ratio = line.size / previous.size;
    if (ratio > 1.09 || ratio < 0.92) return true;
    const inList = builder.openBlock?.kind === "list";
    if (inList && hangsUnder(line, previous)) return false;
    if (inList && hangsFrom !== undefined && line.x0 < hangsFrom + line.size * 0.3 && line.page === previous.page)
      return true;
    const indent = line.x0 - line.left;
    const ended = SENTENCE_END.test(previous.text.trim());
    const below = line.page === previous.page && line.y > previous.y && line.x0 < previous.x1 && line.x1 > previous.x0;
    // The next row of a table begins lower and beside what stands above it; the next column of a page begins higher.
    if (!below && line.opensColumn && line.page === previous.page && line.y > previous.y) return true;
    if (!below && (line.opensColumn || line.page !== previous.page))
      return ended
        ? indent > line.size * 0.7 || isShort(previous)
        : /^["“‘(]?\p{Lu}/u.test(line.text) && isShort(previous);
    // A centred heading in another face over the first cell of a table.
    const centred = !previous.mixed && line.font !== previous.font && line.x0 < previous.x0 - line.size * 2;
    if (line.opensColumn && centred) return true;
    if (line.y - previous.y > Math.max(leading * 1.3, line.size * 1.55)) return true;
    const previousIndent = previous.x0 - previous.left;
    if (
      indent > line.size * 0.7 &&
      indent < line.size * 8 &&
      previousIndent < indent - line.size * 0.6 &&
      (ended || indent < line.size * 4)
    )
      return true;
    return ended && isShort(previous) && previous.left === line.left;
  }

  const isShort = (line: Line) => line.x1 < line.right - (line.right - line.left) * 0.18;

  return {
    /** Usual distance between two baselines of this page. */
    learn(lines: readonly Line[]) {
      const steps = lines.flatMap((line, i) => {
        const step = i > 0 && !line.opensColumn ? line.y - lines[i - 1]!.y : 0;
        return step > 0 && step < line.size * 3 ? [step] : [];
      });
      if (steps.length >= 5) leading = median(steps);
    },
    /** The first line of a page's last paragraph if its sentence continues on the next page: footnotes go before it. */
    lastParagraph(lines: readonly Line[]): Line | undefined {
      let before = previous;
      let last: Line | undefined;
      for (const line of lines) {
        if (!line.text || line.turned) continue;
        if (beginningAt(line) || startsParagraph(line, before)) last = line;
        before = line;
      }
      return before && SENTENCE_END.test(before.text.trim()) ? undefined : last;
    },
    /** A footnote: a block of its own that leaves the paragraph before it open for what comes next on the page. */
    note(lines: readonly Line[]) {
      const before = previous;
      builder.begin("footnote");
      previous = undefined;
      for (const line of lines) {
        if (previous) continueWith(line);
        else builder.write(line.text);
        previous = line;
      }
      builder.end();
      previous = before;
    },
    write(line: Line, next: Line | undefined) {
      if (!line.text) return; // merged into the line before it
      const beginning = beginningAt(line);
      for (const { level, title } of beginning?.marks ?? []) builder.mark(level, title);
      if (beginning?.marks.length) builder.end();
      const heading = beginning?.heading;
      if (heading) {
        builder.heading(heading.level, () => builder.write(line.text), heading.title);
        previous = undefined;
        return;
      }
      const kind = kindOf(line, next);
      const open = builder.openBlock;
      const lineByLine = kind === "code" || kind === "columns";
      if (kind === "equation") {
        builder.begin("equation");
        builder.write(line.text);
      } else if (lineByLine || inRows) {
        const breaks =
          !open ||
          inRows !== lineByLine ||
          (open.kind === "code") !== (kind === "code") ||
          (previous && Math.abs(line.y - previous.y) > leading * 2.5 && line.page === previous.page);
        // Columns that are no table for certain keep their lines as a list does.
        if (breaks) builder.begin(kind === "columns" ? "list" : kind);
        else builder.space("\n");
        if (lineByLine) writeCells(line.text);
        else builder.write(line.text);
      } else if (kind === "list") {
        if (open?.kind === "list" && previous && line.size / previous.size < 1.09 && line.size / previous.size > 0.92)
          builder.space("\n");
        else {
          builder.begin("list");
          hangsFrom = undefined;
        }
        writeText(line);
      } else if (!open || startsParagraph(line, previous)) {
        inCaption = captionOf(line.text) !== undefined;
        builder.begin("paragraph");
        writeText(line);
      } else {
        if (previous && hangsUnder(line, previous)) hangsFrom = previous.x0;
        continueWith(line);
      }
      inRows = lineByLine;
      previous = line;
    },
    /** A table: a block of its own that leaves the paragraph before it closed. */
    table({ rows }: PdfTable) {
      builder.begin("table");
      for (const cells of rows) {
        builder.space("\n");
        let written = 0;
        for (const [column, lines] of cells.entries()) {
          if (lines.length === 0) continue;
          builder.tab(column - written);
          written = column;
          for (const [i, text] of lines.entries()) {
            if (i > 0) joinTo(lines[i - 1]!, text);
            builder.write(composeAccents(text));
          }
        }
      }
      builder.end();
      previous = undefined;
    },
    end() {
      builder.end();
      previous = undefined;
    },
  };

  function writeCells(text: string) {
    text.split("\t").forEach((cell, i) => {
      if (i > 0) builder.space("\t");
      builder.write(cell.trim());
    });
  }

  /** Continues the open paragraph and removes the hyphen of a word broken at the line before. */
  function continueWith(line: Line) {
    joinTo(previous?.text, line.text);
    writeText(line);
  }

  /** The line without the marks of its notes, which are recorded as removed. */
  function writeText(line: Line) {
    let from = 0;
    for (const { before, written } of marksIn(line)) {
      const place = line.text.indexOf(before.slice(-3) + written, from);
      if (place < 0) continue;
      const at = place + before.slice(-3).length;
      builder.write(line.text.slice(from, at));
      builder.removed(written);
      from = at + written.length;
    }
    builder.write(line.text.slice(from));
  }

  function joinTo(before: string | undefined, text: string) {
    const joint = before === undefined ? "none" : hyphenation.joint(before, text);
    if (joint === "join") builder.dropHyphen();
    else if (joint === "keep") builder.removed("\n");
    else if (!(before !== undefined && EAST_ASIAN_END.test(before) && EAST_ASIAN_START.test(text))) builder.space();
  }
}
