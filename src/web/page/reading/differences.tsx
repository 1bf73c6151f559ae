import type { ComponentChildren } from "preact";

const MARK = /(\[-[^\]]*-\]|\{\+[^}]*\+\})/;

/** A text with the differences marked as the quote check gives them: [-of the quote-] and {+of the source+}. */
export function Differences({ marked }: { marked: string }) {
  return (
    <blockquote class="differences" dir="auto">
      {marked.split(MARK).map((part, index) => partOf(part, index))}
    </blockquote>
  );
}

function partOf(part: string, index: number): ComponentChildren {
  if (part.startsWith("[-") && part.endsWith("-]"))
    return (
      <del key={index}>
        <span class="sr-only">you have </span>
        {part.slice(2, -2)}
      </del>
    );
  if (part.startsWith("{+") && part.endsWith("+}"))
    return (
      <ins key={index}>
        <span class="sr-only">the source has </span>
        {part.slice(2, -2)}
      </ins>
    );
  return part;
}
