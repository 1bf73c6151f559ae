import type { PageMark, StoredChunk } from "../../shelves/chunks/chunk-store.js";
import { createTextBuilder } from "../text-builder.js";

/** Texts one below the other as a document's text, each with its place in it; those without any text drop out. */
export function asParagraphs<T extends { text: string }>(items: readonly T[]) {
  const builder = createTextBuilder();
  const spans = items.flatMap((item) => {
    builder.begin("paragraph");
    builder.verbatim(item.text.trim());
    const block = builder.openBlock;
    builder.end();
    return block && block.end > block.start ? [{ item, start: block.start, end: block.end }] : [];
  });
  const { text, edits } = builder.finish();
  return { text, edits, spans };
}

/** The page a passage stands on, where its library says so. */
type Page = { number: number; label: string | null } | null;

export const onPage = (page: Page): Pick<StoredChunk, "page_span" | "page_labels"> => ({
  page_span: page && [page.number, page.number],
  page_labels: page?.label == null ? null : [page.label, page.label],
});

/** Passages one after the other on one page share its mark. */
export function pageMarks<T>(
  spans: readonly { item: T; start: number; end: number }[],
  pageOf: (item: T) => Page,
): PageMark[] {
  const marks: PageMark[] = [];
  for (const { item, start, end } of spans) {
    const page = pageOf(item);
    const last = marks.at(-1);
    if (page && last?.number === page.number) last.end = end;
    else if (page) marks.push({ ...page, start, end });
  }
  return marks;
}
