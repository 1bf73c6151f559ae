import { clockTime } from "../../../text/html-text.js";

export interface Line {
  /** In seconds; undefined if the transcript has no times. */
  start: number | undefined;
  text: string;
}

/** The lines of a transcript with times in any caption format: `[1:05]`, `(1:05)`, `1:05`, `00:01:05.000 --> …`. */
export function linesOf(transcript: string): Line[] {
  const lines: Line[] = [];
  let pending: number | undefined;
  for (const line of transcript.split("\n")) {
    const [head = "", clock] = LEADING_TIME.exec(line) ?? [];
    const start = clock === undefined ? undefined : secondsOf(clock);
    const rest = line.slice(head.length).trimStart();
    const text = start !== undefined && rest.startsWith("-->") ? withoutEnd(rest) : rest.trim();
    // A time alone on a line belongs to the next line.
    if (text === "") pending = start ?? pending;
    else {
      lines.push({ start: start ?? pending, text });
      pending = undefined;
    }
  }
  return lines;
}

const LEADING_TIME = /^[[(]?((?:\d{1,2}:)?\d{1,2}:\d{2})(?:\.\d{1,3})?[\])]?(?=\s|$)/;

const secondsOf = (clock: string) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

function withoutEnd(rest: string): string {
  const after = rest.slice("-->".length).trimStart();
  const end = LEADING_TIME.exec(after)?.[0] ?? "";
  return after.slice(end.length).trim();
}

export const hasTimes = (lines: readonly Line[]) => lines.some(({ start }) => start !== undefined);

export const written = (lines: readonly Line[]) =>
  lines.map(({ start, text }) => (start === undefined ? text : `[${clockTime(start)}] ${text}`)).join("\n");

type TimedLine = Line & { start: number };
const isTimed = (line: Line): line is TimedLine => line.start !== undefined;

/** A line ends where the next one begins; the last one is assumed to take a few seconds. */
const LAST_LINE_SECONDS = 10;

/** The lines that begin between two times, and the one being spoken at `from`. */
export function linesBetween(lines: readonly Line[], from: number, to: number): Line[] {
  const timed = lines.filter(isTimed);
  const endOf = (i: number) => timed[i + 1]?.start ?? timed[i]!.start + LAST_LINE_SECONDS;
  return timed.filter(({ start }, i) => start < to && (start >= from || endOf(i) > from));
}

export const lastTime = (lines: readonly Line[]) => Math.max(...lines.filter(isTimed).map(({ start }) => start));

/** When a character of the plain text is spoken. */
export function timeAt(lines: readonly Line[], offset: number): number | undefined {
  let at = 0;
  let time: number | undefined;
  for (const { start, text } of lines) {
    time = start ?? time;
    at += text.length + 1;
    if (at > offset) return time;
  }
  return time;
}

export const plainText = (lines: readonly Line[]) => lines.map(({ text }) => text).join(" ");
