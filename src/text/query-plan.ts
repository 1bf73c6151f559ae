import { foldedWords, type Query } from "./analysis.js";
import { stem } from "./stemmer.js";
import { isStopWord } from "./stop-words.js";
import type { Vocabulary } from "./vocabulary.js";

/** A word of the library that may stand for a word of the query. */
export interface Variant {
  term: number;
  /** How alike the two are, up to 1. */
  weight: number;
  /** 2 as typed, 1 another form of the word, 0 a guess. */
  level: number;
}
/** What is scored together: a word with its variants, or a pair of characters that stand side by side. */
export interface Unit {
  slots: Variant[][];
  /** Rare words say more. */
  rarity: number;
}
export interface Plan {
  units: Unit[];
  /** The whole query as words in order, stop words included. */
  words: string[];
  sequence: { terms: number[]; exact: number | undefined; content: boolean }[];
}
interface Known {
  vocabulary: Vocabulary;
  languages: readonly string[];
  frequency(term: number): number;
  documents: number;
}

const FORM = 0.85;
const BEGINNING = 0.7;
const TYPO = 0.6;
const MAX_UNITS = 64;
const MAX_EXPANSION = 64;
/** A stop word this rare in the library may well be meant. */
const COMMON = 0.01;

export function planQuery(query: Query, known: Known): Plan {
  const { vocabulary, frequency, documents } = known;
  const rarity = (count: number) => Math.log(1 + (documents - Math.min(count, documents) + 0.5) / (count + 0.5));
  const isCommon = (word: string) => {
    const term = vocabulary.find(word);
    return (
      term !== undefined &&
      frequency(term) > documents * COMMON &&
      known.languages.some((language) => isStopWord(word, language))
    );
  };

  const spread = query.words.map((word) => ({ word, parts: partsOf(word) }));
  const words = spread.flatMap(({ parts }) => parts);
  const telling = spread.filter(({ word }) => !isCommon(word));
  const nothingElse = telling.length === 0 && query.prefixes.length === 0;
  const content = nothingElse ? spread : telling;

  const units: Unit[] = [];
  const seen = new Set<string>();
  const forms = new Map<string, Variant[]>();
  for (const { word, parts } of content) {
    if (seen.has(word) || units.length >= MAX_UNITS) continue;
    seen.add(word);
    if (parts.length === 1) {
      const variants = variantsOf(parts[0]!, known);
      forms.set(parts[0]!, variants);
      units.push({ slots: [variants], rarity: rarity(total(variants, frequency)) });
      continue;
    }
    for (let i = 0; i + 1 < parts.length && units.length < MAX_UNITS; i++) {
      const slots = [parts[i]!, parts[i + 1]!].map((part) => asTyped(part, vocabulary));
      units.push({ slots, rarity: rarity(Math.min(...slots.map((slot) => total(slot, frequency)))) });
    }
  }
  for (const prefix of query.prefixes) {
    const typed = vocabulary.find(prefix);
    const variants = mostFrequent(vocabulary.byPrefix(prefix, 2000), frequency).map((term) => ({
      term,
      weight: term === typed ? 1 : FORM,
      level: term === typed ? 2 : 1,
    }));
    units.push({ slots: [variants], rarity: rarity(total(variants, frequency)) });
  }

  const telltale = new Set(content.map(({ word }) => word));
  const sequence = spread.flatMap(({ word, parts }) =>
    parts.map((part) => ({
      terms: (forms.get(part) ?? asTyped(part, vocabulary)).filter(({ level }) => level > 0).map(({ term }) => term),
      exact: vocabulary.find(part),
      content: telltale.has(word),
    })),
  );
  return { units, words, sequence };
}

/** A word as the index has it: itself, or its characters where the script has no spaces. */
function partsOf(word: string): string[] {
  const parts = foldedWords(word);
  return parts.length > 0 ? parts : [word];
}

function asTyped(word: string, vocabulary: Vocabulary): Variant[] {
  const term = vocabulary.find(word);
  return term === undefined ? [] : [{ term, weight: 1, level: 2 }];
}

function variantsOf(word: string, { vocabulary, languages, frequency }: Known): Variant[] {
  const variants = asTyped(word, vocabulary);
  const taken = new Set(variants.map(({ term }) => term));
  const take = (terms: readonly number[], weight: number, level: number) => {
    for (const term of terms) {
      if (taken.has(term)) continue;
      taken.add(term);
      variants.push({ term, weight, level });
    }
  };
  for (const language of languages) {
    const stemmed = stem(word, language);
    const itself = vocabulary.find(stemmed);
    if (itself !== undefined) take([itself], FORM, 1);
    take(vocabulary.byStem(stemmed), FORM, 1);
  }
  if (variants.length > 0) return variants;
  // Nobody wrote this word: it may be unfinished or mistyped.
  if (word.length >= 3) take(mostFrequent(vocabulary.byPrefix(word, 2000), frequency), BEGINNING, 0);
  if (word.length >= 4) take(mostFrequent(vocabulary.byTypo(word), frequency), TYPO, 0);
  return variants;
}

function mostFrequent(terms: number[], frequency: (term: number) => number): number[] {
  if (terms.length <= MAX_EXPANSION) return terms;
  return terms.sort((a, b) => frequency(b) - frequency(a) || a - b).slice(0, MAX_EXPANSION);
}

const total = (variants: readonly Variant[], frequency: (term: number) => number) =>
  variants.reduce((sum, { term }) => sum + frequency(term), 0);
