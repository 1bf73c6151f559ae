import { firstIndex } from "../../kernel/collections.js";
import type { DraftCitation } from "./citation-parts.js";
import type { Quotation } from "./quotations.js";
import { type Block, beginningIn, type DraftView } from "./view.js";

const REACH_CHARS = 400;
/** Largest distance, in characters, of a citation from its quotation. */
const WINDOW_CHARS = 3000;

/** Finds a quotation's citations: after it, in its footnote, or before it in the same sentence. */
export function createAttachment(
  view: DraftView,
  citations: readonly DraftCitation[],
  quotations: readonly Quotation[],
): (quotation: Quotation) => DraftCitation[] {
  const noteBlocks = new Map<string, Block>();
  for (const block of view.blocks)
    if (block.note !== undefined && !noteBlocks.has(block.note)) noteBlocks.set(block.note, block);
  return (quotation) => citationsOf({ view, noteBlocks, citations, quotations }, quotation);
}

interface Parts {
  view: DraftView;
  noteBlocks: ReadonlyMap<string, Block>;
  citations: readonly DraftCitation[];
  quotations: readonly Quotation[];
}

function citationsOf({ view, noteBlocks, citations, quotations }: Parts, quotation: Quotation): DraftCitation[] {
  const { block } = quotation;
  const end = quotation.outerEnd;
  const earliest = Math.min(block.start, previousBlockStart(view, quotation));
  const outer = beginningIn(citations, Math.max(earliest, quotation.start - WINDOW_CHARS), end + WINDOW_CHARS).filter(
    ({ note }) => note === undefined || note === block.note,
  );
  if (quotation.kind === "block") {
    const inside = outer.filter(({ start }) => start >= quotation.end - 1 && start < block.end);
    if (inside.length > 0) return inside;
  }
  const mark = noteAfter(view, quotation);
  const noteBlock = mark && noteBlocks.get(mark.note);
  // “words” [@key].[^1]: what stands before the mark is the citation, and the note a remark.
  if (mark && noteBlock && !outer.some(({ start }) => start >= end && start < mark.at)) {
    const inNote = beginningIn(citations, noteBlock.start, noteBlock.end);
    if (inNote.length > 0) return inNote;
  }
  const limit = quotation.kind === "block" ? nextBlockEnd(view, quotation) : block.end;
  const behind = outer.filter(({ start }) => start >= end && start < limit && start - end < REACH_CHARS);
  const [first] = behind;
  if (first) {
    const between = view.text.slice(end, first.start);
    const isOver = quotation.kind === "inline" && startsSentence(view.text.slice(quotation.end - 1, first.start + 1));
    if (!isOver && !endsSentence(between, quotation.kind === "block"))
      return behind.filter(
        ({ start, end: stop }) => start === first.start || (start >= first.start && stop === first.end),
      );
  }
  // “one” and “two” [@key]: the citation after the second belongs to both if no other is nearer.
  const from = quotation.kind === "block" ? previousBlockStart(view, quotation) : block.start;
  const before = outer.filter(({ end: stop, start }) => stop <= quotation.outerStart && start >= from);
  const nearest = before.at(-1);
  if (nearest) {
    const between = view.text.slice(nearest.end, quotation.outerStart);
    const taken = beginningIn(quotations, from, nearest.start).some(
      (other) =>
        other !== quotation &&
        other.outerEnd <= nearest.start &&
        !startsSentence(view.text.slice(other.end - 1, nearest.start + 1)) &&
        !endsSentence(view.text.slice(other.outerEnd, nearest.start + 1), false) &&
        nearest.start - other.outerEnd < 40,
    );
    if (!endsSentence(between, quotation.kind === "block") && between.length < REACH_CHARS && !taken)
      return before.filter(({ start, end: stop }) => start === nearest.start && stop === nearest.end);
  }
  return [];
}

/** The footnote mark right after a quotation, or after the sentence it ends. */
function noteAfter(view: DraftView, quotation: Quotation): DraftView["notes"][number] | undefined {
  const { block, outerEnd } = quotation;
  const limit = quotation.kind === "block" ? block.end : Math.min(block.end, outerEnd + REACH_CHARS);
  const from = quotation.kind === "block" ? quotation.end : outerEnd;
  const first = view.notes[firstIndex(view.notes.length, (i) => view.notes[i]!.at >= from)];
  if (!first || first.at > limit) return undefined;
  const between = view.text.slice(from, first.at);
  // A mark follows the full stop of its own sentence, never that of the next.
  if (endsSentence(between.replace(/[.!?][”’»"'\s]*$/, ""), false) && quotation.kind === "inline") return undefined;
  return first;
}

/** Whether what follows a quotation is a sentence of its own: “… desperation.” See also Darwin. “… fate.” Darwin (1859) has “…”. */
const startsSentence = (from: string) =>
  /^.?[”’»"'\s]{0,4}[.!?]?[”’»"']{0,2}\s+(?:\p{Lu}\p{L}*(?:\s|$)|[“„«"‘‚]\S)/u.test(from) &&
  /^.{0,4}[.!?]/su.test(from);

/** Whether a sentence ends between a quotation and its citation; abbreviations do not end one. */
function endsSentence(between: string, lenient: boolean): boolean {
  const text = between.replace(/^[.,;:!?…\s”’»"']{0,6}/, "");
  if (lenient) return /[.!?]\s[\s\S]{0,400}[.!?]\s\p{Lu}/u.test(text.slice(0, 900));
  return /(?<!\b(?:p|pp|vol|ch|cf|ed|eds|e\.g|i\.e|Dr|Mr|Mrs|St|\p{Lu}))[.!?][”’»"')]?\s+[\p{Lu}“„«"‘@\u2060]/u.test(
    text.slice(0, 500),
  );
}

function nextBlockEnd(view: DraftView, { block }: Quotation): number {
  const next = view.blocks[firstIndex(view.blocks.length, (i) => view.blocks[i]!.start >= block.end)];
  // Only a citation that begins the next block belongs to the one before it.
  return next ? Math.min(next.end, next.start + 12) : block.end;
}

function previousBlockStart(view: DraftView, { block }: Quotation): number {
  const { blocks } = view;
  const own = firstIndex(blocks.length, (i) => blocks[i]!.start >= block.start);
  for (let i = own - 1; i >= 0 && blocks[i]!.end > block.start - WINDOW_CHARS; i--)
    if (blocks[i]!.kind === "text") return blocks[i]!.start;
  return block.start;
}
