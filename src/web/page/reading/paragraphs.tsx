import { MarkedText } from "./marked-text.js";
import type { Span } from "./marks.js";

/** A paragraph and its offset in the text. */
export interface Part {
  part: string;
  start: number;
}

export function paragraphsIn(text: string): Part[] {
  let at = 0;
  return text
    .split(/(\n{2,})/)
    .map((part) => {
      const start = at;
      at += part.length;
      return { part, start };
    })
    .filter(({ part }) => part.trim());
}

interface ParagraphProps extends Part {
  /** Ranges of the whole text; one may cover several paragraphs, and each marks its own part. */
  spans: readonly Span[];
  /** The id of the paragraph in which the first range begins. */
  markedId: string | undefined;
  heading?: boolean;
}

export function Paragraph({ part, start, spans, markedId, heading = false }: ParagraphProps) {
  const own = spans
    .map(([from, to]): Span => [Math.max(0, from - start), Math.min(part.length, to - start)])
    .filter(([from, to]) => to > from);
  const first = spans[0]?.[0] ?? -1;
  const id = first >= start && first < start + part.length ? markedId : undefined;
  return (
    <p dir="auto" class={heading ? "heading-line" : undefined} id={id} tabIndex={id ? -1 : undefined}>
      <MarkedText text={part} spans={own} />
    </p>
  );
}
