import { jsonChars } from "./answer-budget.js";

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
 * longest lists, and `left_out` says what and how much. This is a last resort: tools have windows and pages.
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
