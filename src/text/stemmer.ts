import { createRequire } from "node:module";
import { oncePerKey } from "../kernel/once.js";

interface Stemmer {
  stem(word: string): string;
}
interface Snowball {
  newStemmer(algorithm: string): Stemmer;
}
let loaded: Snowball | undefined;
/** CommonJS without types; loaded when the first word is stemmed: it is a tenth of the start-up time. */
function snowball(): Snowball {
  loaded ??= createRequire(import.meta.url)("snowball-stemmers") as Snowball;
  return loaded;
}

const ALGORITHMS: Record<string, string> = {
  ar: "arabic",
  ca: "catalan",
  cs: "czech",
  da: "danish",
  de: "german",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hu: "hungarian",
  hy: "armenian",
  it: "italian",
  nl: "dutch",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sl: "slovene",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
};

/** Their stemmers are a slow no-op on Latin words. */
const NOT_LATIN = new Set(["ar", "hy", "ru", "ta"]);
const PLAIN = /^[a-z0-9]+$/;

/** The stem of a folded word; the word itself where the language has no stemmer. */
export const stem = (word: string, language: string): string => stemmerOf(language)(word);

const stemmerOf = oncePerKey((language: string): ((word: string) => string) => {
  const algorithm = ALGORITHMS[language];
  if (!algorithm) return (word) => word;
  const snowballStemmer = snowball().newStemmer(algorithm);
  if (NOT_LATIN.has(language)) return (word) => (PLAIN.test(word) ? word : snowballStemmer.stem(word) || word);
  return (word) => snowballStemmer.stem(word) || word;
});
