import { oncePerKey } from "../kernel/once.js";
import { fold } from "./fold.js";
import { detectLanguage, isLatin } from "./language.js";
import { stem } from "./stemmer.js";
import { isStopWord } from "./stop-words.js";
import { isCharacterRun, wordRuns } from "./tokens.js";

const MAX_TERM_CHARS = 64;

/** The words of a text, folded, in order. A run of an unspaced script comes one character at a time. */
export function foldedWords(text: string): string[] {
  const words: string[] = [];
  for (const run of wordRuns(fold(text))) {
    if (isCharacterRun(run)) words.push(...run);
    else words.push(run);
  }
  return words;
}

/**
 * The index terms of a text, in order and with repeats: folded, stemmed by language, unspaced scripts as characters and
 * pairs. Stop words are kept, so that a query made of nothing else still finds something.
 */
export function analyse(text: string, language: string | null = detectLanguage(text)): string[] {
  const terms: string[] = [];
  const term = termer(language ?? "en");
  for (const run of wordRuns(fold(text))) {
    if (isCharacterRun(run)) addCharacters(terms, run);
    else terms.push(term(run));
  }
  return terms;
}

/** A word of a query with all index terms it matches: one per language, or one if the languages agree. */
export interface QueryWord {
  word: string;
  terms: string[];
  /** It is in a quoted phrase, so a hit must have it. */
  required: boolean;
  /** 1 for a word used once, more for one that the question repeats. */
  weight: number;
}

/** Saturation of repeated query words: BM25's k3. */
const K3 = 8;
const weightOf = (times: number) => ((K3 + 1) * times) / (K3 + times);

export interface Query {
  /** Quoted phrases as folded words: a hit has them side by side and in order. */
  phrases: string[][];
  /** Folded beginnings of words, from a trailing `*`: a hit has a word that begins so. */
  prefixes: string[];
  /** Folded words, those of the phrases included. */
  words: string[];
}

export function parseQuery(query: string): Query {
  const phrases: string[][] = [];
  const prefixes: string[] = [];
  const rest = query.replace(/["“”„«»]([^"“”„«»]+)["“”„«»]/g, (_quoted, inner: string) => {
    const words = foldedWords(inner);
    if (words.length > 0) phrases.push(words);
    return ` ${inner} `;
  });
  const plain = rest.replace(/([\p{L}\p{N}\p{M}]+)(\*?)/gu, (word, beginning: string, star: string) => {
    if (!star) return word;
    const folded = fold(beginning);
    if (isCharacterRun(folded)) return ` ${beginning} `;
    prefixes.push(folded);
    return " ";
  });
  return { phrases, prefixes, words: wordRuns(fold(plain)) };
}

/**
 * What to look up for the words of a query in texts of these languages. Stop words are left out, unless there is
 * nothing else to look for.
 */
export function queryWords(query: Query, languages: readonly string[]): QueryWord[] {
  const known = languages.length > 0 ? languages : [detectLanguage(query.words.join(" ")) ?? "en"];
  const required = new Set(query.phrases.flatMap((phrase) => withoutStopWords(phrase, known)));
  const wanted = new Set(withoutStopWords(query.words, known, query.prefixes.length > 0));
  for (const word of required) if (!isCharacterRun(word)) wanted.add(word);
  const byTerms = new Map<string, QueryWord & { times: number }>();
  const said = new Map<string, number>();
  for (const word of query.words) said.set(word, (said.get(word) ?? 0) + 1);
  const add = (word: string, terms: string[]) => {
    const key = terms.join(" ");
    const before = byTerms.get(key);
    const times = (before?.times ?? 0) + (said.get(word) ?? 1);
    const isRequired = required.has(word) || (before?.required ?? false);
    byTerms.set(key, { word, terms, required: isRequired, times, weight: weightOf(times) });
  };
  for (const word of wanted) {
    if (isCharacterRun(word)) {
      const terms: string[] = [];
      addCharacters(terms, word);
      for (const term of terms) add(term, [term]);
    } else add(word, [...new Set(known.map((language) => termer(language)(word)))]);
  }
  return [...byTerms.values()].map(({ times: _times, ...word }) => word);
}

function withoutStopWords(
  words: readonly string[],
  languages: readonly string[],
  mayBeEmpty = false,
): readonly string[] {
  const content = words.filter((word) => !languages.some((language) => isStopWord(word, language)));
  return content.length > 0 || mayBeEmpty ? content : words;
}

/** Further index terms that match a prefix: a stem can be shorter than the prefix. */
export function prefixStems(prefix: string, languages: readonly string[]): string[] {
  return [...new Set((languages.length > 0 ? languages : ["en"]).map((language) => termer(language)(prefix)))];
}

/** A text prepared for `hasPhrase`. */
export function phraseText(text: string): string {
  return ` ${foldedWords(text).join(" ")} `;
}
export function hasPhrase(phraseReady: string, phrase: readonly string[]): boolean {
  return phraseReady.includes(` ${phrase.join(" ")} `);
}

function addCharacters(terms: string[], run: string): void {
  let previous = "";
  for (const character of run) {
    terms.push(character);
    if (previous) terms.push(previous + character);
    previous = character;
  }
}

const CACHED_WORDS = 40_000;

/** Maps words to index terms in texts of one language, with a cache, because texts repeat their words. */
const termer = oncePerKey((language: string) => {
  // Two generations bound the memory without an LRU's bookkeeping.
  let recent = new Map<string, string>();
  let older = new Map<string, string>();
  return (word: string): string => {
    let found = recent.get(word);
    if (found !== undefined) return found;
    found = older.get(word) ?? worked(word, language);
    if (recent.size >= CACHED_WORDS) {
      older = recent;
      recent = new Map();
    }
    recent.set(word, found);
    return found;
  };
});

function worked(word: string, language: string): string {
  const short = word.length > MAX_TERM_CHARS ? word.slice(0, MAX_TERM_CHARS) : word;
  return stem(short, stemLanguage(short, language));
}

/** An English word in a Russian text is stemmed as English: the script of the word comes before the language around it. */
function stemLanguage(word: string, language: string): string {
  const first = word.charCodeAt(0);
  if (first < 0x250) return isLatin(language) ? language : "en";
  if (first >= 0x400 && first < 0x530) return language === "uk" || language === "bg" ? language : "ru";
  if (first >= 0x600 && first < 0x700) return language === "fa" || language === "ur" ? language : "ar";
  return language;
}
