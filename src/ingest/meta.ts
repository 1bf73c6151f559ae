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

const PLACES = [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9];

/** What most places of the text say; what the file declares, unless nearly all places contradict it. */
export function languageOf(text: string, declared?: string | null): string | null {
  const code = /^([a-z]{2})(?:[-_]|$)/i.exec(declared?.trim() ?? "")?.[1]?.toLowerCase() ?? null;
  const votes = new Map<string, number>();
  for (const share of PLACES) {
    const start = Math.floor(text.length * share);
    const language = detectLanguage(text.slice(start, start + 800));
    if (language) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const [first] = [...votes].sort((a, b) => b[1] - a[1]);
  if (code) return first && first[0] !== code && first[1] >= PLACES.length - 1 && !votes.has(code) ? first[0] : code;
  return first?.[0] ?? detectLanguage(text);
}
