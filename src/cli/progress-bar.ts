export interface Terminal {
  write(text: string): void;
  columns?: number | undefined;
}

const BAR = 24;

/** A line drawn over itself: a bar where the end is known, a count where it is not. */
export function progressBar(terminal: Terminal) {
  return {
    show(done: number, total?: number, message = "") {
      const line = [...(total === undefined ? [String(Math.floor(done))] : bar(done, total)), printable(message)];
      terminal.write(`\r\x1b[2K${line.join(" ").slice(0, Math.max(20, (terminal.columns ?? 80) - 1))}`);
    },
    clear: () => terminal.write("\r\x1b[2K"),
  };
}

function bar(done: number, total: number): string[] {
  const filled = Math.round((total > 0 ? Math.min(1, done / total) : 1) * BAR);
  return ["█".repeat(filled) + "░".repeat(BAR - filled), `${Math.floor(done)}/${total}`];
}

/** A text may hold control characters; a terminal must not act on them. */
const printable = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
