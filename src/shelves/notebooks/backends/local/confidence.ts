import type { Answer } from "../../notebook-backend.js";
import type { Scored } from "./scoring.js";

/** Measured signs of how well the sources answer a question; what they are worth is in docs/decisions. */
export interface Signs {
  /** Score of the best passage: covered words and nearness of meaning together, or words alone. */
  passage: number;
  /** Of the sentence quoted first. */
  overlap: number;
  nearness: number | null;
}

export function signsOf(sentences: readonly Scored[]): Signs {
  const first = sentences[0];
  if (!first) return { passage: 0, overlap: 0, nearness: null };
  const near = sentences.map(({ nearness }) => nearness).filter((value) => value !== null);
  return {
    passage: Math.max(...sentences.map(({ passage }) => passage)),
    overlap: Math.max(...sentences.map(({ overlap }) => overlap)),
    nearness: near.length ? Math.max(...near) : null,
  };
}

/** One number of the signs. Where meaning was not compared, words have to say it all. */
export function strength({ passage, overlap, nearness }: Signs): number {
  return nearness === null ? 1.5 * passage + 0.25 * overlap : passage + 0.5 * nearness + 0.25 * overlap;
}

const ANSWERED = 0.6;
const MEDIUM = 0.75;
const HIGH = 1;

/** Below this the sources do not answer the question, and quoting them would be noise. */
export function isAnswered(signs: Signs): boolean {
  return strength(signs) >= ANSWERED;
}

export function confidenceOf(signs: Signs): NonNullable<Answer["confidence"]> {
  const value = strength(signs);
  return value >= HIGH ? "high" : value >= MEDIUM ? "medium" : "low";
}
