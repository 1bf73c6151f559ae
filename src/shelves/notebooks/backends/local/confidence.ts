import type { Answer } from "../../notebook-backend.js";
import type { Question } from "./question.js";
import type { Scored } from "./scoring.js";

/** Measured signals of how well the sources answer a question: the best of their sentences. For their weights see docs/decisions. */
type Signs = Pick<Scored, "passage" | "cover" | "overlap" | "nearness" | "meant"> & {
  /** How well the best sentences contain the kind of answer asked for; null if the question asks for no specific kind. */
  cue: number | null;
};

const WITH_CUE: readonly Question["kind"][] = ["date", "number", "name", "place", "reason"];
const BEST = 3;

export function signsOf(sentences: readonly Scored[], { kind }: Question): Signs {
  const best = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const top = sentences.slice(0, BEST);
  const known = (values: (number | null)[]) => values.filter((value) => value !== null);
  const near = known(top.map(({ nearness }) => nearness));
  return {
    passage: best(sentences.map(({ passage }) => passage)),
    cover: best(sentences.map(({ cover }) => cover)),
    overlap: best(sentences.map(({ overlap }) => overlap)),
    nearness: near.length ? best(near) : null,
    meant: top[0]?.meant ?? null,
    cue: WITH_CUE.includes(kind) ? best(top.map(({ cue }) => cue)) : null,
  };
}

/** Thresholds: answered at all, medium confidence, high confidence. */
const WITH_MEANING = { answered: 0.84, medium: 1.1, high: 1.3 };
const WORDS_ALONE = { answered: 0.4, medium: 0.75, high: 1.05 };
/** The penalty for an answer without the kind of thing asked for. */
const NO_CUE = 0.1;
/**
 * High confidence needs nearly every word of the question, most of them literally in one passage, and the kind of thing
 * it asks for.
 */
const ALL_MEANT = 0.88;
const MOST_COVERED = 0.7;
const CUE_FOUND = 0.7;

export type Verdict = NonNullable<Answer["confidence"]> | "unanswered";

export function judge({ passage, cover, overlap, nearness, meant, cue }: Signs): Verdict {
  const weighed = nearness !== null && meant !== null;
  const levels = weighed ? WITH_MEANING : WORDS_ALONE;
  const lacking = cue !== null && cue < CUE_FOUND;
  const strength = (weighed ? passage + 0.5 * nearness + 0.6 * meant : cover + 0.5 * overlap) - (lacking ? NO_CUE : 0);
  if (strength < levels.answered) return "unanswered";
  const sure = !lacking && cover >= MOST_COVERED && (meant === null || meant >= ALL_MEANT);
  if (strength >= levels.high && sure) return "high";
  return strength >= levels.medium ? "medium" : "low";
}
