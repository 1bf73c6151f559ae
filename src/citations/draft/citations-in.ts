import { trimEndOf } from "../../kernel/trim-end.js";
import {
  type DraftCitation,
  locatorField,
  MAX_GROUP_CHARS,
  NAME,
  namesOf,
  PAGE_AFTER,
  PARTICLES,
  WORD_AND,
} from "./citation-parts.js";
import { isImprint, notedIn } from "./note-citations.js";
import { numbersIn } from "./numeric-citations.js";
import type { ListedWork } from "./references.js";
import type { DraftView } from "./view.js";

const KEY = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_:.#$%&\-+?<>~/]{0,200}[\p{L}\p{N}_])?/u;

/** All citations of a draft, in order: pandoc's, LaTeX's, numbers of its list, and author and year in running text. */
export function citationsIn(
  view: DraftView,
  families: ReadonlySet<string>,
  listed: readonly ListedWork[] = [],
): DraftCitation[] {
  const found: DraftCitation[] = [];
  for (const { start, end, keys, locator } of view.cited)
    for (const key of keys) found.push({ start, end, written: `\\cite{${key}}`, key, ...locatorField(locator, true) });
  const numbered = new Map(listed.flatMap((work) => (work.number === undefined ? [] : [[work.number, work] as const])));
  for (const block of view.blocks) {
    if (block.kind === "heading") continue;
    const noted = block.kind === "note" ? notedIn(view.text, block.start, block.end, families) : [];
    const inBlock = [
      ...(view.format === "latex" ? [] : pandocIn(view.text, block.start, block.end)),
      ...(numbered.size > 0 ? numbersIn(view.text, block.start, block.end, numbered) : []),
      ...authorYearIn(view.text, block.start, block.end, families).filter(
        (citation) => !isImprint(view.text, citation, noted, families),
      ),
      ...noted,
    ];
    const taken = new Map<number, number>();
    for (const citation of inBlock) {
      if (isTaken(taken, citation)) continue;
      for (let at = citation.start; at < citation.end; at++) taken.set(at, citation.start);
      found.push(block.note === undefined ? citation : { ...citation, note: block.note });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether another citation was read from the same characters; works cited together begin at the same one. */
function isTaken(taken: ReadonlyMap<number, number>, { start, end }: DraftCitation): boolean {
  for (let at = start; at < end; at++) if ((taken.get(at) ?? start) !== start) return true;
  return false;
}

/** `[see @key, p. 3; @other]`, `@key [p. 3]` and `@key`. */
function pandocIn(text: string, from: number, to: number): DraftCitation[] {
  const found: DraftCitation[] = [];
  for (let at = text.indexOf("@", from); at >= 0 && at < to; at = text.indexOf("@", at + 1)) {
    const before = text[at - 1];
    if (before !== undefined && at > from && /[\p{L}\p{N}.]/u.test(before)) continue;
    const group = groupAround(text, at, from, to);
    if (group) {
      for (const part of text.slice(group[0] + 1, group[1] - 1).split(";")) {
        const sign = part.indexOf("@");
        const key = sign < 0 ? undefined : keyAt(part, sign + 1);
        if (key)
          found.push({
            start: group[0],
            end: group[1],
            written: text.slice(group[0], group[1]),
            key: key.key,
            ...locatorField(part.slice(key.end)),
          });
      }
      at = group[1] - 1;
      continue;
    }
    const key = keyAt(text, at + 1);
    if (!key) continue;
    const locator = /^\s?\[([^[\]@]{1,200})\]/.exec(text.slice(key.end, key.end + 210));
    const end = key.end + (locator?.[0].length ?? 0);
    found.push({
      start: before === "-" ? at - 1 : at,
      end,
      written: text.slice(at, end),
      key: key.key,
      ...(locator ? locatorField(locator[1]!, true) : {}),
    });
    at = end - 1;
  }
  return found;
}

function groupAround(text: string, at: number, from: number, to: number): [number, number] | undefined {
  for (let open = at - 1; open >= from && at - open < MAX_GROUP_CHARS; open--) {
    if (text[open] === "]") return undefined;
    if (text[open] !== "[") continue;
    const close = text.indexOf("]", at);
    return close > 0 && close < to && close - at < MAX_GROUP_CHARS ? [open, close + 1] : undefined;
  }
  return undefined;
}

function keyAt(text: string, at: number): { key: string; end: number } | undefined {
  if (text[at] === "{") {
    const close = text.indexOf("}", at);
    return close > at && close - at < 300 ? { key: text.slice(at + 1, close), end: close + 1 } : undefined;
  }
  const key = KEY.exec(text.slice(at, at + 210))?.[0];
  return key ? { key, end: at + key.length } : undefined;
}

const YEAR = /(?<![\p{L}\p{N}.,–-])(?:1\d{3}|20\d{2})[a-z]?(?![\p{L}\p{N}])/gu;
/** At the end of a text: "Lakoff & Johnson", "van den Berg et al.". */
const NAMES_BEFORE = new RegExp(
  `(?:${PARTICLES}${NAME}(?:\\s${NAME}){0,3}(?:,?${WORD_AND}${PARTICLES}${NAME}(?:\\s${NAME}){0,2}){0,4})(?:,?\\s(?:et\\sal\\.?|u\\.\\sa\\.|and\\sothers))?(?:[’']s)?,?\\s?$`,
  "u",
);
const MAX_PARENTHESIS = 400;

/** "(Thoreau, 1854, p. 3)", "Thoreau (1854: 3)", "(ibid., p. 4)", and "(Thoreau 45)" where the name is a known author's. */
function authorYearIn(text: string, from: number, to: number, families: ReadonlySet<string>): DraftCitation[] {
  const found: DraftCitation[] = [];
  for (let open = text.indexOf("(", from); open >= 0 && open < to; open = text.indexOf("(", open + 1)) {
    const close = text.indexOf(")", open);
    if (close < 0 || close >= to) break;
    if (close - open > MAX_PARENTHESIS) continue;
    const inner = text.slice(open + 1, close);
    const place = { start: open, end: close + 1, written: text.slice(open, close + 1) };
    const again = /^\s?(?:ibid|ebd|ibidem|op\. cit|loc\. cit)\b\.?/i.exec(inner);
    if (again) {
      found.push({ ...place, again: true, ...locatorField(inner.slice(again[0].length)) });
      continue;
    }
    let previous: string[] | undefined;
    let offset = 0;
    for (const part of inner.split(";")) {
      const citation = partCitation(part, offset === 0 ? text.slice(Math.max(from, open - 160), open) : "", previous);
      offset += part.length + 1;
      if (citation) {
        previous = citation.names;
        // A narrative citation begins with the name before the parenthesis.
        found.push({
          ...place,
          start: place.start - citation.before,
          written: text.slice(place.start - citation.before, place.end),
          ...citation.fields,
        });
        continue;
      }
      const short = /^\s?(.{1,80}?),?\s(?:pp?\.\s?)?(\d{1,4}(?:\s?[-–]\s?\d{1,4})?)\s?$/u.exec(part);
      const names = short && namesOf(short[1]!);
      if (names?.[0] && families.has(names[0])) found.push({ ...place, names, ...locatorField(short![2]!, true) });
    }
  }
  return found;
}

function partCitation(part: string, before: string, previous: string[] | undefined) {
  YEAR.lastIndex = 0;
  const year = YEAR.exec(part);
  if (!year) return undefined;
  const head = part
    .slice(0, year.index)
    .replace(/^\s?(?:see|cf\.|vgl\.|voir|e\.g\.,?|see also|quoted in|qtd\. in|zit\. n\.)\s/i, "")
    .trim();
  const bare = trimEndOf(head, /[,\s(]/);
  const page = PAGE_AFTER.exec(part.slice(year.index + year[0].length));
  const fields = { year: Number.parseInt(year[0], 10), ...(page ? locatorField(page[1]!, true) : {}) };
  if (bare) {
    const names = namesOf(bare);
    return names.length > 0 ? { before: 0, names, fields: { ...fields, names } } : undefined;
  }
  const narrative = NAMES_BEFORE.exec(before);
  const names = narrative ? namesOf(narrative[0]) : (previous ?? []);
  return names.length > 0
    ? { before: narrative ? narrative[0].length : 0, names, fields: { ...fields, names } }
    : undefined;
}
