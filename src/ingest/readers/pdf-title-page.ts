import { trimEndOf } from "../../kernel/trim-end.js";
import { cleanName, isCorporate, isPersonName, splitAuthors } from "../names.js";
import { composeAccents } from "./accents.js";
import { letters } from "./pdf-headings.js";
import type { Line } from "./pdf-layout.js";
import type { Cell } from "./pdf-segments.js";

export interface TitlePage {
  title?: string;
  /** Whether there is further evidence for the names: "by", an address below, note marks, a list of several. */
  authors: string[];
}

// Large words on a first page that are not the title.
const LABEL =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|abstract|introduction|preface|summary|(?:technical|research|annual) report|draft|preprint|article|review|letter|working paper|white paper|copyright(?: notice)?|chapter \S+|tugboat\b.*)\.?$/iu;
const OPENING = /^(?:\d{1,2}\.?\s|(?:background|overview|foreword|acknowledge?ments|einleitung|vorwort|résumé)\b)/iu;
const ADDRESS =
  /@|\bat\) |\b(?:university|universität|université|università|universidad|institut[eo]?|department|dept|faculty|school|college|laborator(?:y|ies)|labs?|research|inc|corp|corporation|ltd|gmbh|foundation|centre|center|hospital|academy)\b/iu;
const BY = /^(?:by|von|par|por|di|written by|authors?:)\s+(?=\p{Lu})/iu;
const NOTE_MARK = /[∗†‡§¶*\u00b9\u00b2\u00b3]|\p{L}\d(?:,\d)*(?:\s|,|$)/u;

/** Whether a title is only what every document has: "Contents", "Draft". */
export const isLabel = (title: string) => LABEL.test(title.trim());

// What stands below the author of a manual: a date, a version, the beginning of the text.
const BELOW_AUTHOR =
  /^(?:abstract|summary|(?:table of )?contents|version|release|revision)\b|^v\d|^(?:[\p{L}\d.,/-]+ ){0,4}(?:19|20)\d{2}[.,]?$|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{4}-\d{2}-\d{2}$/iu;

/**
 * Title and authors on the first page: the largest lines of its upper part, and the names after them. `isWord` says
 * whether the text has a word in lower case too: "User Guide" looks like a name.
 */
export function readTitlePage(
  lines: readonly Line[],
  { height, bodySize, isWord }: { height: number; bodySize: number; isWord(word: string): boolean },
): TitlePage {
  const shown = lines.filter(({ turned, lineNumber, text }) => !turned && !lineNumber && text.trim());
  const title = titleLines(shown, height, bodySize);
  const from = title.length > 0 ? shown.indexOf(title.at(-1)!) + 1 : 0;
  const name = tidy(title.map(({ text }) => text).join(" "));
  return {
    ...(name ? { title: name } : {}),
    authors: familyNamesLast(authorsAfter(shown.slice(from, from + 16).map(withGaps), isWord), shown),
  };
}

function titleLines(lines: readonly Line[], height: number, bodySize: number): Line[] {
  const upper = lines.filter(({ y }) => y < height * 0.62);
  const sizes = [...new Set(upper.map(({ size }) => size))]
    .filter((size) => size >= bodySize * 1.15)
    .sort((a, b) => b - a);
  for (const size of sizes.slice(0, 4)) {
    const first = upper.findIndex((line) => line.size > size * 0.97 && line.size <= size * 1.01);
    // After a paragraph of text no line is the title, however large.
    if (first > 10) continue;
    const block: Line[] = [];
    for (const line of upper.slice(first)) {
      if (line.size <= size * 0.97 || line.size > size * 1.03 || block.length === 4) break;
      if ((BY.test(line.text) || isFirstHeading(line, block.at(-1))) && block.length > 0) break;
      block.push(line);
    }
    const text = block.map((line) => line.text.trim()).join(" ");
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    if (
      letters >= 3 &&
      letters > text.replace(/\s/g, "").length * 0.6 &&
      text.length <= 300 &&
      !LABEL.test(text.trim())
    )
      return block;
  }
  return [];
}

