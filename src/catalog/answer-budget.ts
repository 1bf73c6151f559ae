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
export function fitting<T>(items: readonly T[], room: number, sizeOf: (item: T) => number = jsonChars): T[] {
  let used = 0;
  let count = 0;
  for (const item of items) {
    used += sizeOf(item) + 1; // and the comma
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
  const start = Math.min(isLowSurrogate(text, offset) ? offset + 1 : offset, text.length);
  let end = Math.min(start + maxChars, text.length);
  // Escapes can make JSON several times longer than the text.
  while (end - start > 1 && jsonChars(text.slice(start, end)) > room) end = start + Math.floor((end - start) * 0.8);
  if (isLowSurrogate(text, end)) end++;
  const truncated = start > 0 || end < text.length;
  return { text: text.slice(start, end), length: text.length, truncated, next: end < text.length ? end : null };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 && at > 0;
}
