import { foldedWords } from "./analysis.js";
import { STOP_WORD_LANGUAGES } from "./stop-words.js";

/** What a work is known by. */
export interface WorkName {
  title: string;
  author: string;
}

/** A longer query is no name. */
const NAME_WORDS = 10;
const ARTICLES = new Set("a an the der die das ein eine le la les l un une el los las il lo gli i o os as".split(" "));

/** The folded words of a query that may be a name, without an article in front; undefined where it cannot be one. */
export function nameIn(query: string): readonly string[] | undefined {
  if (query.includes("?")) return undefined;
  const words = withoutArticle(foldedWords(query));
  return words.length === 0 || words.length > NAME_WORDS || !words.some(isTelling) ? undefined : words;
}

/**
 * Whether the words are the author's name or a part of it, the title, its main part or at least two telling words that it
 * begins or ends with, or the two together ("Walden by Thoreau").
 */
export function isNameOf(words: readonly string[], { title, author }: WorkName): boolean {
  const names = foldedWords(author);
  if (words.every((word) => names.includes(word))) return true;
  const [whole, main] = [title, title.split(/[:;—–(]/, 1)[0] ?? ""].map((part) => withoutArticle(foldedWords(part)));
  if (isSame(words, whole!) || isSame(words, main!)) return true;
  const telling = words.filter(isTelling);
  if (telling.length < 2) return false;
  if (isSame(words, whole!.slice(0, words.length)) || isSame(words, whole!.slice(-words.length))) return true;
  const inTitle = telling.filter((word) => whole!.includes(word) && !names.includes(word));
  return (
    inTitle.length > 0 &&
    inTitle.length < telling.length &&
    telling.every((word) => names.includes(word) || whole!.includes(word))
  );
}

/** Words that a name is looked up by. */
export const isTelling = (word: string) => !STOP_WORD_LANGUAGES.get(word)?.some((language) => COMMON.has(language));
/** Languages whose small words stand in titles and between names; of others a small word may be somebody's name. */
const COMMON = new Set(["en", "de", "fr", "es", "it"]);

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((word, i) => word === b[i]);

function withoutArticle(words: readonly string[]): readonly string[] {
  return words.length > 1 && ARTICLES.has(words[0]!) ? words.slice(1) : words;
}
