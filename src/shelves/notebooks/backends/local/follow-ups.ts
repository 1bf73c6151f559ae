import type { Excerpt } from "./extract.js";
import type { Hit } from "./scoring.js";

const MAX_QUESTIONS = 3;
/** Section names that make no useful question. */
const NOT_A_TOPIC =
  /^(references|bibliography|contents|index|notes|footnotes|acknowledge?ments?|see also|external links|further reading|copyright|abstract|introduction|conclusions?|summary|literatur|inhalt|sommaire|\W*(?:\d+\W*)?)$/i;

export const isTopic = (section: string): boolean => section.length <= 80 && !NOT_A_TOPIC.test(section);

/** Sections of the cited sources that the search found but the answer does not use. */
export function followUps(hits: readonly Hit[], cited: readonly Excerpt[]): string[] {
  const sources = new Set(cited.map(({ chunk }) => chunk.doc_id));
  const seen = new Set(cited.map(({ chunk }) => key(chunk.doc_id, chunk.section)));
  const questions: string[] = [];
  for (const { chunk } of hits) {
    const section = chunk.section?.replace(/\s+/g, " ").trim();
    if (!section || !sources.has(chunk.doc_id) || section === chunk.title || !isTopic(section)) continue;
    if (seen.has(key(chunk.doc_id, chunk.section))) continue;
    seen.add(key(chunk.doc_id, chunk.section));
    questions.push(`What does “${chunk.title}” say under “${section}”?`);
    if (questions.length === MAX_QUESTIONS) break;
  }
  return questions;
}

const key = (docId: string | null, section: string | null) => `${docId}\n${section}`;
