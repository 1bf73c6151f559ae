/** A search term in the syntax of the tools' one-line filters: `tag:sea`, `-tag:done`, `author:"Ann Lee"`. */
export interface SearchTerm {
  key: string;
  value: string;
  not: boolean;
  /** As it was typed. */
  text: string;
}

/** The terms a search accepts, each with an explanation. */
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

/** The terms of a query, and the remaining words. An unknown term counts as a word. */
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

/** A term as typed: a value with spaces is quoted. */
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
