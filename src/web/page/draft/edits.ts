import type { Finding } from "../../../citations/draft/finding.js";

export type DraftFinding = Omit<Finding, "column">;
type Edit = NonNullable<Finding["edits"]>[number];

/** A text after edits, and a map from offsets of the original to offsets in it. Edits that overlap an earlier one are dropped. */
export function withEdits(text: string, edits: readonly Edit[]): { text: string; at(offset: number): number } {
  const made: { start: number; end: number; text: string; shift: number }[] = [];
  let result = "";
  let end = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < end) continue;
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
    made.push({ ...edit, shift: result.length - edit.end });
  }
  return {
    text: result + text.slice(end),
    at(offset) {
      let shift = 0;
      for (const edit of made) {
        if (edit.start >= offset) break;
        // An offset inside a replaced range maps to the end of the replacement.
        shift = offset < edit.end ? edit.end + edit.shift - offset : edit.shift;
      }
      return offset + shift;
    },
  };
}

export interface Piece {
  text: string;
  /** The index of its finding; the narrowest if several cover it. */
  finding?: number;
  /** True for the first piece of a finding, which has its label and takes focus. */
  first?: boolean;
}

/** The paragraphs of a text, each split where findings begin and end. */
export function piecesOf(
  text: string,
  spans: readonly (readonly [from: number, to: number, index: number])[],
): Piece[][] {
  const starts = new Set([...text.matchAll(/\n{2,}/g)].map(({ index, 0: gap }) => index + gap.length));
  const cuts = [...new Set([0, text.length, ...starts, ...spans.flatMap((span) => span.slice(0, 2))])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((a, b) => a - b);
  const byStart = [...spans].sort((a, b) => a[0] - b[0]);
  const seen = new Set<number>();
  const paragraphs: Piece[][] = [[]];
  let next = 0;
  let open: (readonly [number, number, number])[] = [];
  for (let index = 0; index + 1 < cuts.length; index++) {
    const [from, to] = [cuts[index]!, cuts[index + 1]!];
    if (starts.has(from)) paragraphs.push([]);
    open = open.filter(([, end]) => end > from);
    while (next < byStart.length && byStart[next]![0] <= from) {
      if (byStart[next]![1] > from) open.push(byStart[next]!);
      next++;
    }
    const own = open.reduce<(typeof open)[number] | undefined>(
      (best, span) => (!best || span[1] - span[0] < best[1] - best[0] ? span : best),
      undefined,
    );
    const piece = { text: text.slice(from, to) };
    paragraphs.at(-1)!.push(own ? { ...piece, finding: own[2], first: !seen.has(own[2]) } : piece);
    if (own) seen.add(own[2]);
  }
  return paragraphs;
}