/** In some documents the first heading is as large as the title above it. */
function isFirstHeading({ text, y, size }: Line, above: Line | undefined): boolean {
  return LABEL.test(text.trim()) || (above !== undefined && y - above.y > size * 1.6 && OPENING.test(text));
}

/** "P h y M L" is letter-spaced; a note mark is not part of a title. */
function tidy(title: string): string {
  const words = title.trim().split(/\s+/);
  const wide = words.length > 5 && words.filter((word) => word.length === 1).length > words.length * 0.6;
  return trimEndOf(wide ? title.replace(/(\S) (?=\S(?: |$))/g, "$1") : title, /[∗†‡§¶*?]/u)
    .replace(/\s+/g, " ")
    .trim();
}

/** Names beside each other have a gap between them that is wider than a word space. */
function withGaps({ text, cells }: Line): string {
  if (!cells || text.includes("\t")) return text;
  return cells
    .map((cell, i) => `${i > 0 ? between(cells[i - 1]!, cell) : ""}${composeAccents(cell.text.trim())}`)
    .join("");
}

const between = (left: Cell, right: Cell) => (right.x0 - left.x1 > right.size ? "\t" : " ");

function authorsAfter(lines: readonly string[], isWord: (word: string) => boolean): string[] {
  const found: string[] = [];
  for (const [i, raw] of lines.entries()) {
    const text = raw.replace(/\t/g, "; ").trim();
    if (/^abstract\b|^summary\b|^contents\b|^1\.?\s+\p{Lu}/iu.test(text)) break;
    const by = BY.test(text);
    const bare = text.replace(BY, "").replace(/(?<=\p{Ll})\d(?:[,\s]\d)*(?=[\s,;]|$)/gu, "");
    const names = splitAuthors(bare.replace(/\[editor\]/i, ""))
      .map(cleanName)
      .map(capitalised);
    const isNames = names.length > 0 && names.every(isPersonName) && !isCorporate(bare) && !/\d{3}|:$/.test(bare);
    if (!isNames) {
      if (found.length > 0 && !ADDRESS.test(text) && !/^[\d\s)∗†‡,.]+$/.test(text)) break;
      continue;
    }
    const next = lines.slice(i + 1, i + 4).find((line) => /\p{L}{2}/u.test(line)) ?? "";
    // The second of two such lines is where the first one works.
    const isSecond = isPersonName(cleanName(lines[i - 1] ?? ""));
    const isAlone =
      names.length === 1 &&
      !isSecond &&
      BELOW_AUTHOR.test(next.trim()) &&
      !names[0]!.split(/[\s-]+/).some((word) => isWord(word) || /^\p{Lu}{3}/u.test(word));
    if (by || names.length > 1 || ADDRESS.test(next) || ADDRESS.test(raw) || NOTE_MARK.test(raw) || isAlone)
      found.push(...names);
    else if (found.length > 0) break;
  }
  return [...new Set(found)];
}

/** "Oswald Xavier" beside x.oswald@… has its family name first, as names are often written in France and Hungary. */
function familyNamesLast(names: readonly string[], lines: readonly Line[]): string[] {
  const logins = new Set(
    lines
      .flatMap(({ text }) => (text.includes("@") ? text.split(/[\s,;<>{}()]+/) : []))
      .flatMap((word) => {
        const at = word.indexOf("@");
        return at > 0 ? [letters(word.slice(0, at))] : [];
      }),
  );
  return names.map((name) => {
    const [first = "", last = "", ...more] = name.split(" ");
    const isLogin = (given: string, family: string) =>
      [`${letters(given).slice(0, 1)}${letters(family)}`, `${letters(given)}${letters(family)}`].some((login) =>
        logins.has(login),
      );
    return last && more.length === 0 && isLogin(last, first) && !isLogin(first, last) ? `${last} ${first}` : name;
  });
}

/** Names in capitals are a matter of typesetting: they are converted. */
function capitalised(name: string): string {
  if (name !== name.toUpperCase() || !/\p{L}{3}/u.test(name) || /\p{Script=Han}/u.test(name)) return name;
  return name.replace(/(\p{L})(\p{L}+)/gu, (_, first: string, rest: string) => first + rest.toLowerCase());
}
