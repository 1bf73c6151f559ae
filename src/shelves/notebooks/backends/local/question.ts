import { parseQuery, type QueryWord, queryWords } from "../../../../text/analysis.js";
import { fold } from "../../../../text/fold.js";
import { detectLanguage } from "../../../../text/language.js";
import { wordRuns } from "../../../../text/tokens.js";

export type QuestionKind = "number" | "date" | "name" | "place" | "reason" | "way" | "compare" | "list" | "open";

export interface Question {
  text: string;
  kind: QuestionKind;
  language: string | null;
  /** Its words, folded. */
  words: ReadonlySet<string>;
  /** The content words, each with the index terms it may appear as. */
  terms: readonly Pick<QueryWord, "word" | "terms">[];
  /** The sides of a comparison, as worded in the question. */
  sides: readonly string[];
}

/** The kind of answer that a question word asks for (English, German, French, Spanish, Italian, Dutch, Russian). */
const KINDS: readonly [QuestionKind, RegExp][] = [
  [
    "compare",
    /\b(differences?|differs?|differ from|compare[ds]?|comparison|versus|vs|unterschied\w*|unterscheide[nt]|vergleich\w*|difference|compar\w+|diferencia\w*)\b/,
  ],
  [
    "date",
    /\b(when|(what|which) (year|date|day|month|decade|century)|in welchem jahr|wann|quand|en quelle (annee|date)|cuando|en que (ano|fecha|siglo)|quando|in (che|quale) anno|wanneer)\b|когда|в каком году/,
  ],
  [
    "number",
    /\b(how (many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|hot|heavy|strong|thick|small|accurate)|(what|which) (percentage|percent|number|amount|rank|score|age|share|proportion)|wie ?viele?|wie (lange|alt|hoch|gross|weit|oft)|combien|quel(le)? (pourcentage|nombre)|cuant[oa]s?|que porcentaje|quant[oiae]|hoeveel)\b|сколько/,
  ],
  ["reason", /\b(why|for what reason|warum|weshalb|wieso|pourquoi|por que|perche|waarom)\b|почему|зачем/],
  [
    "list",
    /\b(list|name (all|the|some|three|two)|(what|which) (are|were) the \w+|(what|which) (kinds?|types?|sorts?|forms?|reasons|signs|instruments|methods|ways|steps|parts|tools|factors|causes|examples|advantages|disadvantages|conditions|uses|features)|was sind die|welche (arten|grunde)|quels sont|cuales son)\b/,
  ],
  [
    "place",
    /\b(where|(what|which) (city|town|country|state|place|river|island|museum|library)|wo|woher|wohin|ou|donde|dove|waar)\b|где/,
  ],
  [
    "name",
    /\b(who|whom|whose|(what|which) (person|people|team|player|company|organi[sz]ation|university|school|author)|(nick)?name of|named|called|wer|wem|wessen|qui|quien(es)?|chi|wie is)\b|кто/,
  ],
  ["way", /\b(how (do|does|did|is|are|was|were|can|could|to|should|would)|in what way|wie|comment|como|hoe)\b|как/],
];

/** Words of questions about the sources as a whole; they name no subject. */
const ABOUT_ALL =
  /\b(about|summar\w*|overviews?|gist|main (points?|ideas?|topics?|themes?)|cover|covered|contents?|worum|zusammenfass\w*|ueberblick|uberblick|resume\w*|apercu|resumen|resumir)\b/;
const SOURCES =
  /\b(notebooks?|sources?|documents?|texts?|collection|files?|papers?|articles?|notizbuch|quellen?|dokumente?|carnet|documentos?|cuaderno|fuentes)\b/;
const ASKING =
  /\b(give|me|us|an?|the|this|these|all|my|of|in|is|are|what|whats|do|does|please|can|you|tell|short|brief|briefly|quick|they|it|whole|main|points?|ideas?|topics?|themes?|say|said|geht|es|um|diese[mnrs]?|die|der|das|fasse|fass|zusammen|bitte|ein|einen|gib|mir|de|quoi|parle|ce|cet|que|trata|este|el|la|los)\b/g;

