import { partsOf } from "../text/parts-of.js";

/** A passage that only points elsewhere: it shares words with many questions and answers none. */
export type ListKind = "contents" | "index";

const CONTENTS =
  /^(?:table of contents|(?:brief |detailed )?contents|list of (?:figures|tables|illustrations)|inhalt(?:sverzeichnis)?|(?:abbildungs|tabellen)verzeichnis|table des matières|sommaire|índice(?: general)?|sommario|indice|inhoud(?:sopgave)?|содержание|оглавление|目\s?[录錄次])$/iu;
const INDEX =
  /\b(?:index|register|sachverzeichnis|stichwortverzeichnis|personenverzeichnis|indice analitico|índice alfabético)\b|索引|указатель/iu;

/** Dots that lead to a page, which may stand behind them without a space. Fewer than five are an ellipsis. */
const LEADER = /^[.·…]{5,}(?=\d{0,4}$)/;
/** Dots also lead to prices and measures. */
const AMOUNT = /^(?:[$£€]|\d{1,9}[.,]\d\d$)/;
const PAGES = /^\d{1,4}(?:[–-]\d{1,4})?[,;.]?$/;
const ENUMERATION =
  /^(?:chapter|part|book|section|letter|kapitel|teil|buch|chapitre|capítulo|capitolo|глава|第.{1,4}章)$/iu;

const FEW = 3;
const SEVERAL = 5;
const MANY = 8;
/** Words of one entry, at most on average. */
const WORDS_PER_ENTRY = 18;

/**
 * Whether a passage is a piece of a table of contents or of an index, by its form: entries that dots lead from to a page,
 * words in alphabetical order with pages behind them, or short lines under a heading that says so.
 */
export function listKindOf(text: string, sectionPath: readonly string[]): ListKind | undefined {
  const underIndex = INDEX.test(sectionPath.at(-1) ?? "");
  const tokens = tokensOf(text);
  const led = tokens.filter((token, i) => LEADER.test(token) && !AMOUNT.test(tokens[i + 1] ?? "")).length;
  const words = tokens.filter((token) => /\p{L}{2}/u.test(token)).length;
  const isMostlyDots = led > 0 && (text.match(/[.·…]/g)?.length ?? 0) * 3 > text.length;
  if (isMostlyDots || (led >= FEW && words <= led * WORDS_PER_ENTRY)) return underIndex ? "index" : "contents";
  if (isIndexed(tokens, underIndex)) return "index";
  return isListedUnderHeading(text) ? "contents" : undefined;
}

/** Words between white space; dots that lead to a page are one of them, spaced or not. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let dots = "";
  for (const token of text.split(/\s+/)) {
    if (/^[.·…]+$/.test(token)) {
      dots = `${dots}${token}`.slice(0, MANY);
      continue;
    }
    if (dots) tokens.push(dots);
    dots = "";
    if (token) tokens.push(token);
  }
  return dots ? [...tokens, dots] : tokens;
}

/** Heads of entries in alphabetical order, each with commas and pages behind it; fewer are enough where it is announced. */
function isIndexed(tokens: readonly string[], announced: boolean): boolean {
  const heads: string[] = [];
  let pages = 0;
  tokens.forEach((token, i) => {
    const before = tokens[i - 1] ?? "";
    if (PAGES.test(token)) {
      if (/[,;–-]$/.test(before)) pages++;
      return;
    }
    if (/^\p{L}/u.test(token) && (i === 0 || PAGES.test(before)) && !/[,;]$/.test(before))
      heads.push(token.toLowerCase());
  });
  if (pages < tokens.length * 0.18 || pages < (announced ? FEW : MANY)) return false;
  if (announced) return true;
  if (heads.length < SEVERAL) return false;
  const ascending = heads.filter((head, i) => i > 0 && heads[i - 1]! <= head).length;
  return ascending >= (heads.length - 1) * 0.65;
}

/** A heading such as "Contents", and behind it nothing but entries. */
function isListedUnderHeading(text: string): boolean {
  const lines = partsOf(text, "\n");
  const heading = lines.findIndex((line) => CONTENTS.test(line.replace(/[:.]$/, "")));
  if (heading < 0) return false;
  const entries = lines.slice(heading + 1);
  const before = lines.slice(0, heading).join(" ").length;
  const rest = entries.join(" ");
  if (before > rest.length) return false;
  const words = rest.split(/\s+/);
  const enumerated = words.filter((word) => ENUMERATION.test(word)).length;
  if (enumerated >= SEVERAL) return words.length <= enumerated * WORDS_PER_ENTRY;
  const short = entries.filter((line) => line.length < 90 && !/[.!?;,:]$/.test(line)).length;
  return entries.length >= SEVERAL && short >= entries.length * 0.8;
}
