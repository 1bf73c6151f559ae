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
