import { detectLanguage } from "../text/language.js";
import { trimEndOf } from "../text/trim-end.js";

const DOI = /\b10\.\d{4,9}\/[^\s"'<>{}|\\^`\]]+/;
// Templates of publishers print these where the real one will stand.
const PLACEHOLDER = /^10\.\d{4,9}\/(n+|x+|0+|1122445\.1122456|1234567(\.\d+)?|example.*)$/i;

/** The first DOI in a text, lower-cased, without the punctuation around it. */
export function findDoi(text: string): string | undefined {
  const found = trimEndOf(DOI.exec(text)?.[0] ?? "", /[.,;:)]/).toLowerCase();
  return found && !PLACEHOLDER.test(found) ? found : undefined;
}

/** The first ISBN whose check digit holds, as bare digits. */
export function findIsbn(text: string): string | undefined {
  for (const [, digits] of text.matchAll(/\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dX])\b/gi)) {
    const bare = digits!.replace(/[^\dX]/gi, "").toUpperCase();
    if (isIsbn(bare)) return bare;
  }
  return undefined;
}

export function isIsbn(bare: string): boolean {
  if (/^\d{13}$/.test(bare))
    return [...bare].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0;
  if (!/^\d{9}[\dX]$/.test(bare)) return false;
  return [...bare].reduce((sum, digit, i) => sum + (digit === "X" ? 10 : Number(digit)) * (10 - i), 0) % 11 === 0;
}

/** The four-digit year of a date in any usual notation. */
export function yearOf(date: string | undefined | null): number | undefined {
  const year = /\b(1[4-9]\d\d|20\d\d)\b/.exec(date ?? "")?.[1];
  return year ? Number(year) : undefined;
}

export function splitAuthors(names: string | undefined | null): string[] {
  return (names ?? "")
    .replace(/\s+/g, " ")
    .split(/;| (?:and|und|et|&) |,(?=[^,]+ )/)
    .map((name) => name.trim())
    .filter(Boolean);
}

/** What the file declares, where it is a language code at all; otherwise what three places of the text say together. */
export function languageOf(text: string, declared?: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(declared?.trim() ?? "")?.[1]?.toLowerCase();
  if (code) return code;
  const places = [0.2, 0.5, 0.8].map((share) =>
    detectLanguage(text.slice(Math.floor(text.length * share), Math.floor(text.length * share) + 800)),
  );
  return (
    places.find((language, i) => language !== null && places.indexOf(language) !== i) ??
    places[1] ??
    detectLanguage(text)
  );
}
