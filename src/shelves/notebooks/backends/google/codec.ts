/**
 * The wire form of the notebook service: requests as form fields, replies as frames of a length line and one line of
 * JSON. Lengths count UTF-16 units and are not needed to read: every frame is one line.
 */

export function callBody(rpc: string, params: unknown, csrf: string): string {
  return form([[[rpc, JSON.stringify(params), null, "generic"]]], csrf);
}

export function streamBody(params: unknown, csrf: string): string {
  return form([null, JSON.stringify(params)], csrf);
}

function form(request: unknown, csrf: string): string {
  return `f.req=${encodeURIComponent(JSON.stringify(request))}&at=${encodeURIComponent(csrf)}&`;
}

/** A google.rpc status: its code, and whether it carries a message meant for the user, which is how limits are reported. */
export interface Status {
  code: number;
  displayable: boolean;
}

/** It was given up before its end. */
export interface TooLarge {
  kind: "too large";
  /** How much is read at most. */
  mib: number;
}

export type Reply =
  | { kind: "result"; value: unknown }
  | { kind: "status"; status: Status }
  /** The call was answered without a result and without a reason. */
  | { kind: "empty" }
  /** Other calls were answered, ours was not: its id has changed. */
  | { kind: "drift"; answered: string[] }
  | TooLarge
  /** No frames at all: a page of HTML, or nothing. */
  | { kind: "unreadable" };

export type StreamReply =
  | { kind: "answer"; value: unknown[] }
  | { kind: "status"; status: Status }
  /** The final frame came with no text. */
  | { kind: "blank" }
  /** Part of an answer came, and the stream ended before the final frame. */
  | { kind: "cut" }
  /** The model thought and never answered. */
  | { kind: "thinking" }
  /** Only bookkeeping frames: the sign that the quota is used up. */
  | { kind: "silent" }
  | TooLarge
  | { kind: "unreadable" };

export type Codec = ReturnType<typeof frameCodec>;

/**
 * Reading replies. Replies are read inside the page that fetched them, so that what is not needed never crosses over;
 * the page gets this function's text, and nothing in it may refer to anything outside of it.
 */
export function frameCodec() {
  const ANSWER = 1;
  const UNKNOWN = 2;

  function readReply(text: string, rpc: string): Reply {
    const items = readItems(text);
    if (items.length === 0) return { kind: "unreadable" };
    const results = items.filter((item) => item[0] === "wrb.fr");
    const ours = results.filter((item) => item[1] === rpc);
    const result = ours.findLast((item) => typeof item[2] === "string");
    if (result) {
      const value = parse(String(result[2]));
      return value === undefined ? { kind: "unreadable" } : { kind: "result", value };
    }
    const status = statusOf(ours) ?? errorOf(items);
    if (status) return { kind: "status", status };
    if (ours.length > 0) return { kind: "empty" };
    return results.length > 0 ? { kind: "drift", answered: results.map((item) => String(item[1])) } : { kind: "empty" };
  }

  /**
   * Frames of a stream are snapshots of five to eight slots, each replacing the one before; only a final one of kind
   * "answer" counts. Thoughts are frames of another kind (until July 2026) or answers without text (since August).
   */
  function readStream(text: string): StreamReply {
    const items = readItems(text);
    if (items.length === 0) return { kind: "unreadable" };
    const results = items.filter((item) => item[0] === "wrb.fr");
    const snapshots = results
      .filter((item) => typeof item[2] === "string")
      .map((item) => parse(String(item[2])))
      .filter((value): value is unknown[] => Array.isArray(value) && value.length > 0);
    const answers = snapshots.filter((value) => at(value, 0, 4, 4) === ANSWER);
    const final = answers.findLast((value) => value[4] === true);
    if (final) return hasText(final) ? { kind: "answer", value: final } : { kind: "blank" };
    const status = statusOf(results) ?? errorOf(items);
    if (status) return { kind: "status", status };
    if (answers.some(hasText)) return { kind: "cut" };
    if (snapshots.length > 0) return { kind: "thinking" };
    // Bookkeeping ends with an "e" item; without it the stream broke off before anything was said.
    return { kind: items.some((item) => item[0] === "e") ? "silent" : "cut" };
  }

  function hasText(snapshot: unknown[]): boolean {
    return (string(at(snapshot, 0, 0)) ?? "").trim() !== "";
  }

  /** The items of all frames. A line that breaks off is left out: what it held did not arrive. */
  function readItems(text: string): unknown[][] {
    return text
      .split("\n")
      .filter((line) => line.startsWith("["))
      .flatMap((line) => array(parse(line)))
      .filter((item): item is unknown[] => Array.isArray(item));
  }

  function statusOf(results: unknown[][]): Status | undefined {
    for (const item of results) {
      const code = at(item, 5, 0);
      if (typeof code !== "number") continue;
      const details = array(at(item, 5, 2));
      return { code, displayable: details.some((detail) => String(at(detail, 0)).endsWith("UserDisplayableError")) };
    }
    return undefined;
  }

  function errorOf(items: unknown[][]): Status | undefined {
    const error = items.find((item) => item[0] === "er");
    if (!error) return undefined;
    return { code: typeof error[2] === "number" ? error[2] : UNKNOWN, displayable: false };
  }

  /** The value at a path of positions, or undefined: upstream rows grow and shrink. */
  function at(value: unknown, ...path: number[]): unknown {
    return path.reduce<unknown>((inner, i) => (Array.isArray(inner) ? inner[i] : undefined), value);
  }

  function array(value: unknown): unknown[] {
    return Array.isArray(value) ? value : [];
  }

  function string(value: unknown): string | null {
    return typeof value === "string" ? value : null;
  }

  function parse(json: string): unknown {
    try {
      return JSON.parse(json);
    } catch {
      return undefined; // a frame that broke off
    }
  }

  return { readReply, readStream, readItems, at, array, string };
}

export const codec = frameCodec();
export const { readReply, readStream, readItems, at, array, string } = codec;
