import { foldedWords, type Query } from "./analysis.js";
import { isFiller } from "./filler-words.js";
import { isStopWord, STOP_WORD_LANGUAGES } from "./stop-words.js";
import type { Vocabulary } from "./vocabulary.js";

/** A word of the library that matches a word of the query. */
interface Variant {
  term: number;
  /** Similarity of the two, up to 1. */
  weight: number;
  /** 2 as typed, 1 another form of the word, 0 a guess. */
  level: number;
}
/** What is scored together: a word with its variants, or a pair of characters of an unspaced script. */
interface Unit {
  variants: Variant[];
  /** Higher for rare words. */
  rarity: number;
}
export interface Plan {
  /** Those of the quoted phrases first, the rarest of them before the others. */
  units: Unit[];
  /** How many of them a document must have because they are quoted. */
  quoted: number;
  /** The whole query in order, stop words included: the terms that match at each place. */
  sequence: { forms: number[]; typed: number[] }[];
  /** The quoted phrases. */
  required: Plan["sequence"][];
}
interface Known {
  vocabulary: Vocabulary;
  languages: readonly string[];
  /** A word's stems in these languages. */
  stems(word: string): readonly string[];
  frequency(term: number): number;
  documents: number;
}

const FORM = 0.85;
const BEGINNING = 0.7;
const TYPO = 0.6;
export const MAX_UNITS = 64;
const MAX_EXPANSION = 64;
const MAX_CANDIDATES = 2000;
/** A stop word this rare in the library is probably meant. */
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
  const uncommon = spread.filter(({ word }) => !isCommon(word));
  const telling = uncommon.filter(({ word }) => !isFiller(word));
  const lists = query.prefixes.length > 0 ? [telling] : [telling, uncommon, spread];
  const content = lists.find((list) => list.length > 0) ?? [];

  const units: Unit[] = [];
  const forms = new Map<string, Variant[]>();
  const addUnit = (name: string, variants: () => Variant[]) => {
    if (forms.has(name) || units.length >= MAX_UNITS) return;
    const found = variants();
    forms.set(name, found);
    units.push({ variants: found, rarity: rarity(found.reduce((sum, { term }) => sum + frequency(term), 0)) });
  };
  for (const phrase of query.phrases) {
    const rare = phrase.filter((word) => !isCommon(word));
    for (const word of rare.length > 0 ? rare : phrase) addUnit(word, () => asTyped(word, vocabulary));
  }
  // All of these are required: starting with the rarest leaves the fewest documents.
  units.sort((a, b) => b.rarity - a.rarity);
  const quoted = units.length;
  for (const { parts } of content) {
    if (parts.length === 1) addUnit(parts[0]!, () => variantsOf(parts[0]!, known));
    for (let i = 0; i + 1 < parts.length; i++) {
      const pair = parts[i]! + parts[i + 1]!;
      addUnit(pair, () => asTyped(pair, vocabulary));
    }
  }
  for (const prefix of query.prefixes)
    addUnit(`${prefix}*`, () =>
      mostFrequent(vocabulary.byPrefix(prefix, MAX_CANDIDATES), frequency).map((term) =>
        vocabulary.word(term) === prefix ? { term, weight: 1, level: 2 } : { term, weight: FORM, level: 1 },
      ),
    );

  const typedTerms = (word: string) => asTyped(word, vocabulary).map(({ term }) => term);
  const sequence = spread.flatMap(({ parts }) =>
    parts.map((part) => {
      const typed = typedTerms(part);
      const others = (forms.get(part) ?? []).filter(({ level }) => level > 0).map(({ term }) => term);
      return { typed, forms: others.length > 0 ? others : typed };
    }),
  );
  return {
    units,
    quoted,
    sequence,
    required: query.phrases.map((phrase) =>
      phrase.map((word) => ({ typed: typedTerms(word), forms: typedTerms(word) })),
    ),
  };
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

function variantsOf(word: string, { vocabulary, stems, frequency }: Known): Variant[] {
  const variants = asTyped(word, vocabulary);
  const taken = new Set(variants.map(({ term }) => term));
  const take = (terms: readonly number[], weight: number, level: number) => {
    for (const term of terms) {
      if (taken.has(term)) continue;
      taken.add(term);
      variants.push({ term, weight, level });
    }
  };
  for (const stemmed of stems(word)) {
    // A stem made by another language's rules may be one of its function words ("losers" would find Spanish "los").
    if (stemmed !== word && STOP_WORD_LANGUAGES.has(stemmed)) continue;
    const itself = vocabulary.find(stemmed);
    if (itself !== undefined) take([itself], FORM, 1);
    take(vocabulary.byStem(stemmed), FORM, 1);
  }
  if (variants.length > 0) return variants;
  // The library does not have this word: it may be unfinished or mistyped.
  if (word.length >= 3) take(mostFrequent(vocabulary.byPrefix(word, MAX_CANDIDATES), frequency), BEGINNING, 0);
  if (word.length >= 4) take(mostFrequent(vocabulary.byTypo(word), frequency), TYPO, 0);
  return variants;
}

function mostFrequent(terms: number[], frequency: (term: number) => number): number[] {
  if (terms.length <= MAX_EXPANSION) return terms;
  return terms.sort((a, b) => frequency(b) - frequency(a) || a - b).slice(0, MAX_EXPANSION);
}
