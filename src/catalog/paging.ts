import { z } from "zod";
import { isObject, jsonOrUndefined } from "../kernel/json.js";
import { fitting, jsonChars } from "./answer-budget.js";

/**
 * A list that can be longer than one answer.
 *
 * A tool names it (`list: "results"`) and returns what it has, as long as it likes; the catalog adds the parameter `cursor`
 * and the field `next_cursor`, cuts the list to the budget, and goes on behind the cut when the cursor comes back. So
 * following `next_cursor` to the end gives every item exactly once.
 *
 * A tool that itself reads a page at a time returns the mark of its next page as `next_cursor` (null or absent at the end)
 * and finds it as `cursor` in the context of its next `run`; what it was given is repeated there, also the size of its pages.
 * The caller never sees the tool's own mark, so it may be a page number or an upstream cursor.
 *
 * Filled in where the answer has such fields: `truncated` (the list was cut for its length), `has_more` (there is a
 * `next_cursor`), `next` (the same as `next_cursor`, where a contract has that name), and the field named by `shown` (how
 * many items this answer holds).
 */
export interface List {
  items: string;
  /** The field with the number of items in this answer. */
  shown?: string;
}

export const Cursor = z.string().max(8_000).optional().describe("From next_cursor");
export const NextCursor = z.string().nullish();

export interface Place {
  /** The arguments of the first call of the list, without the cursor. */
  given: Record<string, unknown>;
  /** The tool's own mark of the page it read. */
  mark: string | undefined;
  /** How many items of that page earlier answers held. */
  skip: number;
}

function writeCursor({ given, mark, skip }: Place): string {
  return Buffer.from(JSON.stringify([given, mark ?? null, skip])).toString("base64url");
}

export function readCursor(cursor: string): Place | undefined {
  const parts = jsonOrUndefined(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(parts)) return undefined;
  const [given, mark, skip] = parts as unknown[];
  if (!isObject(given) || (mark !== null && typeof mark !== "string")) return undefined;
  if (!Number.isSafeInteger(skip) || (skip as number) < 0) return undefined;
  return { given, mark: mark ?? undefined, skip: skip as number };
}

/** The answer from `place` on, as much of it as fits into `budget`. */
export function cutToBudget(
  data: Record<string, unknown>,
  { items, shown }: List,
  place: Place,
  budget: number,
): Record<string, unknown> {
  if (!Array.isArray(data[items])) return data;
  const all = data[items].slice(place.skip);
  const next = typeof data.next_cursor === "string" ? writeCursor({ ...place, mark: data.next_cursor, skip: 0 }) : null;
  const cutAt = (count: number) => writeCursor({ ...place, skip: place.skip + count });
  const around = jsonChars({
    ...data,
    [items]: [],
    next_cursor: next ?? cutAt(all.length),
    next: next ?? cutAt(all.length),
  });
  const page = fitting(all, budget - around);
  const cut = page.length < all.length;
  const next_cursor = cut ? cutAt(page.length) : next;
  const { next_cursor: _own, ...rest } = data;
  return {
    ...rest,
    [items]: page,
    ...(shown ? { [shown]: page.length } : {}),
    ...("truncated" in data ? { truncated: data.truncated === true || cut } : {}),
    ...("next" in data ? { next: next_cursor } : {}),
    ...("has_more" in data ? { has_more: next_cursor !== null } : {}),
    ...(next_cursor === null ? {} : { next_cursor }),
  };
}
