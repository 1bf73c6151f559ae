import { createByteLru } from "../../kernel/byte-lru.js";
import { oncePerKey } from "../../kernel/once.js";
import { analyse, foldedWords, parseQuery, queryWords } from "../../text/analysis.js";
import { detectLanguage } from "../../text/language.js";
import type { StoredChunk } from "./chunk-store.js";

export type AskedWords = ReturnType<typeof askedWords>;

/** What every query asks of a text: its language, and its terms in a language. */
interface AnalysedText {
  language: string | null;
  termsIn(language: string): ReadonlySet<string>;
  bytes: number;
}
/** Queries of one person find the same texts again and again, and analysing them is most of a search's work. */
const analysed = createByteLru<string, AnalysedText>(4 * 1024 * 1024, ({ bytes }) => bytes);
/** A text, and the set of its terms. */
const BYTES_PER_CHARACTER = 8;

const analysisOf = (text: string): AnalysedText =>
  analysed(text, () => ({
    language: detectLanguage(text),
    termsIn: oncePerKey((language) => new Set(analyse(text, language))),
    bytes: text.length * BYTES_PER_CHARACTER + 100,
  }));

/** A word in the title or tags counts less than one in the text. */
const AROUND = 0.8;

/** The words of a question, to be found again in texts of any language and in any of their forms. */
export function askedWords(query: string) {
  const parsed = parseQuery(query);
  const { prefixes } = parsed;
  const groupsFor = oncePerKey((language: string) =>
    queryWords(parsed, [language]).map(({ terms }): ReadonlySet<string> => new Set(terms)),
  );
  const spoken = detectLanguage(query) ?? "en";

  return {
    /** Which of the words of a text were asked for, as they stand in it, folded. */
    in({ text, title, language }: Pick<StoredChunk, "text" | "title" | "language">): ReadonlySet<string> {
      const groups = groupsFor(language ?? spoken);
      const isAsked = (word: string) =>
        prefixes.some((prefix) => word.startsWith(prefix)) ||
        analyse(word, language ?? spoken).some((term) => groups.some((group) => group.has(term)));
      return new Set([...new Set(foldedWords(`${text}\n${title ?? ""}`))].filter(isAsked));
    },
    /** The share of the query that a text or its title and tags contain, in [0,1]. */
    coverage(body: string, around: string): number {
      const own = analysisOf(body);
      const language = own.language ?? spoken;
      const groups = groupsFor(language);
      const asked = groups.length + prefixes.length;
      if (asked === 0) return 0;
      const hasEach = [body, around].map((text) => {
        const terms = text === body ? own.termsIn(language) : new Set(analyse(text, language));
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
