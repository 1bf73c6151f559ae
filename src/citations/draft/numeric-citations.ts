import { plainName } from "../works.js";
import { type DraftCitation, locatorField } from "./citation-parts.js";
import type { ListedWork } from "./references.js";

/** Numbers and ranges, then perhaps a locator. */
const GROUP =
  /[[(](\d{1,3}(?:\s?[-–,;]\s?\d{1,3}){0,30})(?:,\s((?:pp?\.|S\.|ch\.|sec\.|§)[^[\]()]{1,80}))?([\])])(?=([.,;:]|\s?$)?)/g;

/** "[1]", "[1, 3]", "[2–4]", "[1, p. 4]" and "(1)", for a draft whose list is numbered. */
export function numbersIn(
  text: string,
  from: number,
  to: number,
  numbered: ReadonlyMap<number, ListedWork>,
): DraftCitation[] {
  const block = text.slice(from, to);
  const isListed = (group: string) => numbersOf(group).every((number) => numbered.has(number));
  // In parentheses only at the end of a clause: "(1) first, (2) second" counts the writer's own points.
  const groups = [...block.matchAll(GROUP)].filter(
    ([, group, , bracket, end]) => bracket === "]" || (end !== undefined && isListed(group!)),
  );
  return groups.flatMap((match) => {
    const start = from + match.index;
    return numbersOf(match[1]!).map((number): DraftCitation => {
      const entry = numbered.get(number);
      return {
        start,
        end: start + match[0].length,
        written: match[0],
        number,
        ...(entry ? { title: plainName(entry.written), names: entry.name ? [entry.name] : [] } : {}),
        ...(entry?.year === undefined ? {} : { year: entry.year }),
        ...(match[2] ? locatorField(match[2], true) : {}),
      };
    });
  });
}

function numbersOf(group: string): number[] {
  return group.split(/\s?[,;]\s?/).flatMap((part) => {
    const [first, last = first] = part.split(/\s?[-–]\s?/).map(Number);
    return Array.from({ length: Math.max(1, Math.min(last! - first! + 1, 100)) }, (_, i) => first! + i);
  });
}
