import type { Span } from "./marks.js";

/** Text with marked ranges. Document content reaches the page only as text nodes, never as markup. */
export function MarkedText({ text, spans }: { text: string; spans: readonly Span[] }) {
  const parts: preact.ComponentChild[] = [];
  let at = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (from < at) continue;
    parts.push(text.slice(at, from), <mark>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
