import { createByteLru } from "../../kernel/byte-lru.js";
import { analyse, foldedWords, parseQuery, queryWords } from "../../text/analysis.js";
import { detectLanguage } from "../../text/language.js";

export interface AskedWords {
  /** Which of the words of a text were asked for, as they stand in it, folded. */
  in(text: { text: string; title: string | null; language: string | null }): ReadonlySet<string>;
  /** The share of the query that a text or its title and tags contain, in [0,1]. */
  coverage(body: string, around: string): number;
}

/** What every query asks of a text: its language, and its terms in a language. */
interface AnalysedText {
  language: string | null;
  terms: Map<string, ReadonlySet<string>>;
  bytes: number;
}
/** Queries of one person find the same texts again and again, and analysing them is most of a search's work. */
const analysed = createByteLru<string, AnalysedText>(4 * 1024 * 1024, ({ bytes }) => bytes);
/** A text, and the set of its terms. */
const BYTES_PER_CHARACTER = 8;

const analysisOf = (text: string): AnalysedText =>
  analysed(text, () => ({
    language: detectLanguage(text),
    terms: new Map(),
    bytes: text.length * BYTES_PER_CHARACTER + 100,
  }));

function termsOf({ terms }: AnalysedText, text: string, language: string): ReadonlySet<string> {
  let known = terms.get(language);
  if (!known) {
    known = new Set(analyse(text, language));
    terms.set(language, known);
  }
  return known;
}

/** A word in the title or tags counts less than one in the text. */
const AROUND = 0.8;

/** The words of a question, to be found again in texts of any language and in any of their forms. */
export function askedWords(query: string): AskedWords {
  const parsed = parseQuery(query);
  const { prefixes } = parsed;
  const termsIn = new Map<string, ReadonlySet<string>[]>();
  const groupsFor = (language: string) => {
    let groups = termsIn.get(language);
    if (!groups) {
      groups = queryWords(parsed, [language]).map(({ terms }) => new Set(terms));
      termsIn.set(language, groups);
    }
    return groups;
  };
  const spoken = detectLanguage(query) ?? "en";

  return {
    in({ text, title, language }) {
      const groups = groupsFor(language ?? spoken);
      const isAsked = (word: string) =>
        prefixes.some((prefix) => word.startsWith(prefix)) ||
        analyse(word, language ?? spoken).some((term) => groups.some((group) => group.has(term)));
      return new Set([...new Set(foldedWords(`${text}\n${title ?? ""}`))].filter(isAsked));
    },
    coverage(body, around) {
      const own = analysisOf(body);
      const language = own.language ?? spoken;
      const groups = groupsFor(language);
      const asked = groups.length + prefixes.length;
      if (asked === 0) return 0;
      const hasEach = [body, around].map((text) => {
        const terms = text === body ? termsOf(own, body, language) : new Set(analyse(text, language));
        const words = prefixes.length > 0 ? foldedWords(text) : [];
        return [
          ...groups.map((group) => [...group].some((term) => terms.has(term))),
          ...prefixes.map((prefix) => words.some((word) => word.startsWith(prefix))),
        ];
      });
      let sum = 0;
      for (let i = 0; i < asked; i++) sum += hasEach[0]?.[i] ? 1 : hasEach[1]?.[i] ? AROUND : 0;
      return sum / asked;
    },
  };
}
