import type { Answer, Citation, Source } from "../../notebook-backend.js";
import { array, at, string } from "./codec.js";
import { blockText } from "./mapping.js";

/** Marks as the service writes them: `[1]`, `[2, 3]`, `[3-5]`, `[1, 3–5]`; not the text of a Markdown link, not a year. */
const MARKS = /( ?)\[(\d{1,3}(?: ?[,–—-] ?\d{1,3})*)\](?!\()/g;

interface Passage {
  source_id: string;
  excerpt: string | null;
  score: number | null;
}

/** The final frame as an answer: one citation per mark, the same passage cited once, every `[n]` resolving. */
export function toAnswer(frame: unknown[], sources: readonly Source[]): Answer {
  const passages = array(frame[1]).map(passage);
  const firstWith = new Map<string, number>();
  /** Mark number → the number shown, or null if it has no passage. */
  const shown = passages.map((each, i) => {
    if (!each) return null;
    const key = `${each.source_id}\n${each.excerpt}`;
    const first = firstWith.get(key) ?? i + 1;
    firstWith.set(key, first);
    return first;
  });
  const used = new Set<number>();
  let dropped = 0;
  const text = (string(at(frame, 0, 0)) ?? "").replace(MARKS, (_whole, space: string, group: string) => {
    const marks = numbersIn(group).map((n) => shown[n - 1] ?? null);
    const resolved = [...new Set(marks.filter((mark) => mark !== null))];
    dropped += marks.filter((mark) => mark === null).length;
    for (const mark of resolved) used.add(mark);
    return resolved.length ? space + resolved.map((mark) => `[${mark}]`).join("") : "";
  });
  // A few answers cite passages without marking them in the text: they are listed all the same.
  const cited = used.size > 0 ? [...used] : [...new Set(shown.filter((mark) => mark !== null))];
  const titles = new Map(sources.map((source) => [source.id, source]));
  const kept = cited
    .sort((a, b) => a - b)
    .flatMap((mark) => {
      const found = passages[mark - 1];
      return found ? [{ mark, found }] : [];
    });
  const citations = kept.map(({ mark, found }): Citation => {
    const source = titles.get(found.source_id);
    return {
      mark,
      source_id: found.source_id,
      source_title: source?.title ?? "(a source that is no longer in the notebook)",
      excerpt: found.excerpt,
      page_span: null,
      section: null,
      url: source?.url ?? null,
    };
  });
  const notes = dropped > 0 ? [`${dropped} mark(s) that pointed to no passage were removed from the answer.`] : [];
  return {
    answer: text.trim(),
    citations,
    passages: [],
    confidence: confidence(kept.map(({ found }) => found)),
    follow_up_questions: followUps(frame),
    conversation_id: string(at(frame, 0, 2, 0)),
    method: "notebooklm",
    notes,
  };
}

/** `1, 3-5` → 1, 3, 4, 5. A range that runs backwards is two numbers. */
function numbersIn(group: string): number[] {
  return group.split(",").flatMap((part) => {
    const [from = 0, to = from, ...rest] = part.split(/[–—-]/).map(Number);
    if (to <= from || rest.length > 0) return [...new Set([from, to, ...rest])];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function passage(row: unknown): Passage | null {
  const source_id = string(at(row, 5, 0, 0, 0));
  if (!source_id) return null;
  const score = at(row, 2);
  return { source_id, excerpt: blockText(at(row, 4, 0)) || null, score: typeof score === "number" ? score : null };
}

/** The service gives no confidence of its own; the scores of the cited passages are the nearest measured thing. */
function confidence(cited: Passage[]): Answer["confidence"] {
  if (cited.length === 0) return "low";
  const scores = cited.flatMap(({ score }) => score ?? []);
  if (scores.length === 0) return null;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return mean >= 0.6 ? "high" : mean >= 0.3 ? "medium" : "low";
}

function followUps(frame: unknown[]): string[] {
  const typed = array(at(frame, 5, 0)).map((each) => at(each, 0));
  const plain = array(at(frame, 3, 0));
  return [...new Set((typed.length ? typed : plain).flatMap((each) => string(each) ?? []))];
}
