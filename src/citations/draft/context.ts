import { withoutNulls } from "../../kernel/json.js";
import type { QuoteSession } from "../quote-session.js";
import { authorsOf, linkOf, type Work } from "../works.js";
import type { DraftCitation } from "./citation-parts.js";
import type { Resolved } from "./cited-works.js";
import type { Finding, FoundWork } from "./finding.js";
import type { DraftView } from "./view.js";

const SHOWN_CHARS = 240;

/** Shared input of all parts of a check. */
export interface Context {
  view: DraftView;
  session: QuoteSession;
  elsewhere: (() => Promise<QuoteSession>) | undefined;
  works: readonly Work[];
  /** Sorted by start. */
  citations: readonly DraftCitation[];
  resolvedOf: ReadonlyMap<DraftCitation, Resolved>;
  place(start: number, end: number): Pick<Finding, "line" | "column" | "span">;
}

export const shown = (text: string, length = SHOWN_CHARS) => {
  const plain = text.replace(/[\s\u2060]+/g, " ").trim();
  return plain.length > length ? `${plain.slice(0, length)}…` : plain;
};

export function workField(work: Work): { work: FoundWork } {
  return {
    work: withoutNulls({
      citekey: work.key,
      author: authorsOf(work.item),
      title: work.item.title,
      url: linkOf(work.item),
    }),
  };
}
