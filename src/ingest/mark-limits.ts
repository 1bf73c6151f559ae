import type { ReadDocument } from "./document.js";

/** Far more than any book has. A file with more is malicious or broken, and every mark takes memory. */
const MOST_MARKS = { pages: 20_000, headings: 20_000, edits: 100_000 } as const;
const NAMES = { pages: "page marks", headings: "headings", edits: "changes to its letters" } as const;

/** Kinds of marks of which a document has too many are left out, and the document says so. */
export function withBoundedMarks(document: ReadDocument): ReadDocument {
  const bounded = { ...document };
  for (const kind of ["pages", "headings", "edits"] as const) {
    const { length } = document[kind];
    if (length <= MOST_MARKS[kind]) continue;
    bounded[kind] = [];
    bounded.warnings = [...bounded.warnings, `Its ${length} ${NAMES[kind]} are left out: no book has that many.`];
  }
  return bounded;
}
