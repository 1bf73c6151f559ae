import { LRUCache } from "lru-cache";
import { dot } from "../../../../kernel/vector.js";
import { analyse, foldedWords } from "../../../../text/analysis.js";
import { isStopWord } from "../../../../text/stop-words.js";
import type { Embedder } from "../../../chunks/embedding/embedder.js";
import type { Found } from "../../../chunks/search.js";
import { cueOf, namesIn, type Question } from "./question.js";
import { type Sentence, sentencesOf } from "./sentences.js";

export interface Scored extends Sentence {
  score: number;
  /** Score of its passage. */
  passage: number;
  /** Share of the question's weight covered by words of the passage, and of the sentence, 0 to 1. */
  cover: number;
  overlap: number;
  /**
   * Cosine between the question and the sentence joined with the one before it: an answer often has only a pronoun as subject.
   * Null without a model, or if it is unreliable for the language.
   */
  nearness: number | null;
  /** Share of the question's weight covered by words with the same or a similar meaning; null as above. */
  meant: number | null;
  /** How well it contains the kind of answer asked for, 0 to 1. */
  cue: number;
  /** The sentence with the one before it in its paragraph. */
  pair: string;
}

/**
 * The weight of each signal: chosen by reasoning, checked on questions with known answers (docs/decisions). All are on
 * a scale of about 0 to 1.
 */
const WEIGHT = { passage: 2, overlap: 1, nearness: 1, meant: 0.8, cue: 0.2, reason: 0.5, before: 0.5, after: 0.2 };

/**
 * Assumed number of passages about other things when deciding whether a question is answered at all: in a notebook of
 * two pages every word would otherwise look common, and one missing word would outweigh all that are present. Not
 * used for ranking the sentences found.
 */
const BACKGROUND = 200;
/** Passages whose sentences are scored, and sentences whose meaning is compared. */
const PASSAGES = 8;
const COMPARED = 12;
/** Sentences whose words are compared one by one. */
const WEIGHED = 5;

export type Hit = Found["hits"][number];

export interface Ranked {
  /** Sentences of the best passages, best first. */
  sentences: Scored[];
  /** The share of the question that given words cover, to rank the sentences found. */
  share: Share;
}

export async function scoreSentences(
  hits: readonly Hit[],
  question: Question,
  options: { embedder: Embedder | undefined; signal: AbortSignal },
): Promise<Ranked> {
  const found = hits.map(passageTerms);
  const apart = shareOf(question, (holding) => (holding === 0 ? 0 : rarity(holding, found.length)), found);
  const answered = shareOf(question, (holding) => rarity(holding, found.length + BACKGROUND), found);
  const first = hits
    .slice(0, PASSAGES)
    .flatMap((hit, i) => scorePassage(hit, question, { apart, answered, cover: answered(found[i]!) }))
    .sort((a, b) => b.score - a.score);
  const best = withoutRepeats(first).slice(0, COMPARED);
  const trust = options.embedder ? meaningTrust(hits, question) : 0;
  if (!options.embedder || trust === 0 || best.length === 0) return { sentences: best, share: apart };
  const near = await nearness(best, question, options.embedder, options.signal);
  const sentences = best
    .map((sentence, i) => ({
      ...sentence,
      nearness: trust === 1 ? (near[i] ?? null) : null,
      score: sentence.score + WEIGHT.nearness * trust * Math.max(0, near[i] ?? 0),
    }))
    .sort((a, b) => b.score - a.score);
  if (trust < 1) return { sentences, share: apart };
  const weighed = sentences.slice(0, WEIGHED);
  const meant = await meantShare(weighed, question, found, options.embedder, options.signal);
  const least = Math.min(...meant);
  // Sentences that were not compared count as no better than the worst that was.
  const all = sentences.map((each, i) => {
    const own = meant[i];
    return { ...each, meant: own ?? null, score: each.score + WEIGHT.meant * (own ?? least) };
  });
  return { sentences: all.sort((a, b) => b.score - a.score), share: apart };
}

/** Words at least this similar count fully, less similar ones partly. */
const SAME_MEANING = 0.62;
const OTHER_MEANING = 0.3;

/** Compounds that do not have the meaning of their second part, such as self-taught. */
const REVERSED = /\b(?:self|non|un|anti)-\p{L}+/giu;

