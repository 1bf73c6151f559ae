import { clockTime } from "../../../text/html-text.js";

export interface Line {
  /** In seconds; undefined where the transcript has no times. */
  start: number | undefined;
  text: string;
}

/** The lines of a transcript, with their times however captions write them: `[1:05]`, `(1:05)`, `1:05`, `00:01:05.000 --> …`. */
export function linesOf(transcript: string): Line[] {
  const lines: Line[] = [];
  let pending: number | undefined;
  for (const line of transcript.split("\n")) {
    const [head = "", clock] = LEADING_TIME.exec(line) ?? [];
    const start = clock === undefined ? undefined : secondsOf(clock);
    const rest = line.slice(head.length).trimStart();
    const text = start !== undefined && rest.startsWith("-->") ? withoutEnd(rest) : rest.trim();
    // A time on a line of its own is that of the next line.
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

/** The lines that are spoken between two times, the one being spoken at `from` included. */
export function linesBetween(lines: readonly Line[], from: number, to: number): Line[] {
  const timed = lines.filter((line): line is Line & { start: number } => line.start !== undefined);
  return timed.filter(({ start }, i) => start < to && (timed[i + 1]?.start ?? Number.POSITIVE_INFINITY) > from);
}

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
