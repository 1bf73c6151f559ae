import { align, bareKeys } from "../fuzzy.js";
import { type Word, words } from "../normalise.js";

/** An edit that gives a span of the quotation its source's wording. */
interface WordingEdit {
  /** Offsets into the quotation. */
  start: number;
  end: number;
  text: string;
}

const OMISSION =
  /\[\s?(?:…|\.\s?\.\s?\.)\s?\]|\(\s?(?:…|\.\s?\.\s?\.)\s?\)|…|\.\s\.\s\.(?:\s\.)?|\.{3,4}|\[[^[\]]{1,200}\]/g;

/** The edits that give a quotation its source's words; omissions and brackets are kept. */
export function wordingEdits(quotation: string, source: string): WordingEdit[] {
  const theirs = words(source);
  if (theirs.length === 0) return [];
  const edits: WordingEdit[] = [];
  for (const [from, to] of partsOf(quotation)) {
    const part = quotation.slice(from, to);
    const mine = words(part).filter(({ key }) => /[\p{L}\p{N}]/u.test(key));
    if (mine.length > 0) edits.push(...editsOf(part, mine, source, theirs, from));
  }
  return edits;
}

function partsOf(quotation: string): [number, number][] {
  const parts: [number, number][] = [];
  let from = 0;
  for (const mark of quotation.matchAll(OMISSION)) {
    // [T]he: a letter in brackets is part of its word.
    if (/^\[\p{L}\]$/u.test(mark[0])) continue;
    parts.push([from, mark.index]);
    from = mark.index + mark[0].length;
  }
  parts.push([from, quotation.length]);
  return parts.filter(([start, end]) => quotation.slice(start, end).trim());
}

function editsOf(
  part: string,
  mine: readonly Word[],
  source: string,
  theirs: readonly Word[],
  from: number,
): WordingEdit[] {
  const edits: WordingEdit[] = [];
  const { steps } = align(bare(mine), bare(theirs));
  let quoted: Word[] = [];
  let printed: Word[] = [];
  let last: Word | undefined;
  const same: [own: Word, theirs: Word][] = [];
  const settle = (next: Word | undefined) => {
    if (quoted.length > 0 || printed.length > 0) {
      const [first, end] = [printed[0], printed.at(-1)];
      const text = first && end ? source.slice(first.start, end.end).replace(/\s+/g, " ") : "";
      const [begin, stop] = [quoted[0], quoted.at(-1)];
      if (begin && stop) {
        const [start, finish] = [core(part, begin)[0], core(part, stop)[1]];
        const [left, right] = text ? core(text, { start: 0, end: text.length }) : [0, 0];
        // Added words are deleted with the space after them, or before them at the end.
        const gap = text === "" && next && finish < next.start ? next.start : finish;
        const begun = text === "" && !next && last ? core(part, last)[1] : start;
        edits.push({ start: from + begun, end: from + gap, text: text.slice(left, right) });
      } else if (last && next) {
        edits.push({ start: from + next.start, end: from + next.start, text: `${text} ` });
      }
    }
    quoted = [];
    printed = [];
  };
  for (const step of steps) {
    const own = step.quote === null ? undefined : mine[step.quote]!;
    if (step.same && own && step.source !== null) {
      settle(own);
      same.push([own, theirs[step.source]!]);
      last = own;
      continue;
    }
    if (own) quoted.push(own);
    if (step.source !== null) printed.push(theirs[step.source]!);
  }
  settle(undefined);
  // Stops at the ends follow the sentence it is quoted in.
  return [...edits, ...same.flatMap(([own, their], i) => stopEdits(own, their, i === 0, i === same.length - 1))];

  /** Makes the stops around a word the source's. */
  function stopEdits(own: Word, their: Word, isFirst: boolean, isLast: boolean): WordingEdit[] {
    const [ownCore, theirCore] = [core(part, own), core(source, their)];
    const sides = [
      ...(isFirst ? [] : [{ at: [own.start, ownCore[0]], by: [their.start, theirCore[0]] }]),
      ...(isLast ? [] : [{ at: [ownCore[1], own.end], by: [theirCore[1], their.end] }]),
    ];
    return sides.flatMap(({ at: [start = 0, end = 0], by }) => {
      const text = source.slice(...by);
      return stopsIn(part.slice(start, end)) === stopsIn(text) ? [] : { start: from + start, end: from + end, text };
    });
  }
}

/** Stops alone: quotation marks and dashes have many forms. */
const stopsIn = (text: string) => text.replace(/[^,;:.!?()]/g, "");

/** Compares words without the punctuation around them. */
function bare(list: readonly Word[]): Word[] {
  const keys = bareKeys(list);
  return list.map((word, i) => ({ ...word, key: keys[i]! }));
}

/** A word without the punctuation around it, as offsets. */
function core(text: string, { start, end }: { start: number; end: number }): [number, number] {
  let [from, to] = [start, end];
  while (from < to && !/[\p{L}\p{N}]/u.test(text[from]!)) from++;
  while (to > from && !/[\p{L}\p{N}\p{M}]/u.test(text[to - 1]!)) to--;
  return from < to ? [from, to] : [start, end];
}

export function withEdits(text: string, edits: readonly WordingEdit[]): string {
  let made = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at);
}
