import { firstIndex, grown } from "../../kernel/collections.js";

/** A block of a draft, such as a paragraph; no quotation crosses its ends. */
export interface Block {
  kind: "text" | "quote" | "note" | "heading";
  /** Offsets into the view's text. */
  start: number;
  end: number;
  /** The name of a footnote. */
  note?: string;
}

export interface NoteMark {
  at: number;
  note: string;
}

/** A citation given by the markup, such as `\cite`. */
export interface MarkedCitation {
  start: number;
  end: number;
  keys: string[];
  locator: string;
}

/** A draft's text without markup, with the offset of every character in the draft. */
export interface DraftView {
  format: "markdown" | "latex";
  text: string;
  /** For each unit of `text`, its offset in the draft. */
  at: Uint32Array;
  blocks: Block[];
  notes: NoteMark[];
  cited: MarkedCitation[];
  /** Keys that the draft defines itself: `\bibitem`. */
  listed: { key: string; at: number }[];
}

/** Collects a view character by character. */
export function createViewBuilder(size: number) {
  const parts: string[] = [];
  let at = new Uint32Array(size + 16);
  let length = 0;
  const blocks: Block[] = [];
  let open: { kind: Block["kind"]; start: number; note?: string } | undefined;

  const put = (text: string, from: number, step: 0 | 1 = 1) => {
    if (length + text.length > at.length) at = grown(at, (length + text.length) * 2);
    for (let i = 0; i < text.length; i++) at[length++] = from + i * step;
    parts.push(text);
  };
  const close = () => {
    if (open && length > open.start) blocks.push({ ...open, end: length });
    open = undefined;
  };
  return {
    /** `step` is 0 if all characters come from one character of the draft. */
    put,
    get length() {
      return length;
    },
    /** Continues the open block if it is of the same kind, else begins a new one. */
    block(kind: Block["kind"], note?: string) {
      if (open?.kind === kind && open.note === note) return;
      close();
      open = { kind, start: length, ...(note === undefined ? {} : { note }) };
    },
    endBlock(from: number) {
      if (!open) return;
      close();
      put("\n", from, 0);
    },
    isOpen: () => open !== undefined,
    finish: () => {
      close();
      return { text: parts.join(""), at: at.slice(0, length), blocks };
    },
  };
}

/** Whether a character is part of a word. */
export const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** The draft's offsets of a span of the view. */
export function inDraft({ at }: Pick<DraftView, "at">, start: number, end: number): [number, number] {
  const first = at[start] ?? 0;
  return [first, end > start ? (at[end - 1] ?? first) + 1 : first];
}

/** Line and column of offsets, both from 1. */
export function createLineFinder(draft: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = draft.indexOf("\n"); at >= 0; at = draft.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = firstIndex(starts.length, (i) => starts[i]! > offset);
    return { line, column: offset - starts[line - 1]! + 1 };
  };
}

/** The items of a list sorted by `start` that start within `[from, to)`. */
export function beginningIn<T extends { start: number }>(sorted: readonly T[], from: number, to: number): T[] {
  const first = (limit: number) => firstIndex(sorted.length, (i) => sorted[i]!.start >= limit);
  return sorted.slice(first(from), first(to));
}
