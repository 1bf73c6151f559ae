/**
 * How long an answer may be, in characters of its JSON. Clients cut, hide or drop what is longer: Copilot at 20 kB, Gemini
 * at 40,000 characters, Claude Code at 50,000.
 *
 * A tool finds its own budget as `budget` in the context of `run`: the usual one, or the most where the caller asked for more
 * than the usual size (a parameter made by `howMany`). How to keep within it:
 * - a list: name it in the definition (`list: "results"`), and the catalog cuts it and adds `cursor` and `next_cursor`; see
 *   `paging.ts`;
 * - a text: `windowOf`, with what the rest of the answer leaves of the budget as its room;
 * - lists inside lists: `fitting`, and a cursor of the tool's own.
 */
export const USUAL_CHARS = 20_000;
export const MOST_CHARS = 40_000;

export const jsonChars = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** As many of the items as fit into `room` characters, at least one. */
export function fitting<T>(items: readonly T[], room: number): T[] {
  let used = 0;
  let count = 0;
  for (const item of items) {
    used += jsonChars(item) + 1; // and the comma
    if (used > room && count > 0) break;
    count++;
  }
  return items.slice(0, count);
}

/**
 * A window of a text: at most `maxChars` of it, and at most `room` characters as JSON. Offsets count UTF-16 units; a pair is
 * never cut in two.
 */
export function windowOf(text: string, offset: number, maxChars: number, room: number) {
  const start = Math.min(isLowSurrogate(text, offset) ? offset - 1 : offset, text.length);
  let end = Math.min(start + maxChars, text.length);
  // Escapes can make JSON several times longer than the text.
  while (end - start > 1 && jsonChars(text.slice(start, end)) > room) end = start + Math.floor((end - start) * 0.8);
  if (isLowSurrogate(text, end)) end++;
  const truncated = start > 0 || end < text.length;
  return { start, text: text.slice(start, end), length: text.length, truncated, next: end < text.length ? end : null };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 && at > 0;
}

type Data = Record<string, unknown>;
interface Spot {
  path: string;
  holder: Data;
  key: string;
  chars: number;
}

/** A text this long is cut before any list is. */
const LONG_TEXT = 2_000;
/** Shorter ones are not worth the words that would say they were cut. */
const LONG_LIST = 1_000;

/**
 * The last resort: an answer that is too long though its tool did what it could. Its longest texts lose their ends, then its
 * longest lists, and `left_out` says what and how much.
 */
export function lastCut(data: Data, budget: number): Data {
  if (jsonChars(data) <= budget) return data;
  const copy = structuredClone(data);
  const left_out: string[] = [];
  copy.left_out = left_out;
  const excess = () => jsonChars(copy) - budget;
  for (const { holder, key, path, chars } of spots(copy, isLongText).sort((a, b) => b.chars - a.chars)) {
    const over = excess() + 200; // what `left_out` will say of it
    if (over <= 200) break;
    const text = holder[key] as string;
    // JSON can be longer than its text; the share that has to go is the same.
    const keep = Math.max(LONG_TEXT / 2, Math.floor(text.length * (1 - over / chars)));
    holder[key] = text.slice(0, keep).toWellFormed();
    left_out.push(`${path}: its last ${text.length - keep} of ${text.length} characters`);
  }
  const lists = spots(copy, isList)
    .filter(({ chars }) => chars > LONG_LIST)
    .sort((a, b) => b.chars - a.chars);
  // If one item is most of a list, a list inside it is cut first.
  const heavy = lists.filter(({ holder, key }) => jsonChars((holder[key] as unknown[])[0]) > budget / 2);
  for (const { holder, key, path } of [...lists.filter((list) => !heavy.includes(list)), ...heavy]) {
    if (excess() <= 0) break;
    const list = holder[key] as unknown[];
    const whole = list.length;
    const sizes = list.map((item) => jsonChars(item) + 1);
    let over = excess() + 200;
    while (over > 0 && list.length > 0) {
      list.pop();
      over -= sizes[list.length]!;
    }
    left_out.push(`${path}: its last ${whole - list.length} of ${whole} items`);
  }
  return copy;
}

const isLongText = (value: unknown) => typeof value === "string" && value.length > LONG_TEXT;
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;

function spots(value: unknown, wanted: (value: unknown) => boolean, path = ""): Spot[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as Data).flatMap(([key, inner]) => {
    if (path === "" && key === "left_out") return [];
    const here = path ? `${path}.${key}` : key;
    const own = wanted(inner) ? [{ path: here, holder: value as Data, key, chars: jsonChars(inner) }] : [];
    return [...own, ...spots(inner, wanted, here)];
  });
}
