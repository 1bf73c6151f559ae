/** The reply framing of batchexecute: a guard prefix, then frames of a length line and one line of JSON. */
export const PREFIX = ")]}'\n\n";

export type Item = readonly unknown[];

/** The length line counts UTF-16 code units of the JSON line, plus the newline on either side of it. */
export function frame(items: readonly Item[]): string {
  const line = JSON.stringify(items);
  return `${line.length + 2}\n${line}\n`;
}

/** A result travels as a string of JSON inside JSON, with the characters HTML minds escaped once more. */
export function innerJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>=&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

/** The closing frame states the number of all items and the UTF-8 size of the whole body, itself included. */
export function closing(before: string, itemsBefore: number): string {
  const size = Buffer.byteLength(before);
  for (let bytes = size; ; bytes++) {
    const last = frame([["e", itemsBefore + 1, null, null, bytes]]);
    if (size + Buffer.byteLength(last) === bytes) return last;
  }
}

export interface Bookkeeping {
  ms: number;
  token: string;
}

/** A whole unary reply, as the service sends it for one call. */
export function unary(items: readonly Item[], { ms, token }: Bookkeeping): string {
  const all: Item[] = [...items, ["di", ms], ["af.httprm", ms, token, 10]];
  const body = PREFIX + frame(all);
  return body + closing(body, all.length);
}

export function resultItem(rpc: string, result: unknown): Item {
  return ["wrb.fr", rpc, innerJson(result), null, null, null, "generic"];
}

export function statusItem(rpc: string, status: readonly unknown[]): Item {
  return ["wrb.fr", rpc, null, null, null, status, "generic"];
}
