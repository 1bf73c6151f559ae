import type { SampleDocument } from "./types.js";

/** Fills in `word_count` from the text itself, so that the two cannot disagree. */
export function counted(drafts: Omit<SampleDocument, "word_count">[]): SampleDocument[] {
  return drafts.map((draft) => ({
    ...draft,
    word_count: draft.html
      .replace(/<[^>]+>/g, " ")
      .split(/\s+/)
      .filter(Boolean).length,
  }));
}
