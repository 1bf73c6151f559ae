/** About what an answer may weigh, in bytes of JSON. */
export const ANSWER_BYTES = 100_000;

/** As many of the items as fit, at least one. */
export function fitting<T>(items: readonly T[], bytes = ANSWER_BYTES, sizeOf: (item: T) => number = jsonSize): T[] {
  let used = 0;
  let count = 0;
  for (const item of items) {
    used += sizeOf(item);
    if (used > bytes && count > 0) break;
    count++;
  }
  return items.slice(0, count);
}

export const jsonSize = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A window of a text. Offsets count UTF-16 units; a pair is never cut in two. */
export function windowOf(text: string, offset: number, maxChars: number) {
  const start = Math.min(isLowSurrogate(text, offset) ? offset + 1 : offset, text.length);
  let end = Math.min(start + maxChars, text.length);
  // Escapes can make JSON several times longer than the text.
  while (end - start > 1 && jsonSize(text.slice(start, end)) > ANSWER_BYTES)
    end = start + Math.floor((end - start) * 0.8);
  if (isLowSurrogate(text, end)) end++;
  const truncated = start > 0 || end < text.length;
  return { text: text.slice(start, end), length: text.length, truncated, next: end < text.length ? end : null };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 && at > 0;
}
