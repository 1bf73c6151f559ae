import { spawnSync } from "node:child_process";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Lines for a terminal: wrapped to its width, coloured if it supports colours. */
export interface TerminalPage {
  heading(text: string): void;
  /** The line under a heading: author, place, key; what is missing leaves no gap. */
  small(parts: readonly (string | number | null | undefined | false)[]): void;
  text(text: string, indent?: number): void;
  gap(): void;
  lines(): string[];
}

const WIDEST = 100;

export function terminalPage({ columns = 80, colours = false }: { columns?: number; colours?: boolean }): TerminalPage {
  const width = Math.max(20, Math.min(columns, WIDEST));
  const written: string[] = [];
  const style = (format: Style, text: string) => (colours ? styleText(format, text, { validateStream: false }) : text);
  return {
    heading: (text) => void written.push(style("bold", text)),
    small(parts) {
      const given = parts.filter((part) => part !== null && part !== undefined && part !== false && part !== "");
      if (given.length > 0) for (const line of wrapped(given.join(" · "), width)) written.push(style("dim", line));
    },
    text(text, indent = 0) {
      for (const paragraph of text.split("\n"))
        for (const line of wrapped(paragraph, width - indent)) written.push(" ".repeat(indent) + line);
    },
    gap: () => void written.push(""),
    lines: () => written,
  };
}

/** Wrapped at spaces; a word longer than the line gets its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  return lines;
}

/** The user's pager; less stops by itself at the end of a short text, and keeps colours. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
const PAGER = 'LESS="${LESS:-FRX}" exec ${PAGER:-less}';
/** Exit codes of a shell that could not start the command. */
const NOT_STARTED = [126, 127];

/** Prints the lines, through a pager where they are more than a screen. */
export function show(lines: readonly string[], print: (line: string) => void): void {
  const rows = process.stdout.rows ?? 0;
  if (process.stdout.isTTY && rows > 0 && lines.length > rows) {
    const { status } = spawnSync("sh", ["-c", PAGER], {
      input: `${lines.join("\n")}\n`,
      stdio: ["pipe", "inherit", "inherit"],
    });
    // A pager that was left early has not read everything (EPIPE), and that is no failure.
    if (status !== null && !NOT_STARTED.includes(status)) return;
  }
  for (const line of lines) print(line);
}
