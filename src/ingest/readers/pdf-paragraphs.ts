import type { TextBuilder } from "../text-builder.js";
import type { createHyphenation } from "./hyphenation.js";
import type { Beginning } from "./pdf-headings.js";
import { type Line, median } from "./pdf-layout.js";

export interface FlowOptions {
  builder: TextBuilder;
  hyphenation: ReturnType<typeof createHyphenation>;
  /** Font size of most of the text. */
  bodySize: number;
  /** True if the body itself is monospaced; the font then does not indicate code. */
  monoBody: boolean;
  beginningAt(line: Line): Beginning | undefined;
}

const BULLET = /^(?:[•◦▪●■–—*‣∙·-]\s+\S|\(?(?:\d{1,3}|[ivx]{1,4}|[a-z])[.)]\s+\S)/;
const SENTENCE_END = /[.!?:…]["'”’»)\]\d]*$/;

// Chinese and Japanese have no spaces: a line end between two of their characters is not a space.
const EAST_ASIAN = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]";
const EAST_ASIAN_END = new RegExp(`${EAST_ASIAN}\\s*$`, "u");
const EAST_ASIAN_START = new RegExp(`^\\s*${EAST_ASIAN}`, "u");

/** Lines become blocks: the writer keeps the open paragraph across lines, columns and pages. */
export function createFlow({ builder, hyphenation, bodySize, monoBody, beginningAt }: FlowOptions) {
  let previous: Line | undefined;
  let leading = bodySize * 1.2;

  function kindOf(line: Line, next: Line | undefined): "code" | "table" | "list" | "paragraph" {
    if (line.mono && !monoBody && (previous?.mono || next?.mono)) return "code";
    if (
      line.text.includes("\t") &&
      ((previous && !line.opensColumn && previous.text.includes("\t")) || next?.text.includes("\t"))
    )
      return "table";
    return BULLET.test(line.text) ? "list" : "paragraph";
  }

  function startsParagraph(line: Line, previous: Line | undefined): boolean {
    if (!previous) return true;
    const ratio = line.size / previous.size;
    if (ratio > 1.09 || ratio < 0.92) return true;
    const indent = line.x0 - line.left;
    const ended = SENTENCE_END.test(previous.text.trim());
    const below = line.page === previous.page && line.y > previous.y && line.x0 < previous.x1 && line.x1 > previous.x0;
    if (!below && (line.opensColumn || line.page !== previous.page))
      return ended
        ? indent > line.size * 0.7 || isShort(previous)
        : /^["“‘(]?\p{Lu}/u.test(line.text) && isShort(previous);
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
      builder.begin("paragraph");
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
      const rows = kind === "code" || kind === "table";
      if (rows || (open && (open.kind === "code" || open.kind === "table"))) {
        const breaks =
          !open ||
          open.kind !== kind ||
          (previous && Math.abs(line.y - previous.y) > leading * 2.5 && line.page === previous.page);
        if (breaks) builder.begin(kind);
        else builder.space("\n");
        if (rows) writeCells(line.text);
        else builder.write(line.text);
      } else if (kind === "list") {
        if (open?.kind === "list" && previous && line.size / previous.size < 1.09 && line.size / previous.size > 0.92)
          builder.space("\n");
        else builder.begin("list");
        builder.write(line.text);
      } else if (!open || startsParagraph(line, previous)) {
        builder.begin("paragraph");
        builder.write(line.text);
      } else continueWith(line);
      previous = line;
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
    const joint = previous ? hyphenation.joint(previous.text, line.text) : "none";
    if (joint === "join") builder.dropHyphen();
    else if (joint === "keep") builder.removed("\n");
    else if (!(previous && EAST_ASIAN_END.test(previous.text) && EAST_ASIAN_START.test(line.text))) builder.space();
    builder.write(line.text);
  }
}