/** Whether a question asks what the sources are about, and names no subject. */
export function asksForOverview(text: string): boolean {
  const folded = fold(text).replace(/['’]/g, "");
  if (!ABOUT_ALL.test(folded)) return false;
  const rest = folded.replace(new RegExp(ABOUT_ALL.source, "g"), " ").replace(new RegExp(SOURCES.source, "g"), " ");
  return wordRuns(rest.replace(ASKING, " ")).length === 0;
}

export function readQuestion(text: string, languages: readonly string[]): Question {
  const folded = fold(text);
  const kind = KINDS.find(([, words]) => words.test(folded))?.[0] ?? "open";
  return {
    text,
    kind,
    language: detectLanguage(text),
    words: new Set(wordRuns(folded)),
    terms: queryWords(parseQuery(text), languages),
    sides: kind === "compare" ? sidesOf(text) : [],
  };
}

const SIDES: readonly RegExp[] = [
  /\bbetween (?:the |an? )?(.{2,80}?) and (?:the |an? )?(.{2,80}?)[?.]?$/i,
  /\bcompare (?:the |an? )?(.{2,80}?) (?:and|with|to) (?:the |an? )?(.{2,80}?)[?.]?$/i,
  /\bhow (?:do|does|did) (?:the |an? )?(.{2,80}?) (?:and|differ from) (?:the |an? )?(.{2,80}?)(?: differ)?[?.]?$/i,
  /\b(.{2,80}?) (?:versus|vs\.?) (.{2,80}?)[?.]?$/i,
];

function sidesOf(text: string): string[] {
  const short = text.trim().slice(0, 300);
  for (const pattern of SIDES) {
    const [, first, second] = pattern.exec(short) ?? [];
    if (first && second) return [first.trim(), second.trim()];
  }
  return [];
}

const NUMBER_WORDS =
  /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|quarter|twice|zwei|drei|vier|funf|deux|trois|quatre|dos|tres|cuatro|due|tre|quattro)\b/;
const REASON_WORDS =
  /\b(because|since|due to|as a result|therefore|thus|hence|so that|so as|in order to|reasons?|caused?|led to|owing to|(?:that|which) is why|and so|for (?:this|that) reason|answers? a need|weil|denn|deshalb|wegen|damit|parce que|car|grace a|a cause|porque|debido|perche|omdat)\b|потому|поэтому|из-за/;
const MONTH =
  /\b(january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout|enero|febrero|marzo|abril|mayo|junio|julio|agosto)\b/;
const LIST_WORDS =
  /\b(kinds|types|reasons|several|two|three|four|five|first|second|third|one|another|other|also|both|include[sd]?|such as|namely)\b/;
const WAY_WORDS = /\b(by|with|until|then|first|is held|means of|so that|uses?|using|method|one)\b/;
const PLACE =
  /\b(?:in|at|near|on|off|from|to|behind|of|outside|around|through) (?:the )?(?:\p{L}+ (?:of |in )?(?:the )?)?\p{Lu}/u;

/** How well a sentence contains the kind of answer asked for, not counting words of the question: 0 to 1. */
export function cueOf(sentence: string, { kind, words }: Question): number {
  if (kind === "open" || kind === "compare") return 0;
  const names = () => namesIn(sentence).some((name) => !words.has(name));
  if (kind === "name") return names() ? 1 : 0;
  if (kind === "place") return names() && PLACE.test(sentence) ? 1 : 0;
  const folded = fold(sentence);
  if (kind === "reason") return REASON_WORDS.test(folded) ? 1 : 0;
  if (kind === "list") return LIST_WORDS.test(folded) || folded.split(/[,;]/).length > 2 ? 1 : 0;
  if (kind === "way") return WAY_WORDS.test(folded) ? 1 : 0;
  const numbers = wordRuns(folded).filter((word) => /\p{N}/u.test(word) && !words.has(word));
  if (kind === "number") return numbers.length > 0 ? 1 : NUMBER_WORDS.test(folded) ? 0.8 : 0;
  if (numbers.some((word) => /^(1\d{3}|20\d\d)s?$|^\d+(st|nd|rd|th)$/.test(word)) || MONTH.test(folded)) return 1;
  return numbers.length > 0 || /\bcentur(y|ies)\b|\bjahrhundert|\bsiecle|\bsiglo/.test(folded) ? 0.7 : 0;
}

/** Capitalised words that are not the first of the sentence, folded. */
export function namesIn(sentence: string): string[] {
  return [...sentence.matchAll(/(?<=[\s("“'‘-])\p{Lu}[\p{L}\p{M}\p{N}]*/gu)].flatMap(([name]) => wordRuns(fold(name)));
}
