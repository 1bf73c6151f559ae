import { analyse } from "../../../../text/analysis.js";
import type { Embedder } from "../../../chunks/embedding/embedder.js";
import type { Found } from "../../../chunks/search.js";
import { cueOf, type Question } from "./question.js";
import { type Sentence, sentencesOf } from "./sentences.js";

export interface Scored extends Sentence {
  score: number;
  /** Score of the passage it stands in. */
  passage: number;
  /** Share of the question's weight its words carry, 0 to 1. */
  overlap: number;
  /** Cosine to the question; null where meaning was not compared. */
  nearness: number | null;
}

/**
 * How much each sign counts: chosen by reasoning, checked on questions with known answers (docs/decisions). All are on
 * a scale of about 0 to 1.
 */
const WEIGHT = { passage: 2, overlap: 1, nearness: 1, cue: 0.2, before: 0.5, after: 0.2 };

/** Passages whose sentences are looked at, and sentences whose meaning is compared. */
const PASSAGES = 8;
const COMPARED = 12;

export type Hit = Found["hits"][number];

/** Sentences of the best passages, best first. */
export async function scoreSentences(
  hits: readonly Hit[],
  question: Question,
  options: { embedder: Embedder | undefined; signal: AbortSignal },
): Promise<Scored[]> {
  const weigh = termWeights(hits, question);
  const first = hits
    .slice(0, PASSAGES)
    .flatMap((hit) => scorePassage(hit, question, weigh))
    .sort((a, b) => b.score - a.score);
  const best = withoutRepeats(first).slice(0, COMPARED);
  const trust = options.embedder ? meaningTrust(hits, question) : 0;
  if (!options.embedder || trust === 0 || best.length === 0) return best;
  const near = await nearness(best, question, options.embedder, options.signal);
  return best
    .map((sentence, i) => ({
      ...sentence,
      nearness: near[i] ?? null,
      score: sentence.score + WEIGHT.nearness * trust * Math.max(0, near[i] ?? 0),
    }))
    .sort((a, b) => b.score - a.score);
}

function scorePassage(hit: Hit, question: Question, weigh: (terms: ReadonlySet<string>) => number): Scored[] {
  const sentences = sentencesOf(hit.chunk);
  const neighbour = (i: number, step: 1 | -1) => {
    const other = sentences[i + step];
    return other && other.block === sentences[i]!.block ? other.terms : new Set<string>();
  };
  return sentences.map((sentence, i) => {
    const overlap = weigh(sentence.terms);
    // What a sentence takes up from the one before ("it", "there", "this law") counts for it, if less.
    const before = weigh(union(sentence.terms, neighbour(i, -1))) - overlap;
    const after = weigh(union(sentence.terms, neighbour(i, 1))) - overlap;
    const score =
      WEIGHT.passage * hit.score +
      WEIGHT.overlap * overlap +
      WEIGHT.cue * cueOf(sentence.text, question) +
      WEIGHT.before * before +
      WEIGHT.after * after;
    return { ...sentence, score, passage: hit.score, overlap, nearness: null };
  });
}

/** Weighs the question's words by how rare they are among the passages found; answers the share that some words carry. */
function termWeights(hits: readonly Hit[], { terms }: Question): (present: ReadonlySet<string>) => number {
  const passages = hits.map(({ chunk }) => new Set(analyse(chunk.text, chunk.language)));
  const weights = terms.map((forms) => {
    const holding = passages.filter((words) => forms.some((form) => words.has(form))).length;
    return Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return (present) =>
    terms.reduce((sum, forms, i) => (forms.some((form) => present.has(form)) ? sum + weights[i]! : sum), 0) / total;
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Passages overlap: a sentence that stands in two of them is kept where it scores best. */
function withoutRepeats(sentences: readonly Scored[]): Scored[] {
  const seen = new Set<string>();
  return sentences.filter(({ chunk, start, text }) => {
    const key = chunk.start === null ? `${chunk.doc_id}\n${text}` : `${chunk.doc_id}\n${chunk.start + start}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The search itself looks at meaning only where the model can read the language; sentences follow it. */
function meaningTrust(hits: readonly Hit[], { language }: Question): number {
  if (hits.every(({ meaning }) => meaning === null)) return 0;
  const english = (code: string | null) => code === null || code === "en";
  return english(language) && english(hits[0]?.chunk.language ?? null) ? 1 : 0.4;
}

async function nearness(
  sentences: readonly Scored[],
  question: Question,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number[]> {
  const fitting = (text: string) => embedder.windows(text, "")[0] ?? text;
  const [[asked], vectors] = await Promise.all([
    embedder.embed([fitting(question.text)], { as: "query", signal }),
    embedder.embed(
      sentences.map(({ text }) => fitting(text)),
      { as: "passage", signal },
    ),
  ]);
  return vectors.map((vector) => (asked ? dot(asked, vector) : 0));
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}
