/** A term of a search, as the tools' one-line filters have it: `tag:sea`, `-tag:done`, `author:"Ann Lee"`. */
export interface SearchTerm {
  key: string;
  value: string;
  not: boolean;
  /** As it was typed. */
  text: string;
}

/** The terms a search takes, each with what it means to a person. */
export const SEARCH_KEYS: Readonly<Record<string, string>> = {
  tag: "with this tag",
  author: "by this author",
  in: "a project, a work, highlights, documents, inbox, later …",
  before: "before a date: 2026, 2026-03, 30d",
  after: "after a date: 2026, 2026-03, 30d",
  is: "favorite, seen, finished, untagged",
  has: "note, tags",
  color: "of this colour",
  category: "book, article, podcast, email …",
};

/** The terms of a query, and the words that are left. What is no known term is a word like any other. */
export function searchTerms(query: string): { words: string; terms: SearchTerm[] } {
  const terms: SearchTerm[] = [];
  const words: string[] = [];
  for (const part of parts(query)) {
    const colon = part.indexOf(":");
    const not = part.startsWith("-");
    const key = part.slice(not ? 1 : 0, Math.max(0, colon)).toLowerCase();
    const value = part
      .slice(colon + 1)
      .replaceAll('"', "")
      .trim();
    if (colon > 0 && Object.hasOwn(SEARCH_KEYS, key)) {
      if (value) terms.push({ key, value, not, text: part });
    } else words.push(part);
  }
  return { words: words.join(" "), terms };
}

/** A term as it is typed: a value with spaces stands in quotation marks. */
export const termOf = (key: string, value: string): string =>
  /[\s,:]/.test(value) ? `${key}:"${value.replaceAll('"', "")}"` : `${key}:${value}`;

/** Split at spaces, but not inside quotation marks that follow a colon. */
function parts(query: string): string[] {
  const found: string[] = [];
  let part = "";
  let quoted = false;
  let before = "";
  for (const character of query) {
    if (character === '"' && (quoted || (part && before === ":"))) quoted = !quoted;
    before = character;
    if (/\s/.test(character) && !quoted) {
      if (part) found.push(part);
      part = "";
    } else part += character;
  }
  if (part) found.push(part);
  return found;
}
