import type { Progress } from "../catalog/context.js";

/** What a command writes to, who may be asked, and what stops it. */
export interface Console {
  print(line: string): void;
  complain(line: string): void;
  /** For a line that is redrawn in place; undefined without a terminal. */
  terminal?: Terminal | undefined;
  /** Undefined where nobody can be asked. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Aborted by SIGTERM or SIGINT. */
  signal?: AbortSignal | undefined;
}

interface Terminal {
  write(text: string): void;
  columns?: number | undefined;
}

/** Exit code of work that Ctrl+C cut short, as shells have it. */
export const INTERRUPTED = 130;

/** Says what is wrong with the usage; returns the exit code for it. */
export function misused({ complain }: Pick<Console, "complain">, message: string): number {
  complain(message);
  return 2;
}

export async function askOnTerminal(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** As it can be pasted into a shell. */
export function shellWord(word: string): string {
  const plain = process.platform === "win32" ? /^[\w@%+=:,./~\\-]+$/ : /^[\w@%+=:,./~-]+$/;
  return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Progress as one line per report, for commands that draw no bar. */
export const progressLines =
  ({ complain }: Pick<Console, "complain">): Progress =>
  (done, total, message = "") =>
    complain(`${done}${total ? `/${total}` : ""} ${message}`);

const BAR = 24;

/** A line that is redrawn in place: a bar if the total is known, otherwise a count. Without a terminal nothing is drawn. */
export function progressBar(terminal: Terminal | undefined, now: () => number = Date.now) {
  let first: { at: number; done: number } | undefined;
  return {
    show(done: number, total?: number, message = "") {
      first ??= { at: now(), done };
      const left = total === undefined ? "" : timeLeft(now() - first.at, done - first.done, total - done);
      const line = [
        ...(total === undefined ? [String(Math.floor(done))] : bar(done, total)),
        ...(left ? [left] : []),
        printable(message),
      ];
      terminal?.write(`\r\x1b[2K${line.join(" ").slice(0, Math.max(20, (terminal.columns ?? 80) - 1))}`);
    },
    clear: () => terminal?.write("\r\x1b[2K"),
  };
}
function bar(done: number, total: number): string[] {
  const filled = Math.round((total > 0 ? Math.min(1, done / total) : 1) * BAR);
  return ["█".repeat(filled) + "░".repeat(BAR - filled), `${Math.floor(done)}/${total}`];
}

const WAIT_MS = 3000;

/** "4 min left", once enough is done to say so. */
function timeLeft(ms: number, done: number, left: number): string {
  if (ms < WAIT_MS || done <= 0 || left <= 0) return "";
  const seconds = Math.ceil((ms / done) * left) / 1000;
  if (seconds < 90) return `${Math.ceil(seconds)} s left,`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min left,` : `${Math.ceil(seconds / 3600)} h left,`;
}

/** A text may hold control characters; a terminal must not act on them. */
const printable = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
