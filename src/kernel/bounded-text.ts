import { getHeapStatistics } from "node:v8";

/** An upstream's answer is larger than anything it has reason to send. */
export class AnswerTooLarge extends Error {
  constructor(readonly maxBytes: number) {
    super(`the answer is larger than ${Math.floor(maxBytes / 1024 ** 2)} MiB`);
  }
}

/**
 * The largest answer of an upstream service that is read into memory. JSON of small parts becomes some ten times its size
 * when it is parsed, so a small heap takes less.
 */
export const MAX_ANSWER_BYTES = Math.min(48 * 1024 * 1024, getHeapStatistics().heap_size_limit / 12);

/** The whole body as text, given up where it grows too large: an upstream that never stops must not fill the memory. */
export async function boundedText(response: Response, maxBytes = MAX_ANSWER_BYTES): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes); // leaving the loop cancels the body
    parts.push(part);
  }
  return new TextDecoder().decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
}