/** The share of the question's weight that each sentence and the one before it cover with the same or similar words. */
async function meantShare(
  sentences: readonly Scored[],
  { terms, text }: Question,
  passages: readonly ReadonlySet<string>[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number[]> {
  const { weights, total } = weightsOf(terms, passages, (holding) => rarity(holding, passages.length + BACKGROUND));
  const said = sentences.map(({ pair, chunk }) => {
    const plain = pair.replace(REVERSED, " ");
    return {
      words: contentWords(plain, chunk.language),
      terms: new Set(analyse([plain, chunk.title, ...chunk.section_path].join("\n"), chunk.language)),
    };
  });
  const names = new Set(namesIn(text));
  // A name has no synonyms; any other missing word is compared with the words of the sentence.
  const lacking = (own: ReadonlySet<string>) =>
    terms.filter((each) => !names.has(each.word) && !holds(own, each)).map(({ word }) => word);
  const compared = said.flatMap(({ words, terms: own }) => {
    const missing = lacking(own);
    return missing.length > 0 ? [...missing, ...words] : [];
  });
  const vectors = await wordVectors(new Set(compared), embedder, signal);
  return said.map(({ words, terms: own }) => {
    const carried = terms.map((each, i) => {
      if (holds(own, each)) return weights[i]!;
      const mine = names.has(each.word) ? undefined : vectors.get(each.word);
      const nearest = words.reduce((most, word) => {
        const other = vectors.get(word);
        return mine && other ? Math.max(most, dot(mine, other)) : most;
      }, 0);
      const part = (nearest - OTHER_MEANING) / (SAME_MEANING - OTHER_MEANING);
      return weights[i]! * Math.min(1, Math.max(0, part));
    });
    return carried.reduce((sum, weight) => sum + weight, 0) / total;
  });
}

/** The share of a question's weight that given words cover, 0 to 1. */
export type Share = (terms: ReadonlySet<string>) => number;

function scorePassage(
  hit: Hit,
  question: Question,
  { apart, answered, cover }: { apart: Share; answered: Share; cover: number },
): Scored[] {
  const sentences = sentencesOf(hit.chunk);
  const neighbour = (i: number, step: 1 | -1) => {
    const other = sentences[i + step];
    return other && other.block === sentences[i]!.block ? other.terms : new Set<string>();
  };
  const scored = sentences.map((sentence, i) => {
    const own = apart(sentence.terms);
    // Words of the sentence before, which this one may refer to ("it", "this law"), count too, but less.
    const before = apart(union(sentence.terms, neighbour(i, -1))) - own;
    const after = apart(union(sentence.terms, neighbour(i, 1))) - own;
    const previous = sentences[i - 1]?.block === sentence.block ? sentences[i - 1] : undefined;
    const pair = previous ? `${previous.text} ${sentence.text}` : sentence.text;
    const cue = cueOf(sentence.text, question);
    const score =
      WEIGHT.passage * hit.score +
      WEIGHT.overlap * own +
      (question.kind === "reason" ? WEIGHT.reason : WEIGHT.cue) * cue +
      WEIGHT.before * before +
      WEIGHT.after * after;
    const overlap = answered(sentence.terms);
    return { ...sentence, score, passage: hit.score, cover, overlap, nearness: null, meant: null, cue, pair };
  });
  // A question in a source is never an answer; the text after it may be.
  return scored.filter(({ text }) => !isQuestion(text));
}

const isQuestion = (text: string): boolean => /[?？]["'”’»)]*$/.test(text.trimEnd());

function shareOf(
  { terms }: Question,
  weightOf: (holding: number) => number,
  passages: readonly ReadonlySet<string>[],
): Share {
  const { weights, total } = weightsOf(terms, passages, weightOf);
  return (present) => terms.reduce((sum, each, i) => (holds(present, each) ? sum + weights[i]! : sum), 0) / total;
}

type Term = Question["terms"][number];
const holds = (words: ReadonlySet<string>, { terms }: Term) => terms.some((term) => words.has(term));

/** The weight of each word of a question, by how many passages have it, and their sum. */
function weightsOf(
  terms: readonly Term[],
  passages: readonly ReadonlySet<string>[],
  weightOf: (holding: number) => number,
) {
  const weights = terms.map((each) => weightOf(passages.filter((words) => holds(words, each)).length));
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0) || 1 };
}

/** A word that occurs in few passages weighs more. */
function rarity(holding: number, passages: number): number {
  return Math.log(1 + (passages - holding + 0.5) / (holding + 0.5));
}

function passageTerms({ chunk }: Hit): ReadonlySet<string> {
  return new Set(analyse([chunk.title, ...chunk.section_path, chunk.text].join("\n"), chunk.language));
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Passages overlap: a sentence in two of them is kept where it scores best. */
function withoutRepeats(sentences: readonly Scored[]): Scored[] {
  const seen = new Set<string>();
  return sentences.filter(({ chunk, start, text }) => {
    const key = chunk.start === null ? `${chunk.doc_id}\n${text}` : `${chunk.doc_id}\n${chunk.start + start}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Like the search, sentences are compared by meaning only if the model supports the language. */
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
  const fitting = async (texts: readonly string[]) => {
    const windows = await embedder.windows(texts.map((text) => ({ text, prefix: "" })));
    return texts.map((text, i) => windows[i]?.[0] ?? text);
  };
  const [pairs, alone, query] = await Promise.all([
    fitting(sentences.map(({ pair }) => pair)),
    fitting(sentences.map(({ text }) => text)),
    fitting([question.text]),
  ]);
  const [[asked], vectors] = await Promise.all([
    embedder.embed(query, { as: "query", signal }),
    embedder.embed(
      sentences.map(({ pair }, i) => (pairs[i] === pair ? pair : alone[i]!)),
      { as: "passage", signal },
    ),
  ]);
  return vectors.map((vector) => (asked ? dot(asked, vector) : 0));
}

const CACHED_WORDS = 5_000;
const known = new WeakMap<Embedder, LRUCache<string, Float32Array>>();

/** Vectors of single words, cached because the same words recur in many questions. */
async function wordVectors(
  words: ReadonlySet<string>,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Map<string, Float32Array>> {
  const cache = known.get(embedder) ?? new LRUCache<string, Float32Array>({ max: CACHED_WORDS });
  known.set(embedder, cache);
  const missing = [...words].filter((word) => !cache.has(word));
  if (missing.length > 0) {
    const vectors = await embedder.embed(missing, { as: "passage", signal });
    for (const [i, word] of missing.entries()) cache.set(word, vectors[i]!);
  }
  return new Map([...words].flatMap((word) => (cache.has(word) ? [[word, cache.get(word)!] as const] : [])));
}

const LONGEST_WORD = 30;

/** The words of a text without stop words. */
function contentWords(text: string, language: string | null): string[] {
  const words = foldedWords(text).filter(
    (word) => word.length > 2 && word.length <= LONGEST_WORD && !isStopWord(word, language ?? "en"),
  );
  return [...new Set(words)];
}
