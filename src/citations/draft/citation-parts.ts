import { trimEndOf } from "../../kernel/trim-end.js";
import { partsOf } from "../../text/parts-of.js";
import { parseLocator } from "../locator.js";
import { plainName } from "../works.js";

/** One work cited at one place of a draft. */
export interface DraftCitation {
  /** Offsets into the view; works cited together share them. */
  start: number;
  end: number;
  /** As written in the draft. */
  written: string;
  /** Set for citations by key. */
  key?: string;
  /** Set for citations by author and year; folded. */
  names?: string[];
  year?: number;
  /** Set for citations by number: "[3]". Names, year and title are those of the listed entry, if the list has one. */
  number?: number;
  /** The rest of a footnote after the name, or a listed entry, folded; it contains the title. */
  title?: string;
  /** A title that the footnote has in quotation marks, folded, with its offsets. */
  quotedTitle?: { name: string; start: number; end: number };
  /** "ibid.": the work of the citation before. */
  again?: boolean;
  locator?: ReturnType<typeof parseLocator>;
  /** The footnote that holds it. */
  note?: string;
}

/** Longer texts are not taken for citations. */
export const MAX_GROUP_CHARS = 1000;

export const NAME = "\\p{Lu}[\\p{L}\\p{M}’'.-]{0,40}";
export const PARTICLES = "(?:(?:van|von|der|den|de|du|del|della|di|la|le|el|al|bin|ibn|ter|zu)\\s){0,3}";
export const WORD_AND = "(?:,\\s?|\\s?&\\s?|\\s(?:and|und|et|y|e|en|og|och)\\s)";
export const PAGE_AFTER =
  /^\s?[,:]\s?((?:pp?\.|S\.|s\.|page|pages|ch\.|chap\.|chapter|sec\.|section|§|¶|para\.|vol\.|bk\.|fig\.|n\.)?\s?(?:\d{1,5}|[ivxlc]{1,8})(?:\s?[-–—]\s?(?:\d{1,5}|[ivxlc]{1,8}))?(?:ff?\.)?)/u;

export function locatorField(text: string, bare = false): Pick<DraftCitation, "locator"> {
  const trimmed = trimEndOf(text.slice(0, MAX_GROUP_CHARS), /[\s.;]/).replace(/^[\s,:;]+/, "");
  if (!trimmed || trimmed.length > 200) return {};
  // A suffix without number or label is a remark, not a locator.
  if (!bare && !/\d|^[ivxlcdm]+$/i.test(trimmed)) return {};
  const locator = parseLocator(trimmed);
  return locator ? { locator } : {};
}

/** Family names in order, folded. Empty if the text has other lower-case words: it is then not a list of names. */
export function namesOf(written: string): string[] {
  const text = written
    .replace(/,?\s(?:et\sal\.?|u\.\sa\.|and\sothers)\s?,?$/u, "")
    .replace(/[’']s?\s?$/u, "")
    .trim();
  const parts = partsOf(text, /\s?&\s?|\s(?:and|und|et|y|e|en|og|och)\s|,\s?/u);
  if (parts.length === 0 || parts.length > 8) return [];
  const names: string[] = [];
  for (const part of parts) {
    // Initials belong to the name before them.
    if (/^(?:\p{Lu}\.[\s-]?){1,4}$/u.test(part)) continue;
    if (!/\p{Lu}/u.test(part) && !/^\p{Lo}/u.test(part)) return [];
    const words = part.split(/\s/);
    if (words.length > 5) return [];
    names.push(plainName(part.replace(/^(?:\p{Lu}\.[\s-]?){1,4}/u, "")));
  }
  return names.filter(Boolean);
}
