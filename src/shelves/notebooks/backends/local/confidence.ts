import type { Answer } from "../../notebook-backend.js";
import type { Scored } from "./scoring.js";

/** Measured signs of how well the sources answer a question. What they are worth: docs/decisions. */
export interface Signs {
  /** Score of the best passage: covered words and nearness of meaning together. */
  passage: number;
  /** The best share of the question's words in one passage, and in one sentence. */
  cover: number;
  overlap: number;
  /** Cosine of the nearest sentence; null where the model could not be trusted with the language, or is not there. */
  nearness: number | null;
}

export function signsOf(sentences: readonly Scored[]): Signs {
  const best = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const near = sentences.map(({ nearness }) => nearness).filter((value) => value !== null);
  return {
    passage: best(sentences.map(({ passage }) => passage)),
    cover: best(sentences.map(({ cover }) => cover)),
    overlap: best(sentences.map(({ overlap }) => overlap)),
    nearness: near.length ? best(near) : null,
  };
}

/** Where a question counts as answered at all, and from where on confidence is medium and high. */
const WITH_MEANING = { answered: 0.56, medium: 0.75, high: 1 };
const WORDS_ALONE = { answered: 0.4, medium: 0.75, high: 1.05 };

export type Verdict = NonNullable<Answer["confidence"]> | "unanswered";

export function judge({ passage, cover, overlap, nearness }: Signs): Verdict {
  const levels = nearness === null ? WORDS_ALONE : WITH_MEANING;
  const strength = nearness === null ? cover + 0.5 * overlap : passage + 0.5 * nearness + 0.25 * overlap;
  if (strength < levels.answered) return "unanswered";
  return strength >= levels.high ? "high" : strength >= levels.medium ? "medium" : "low";
}
