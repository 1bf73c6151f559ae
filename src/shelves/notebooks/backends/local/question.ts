import { parseQuery, queryWords } from "../../../../text/analysis.js";
import { fold } from "../../../../text/fold.js";
import { detectLanguage } from "../../../../text/language.js";
import { wordRuns } from "../../../../text/tokens.js";

export type QuestionKind = "number" | "date" | "name" | "reason" | "open";

export interface Question {
  text: string;
  kind: QuestionKind;
  language: string | null;
  /** Folded words as they stand in it. */
  words: ReadonlySet<string>;
  /** What it asks about: for each word, the index terms it may appear as. */
  terms: readonly (readonly string[])[];
}

/** What an answer must hold, told by the question's own words (English, German, French, Spanish, Italian, Dutch, Russian). */
const KINDS: readonly [QuestionKind, RegExp][] = [
  [
    "date",
    /\b(when|(what|which) (year|date|day|month|decade|century)|in welchem jahr|wann|quand|en quelle (annee|date)|cuando|en que (ano|fecha|siglo)|quando|in (che|quale) anno|wanneer)\b|когда|в каком году/,
  ],
  [
    "number",
    /\b(how (many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|hot)|(what|which) (percentage|percent|number|amount|rank|score|age|share|proportion)|wie ?viele?|wie (lange|alt|hoch|gross|weit|oft)|combien|quel(le)? (pourcentage|nombre)|cuant[oa]s?|que porcentaje|quant[oiae]|hoeveel)\b|сколько/,
  ],
  ["reason", /\b(why|warum|weshalb|wieso|pourquoi|por que|perche|waarom)\b|почему|зачем/],
  [
    "name",
    /\b(who|whom|whose|where|(what|which) (person|people|city|town|country|state|team|player|company|organi[sz]ation|university|school|river|place|author)|(nick)?name of|named|called|wer|wem|wessen|wo|qui|ou|quien(es)?|donde|chi|dove|wie is|waar)\b|кто|где/,
  ],
];

export function readQuestion(text: string, languages: readonly string[]): Question {
  const folded = fold(text);
  return {
    text,
    kind: KINDS.find(([, words]) => words.test(folded))?.[0] ?? "open",
    language: detectLanguage(text),
    words: new Set(wordRuns(folded)),
    terms: queryWords(parseQuery(text), languages).map(({ terms }) => terms),
  };
}

const NUMBER_WORDS =
  /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|quarter|twice|zwei|drei|vier|funf|deux|trois|quatre|dos|tres|cuatro|due|tre|quattro)\b/;
const REASON_WORDS =
  /\b(because|since|due to|as a result|therefore|thus|hence|so that|in order to|reason|caused?|led to|owing to|weil|denn|deshalb|wegen|damit|parce que|car|grace a|a cause|porque|debido|perche|omdat)\b|потому|поэтому|из-за/;
const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|enero|febrero|marzo|abril|mayo|junio|julio|agosto)\b/;

/** How far a sentence holds the kind of thing asked for, beyond what the question says itself: 0 to 1. */
export function cueOf(sentence: string, { kind, words }: Question): number {
  if (kind === "open") return 0;
  if (kind === "name") return namesIn(sentence).some((name) => !words.has(name)) ? 1 : 0;
  const folded = fold(sentence);
  if (kind === "reason") return REASON_WORDS.test(folded) ? 1 : 0;
  const numbers = wordRuns(folded).filter((word) => /\p{N}/u.test(word) && !words.has(word));
  if (kind === "number") return numbers.length > 0 ? 1 : NUMBER_WORDS.test(folded) ? 0.8 : 0;
  if (numbers.some((word) => /^(1\d{3}|20\d\d)s?$|^\d+(st|nd|rd|th)$/.test(word)) || MONTH.test(folded)) return 1;
  return numbers.length > 0 ? 0.4 : 0;
}

/** Words with a capital that do not begin the sentence, folded. */
function namesIn(sentence: string): string[] {
  return [...sentence.matchAll(/(?<=[\s("“'‘-])\p{Lu}[\p{L}\p{M}\p{N}]*/gu)].flatMap(([name]) => wordRuns(fold(name)));
}
