import { readTags } from "./html-tags.js";

const BLOCKS = new Set(
  "p div li br h1 h2 h3 h4 h5 h6 tr section article blockquote ul ol table pre hr dt dd figure".split(" "),
);
const SILENT = new Set("script style head template noscript".split(" "));

const CAPTION = "data-rw-start";

/** `0:07`, `12:30`, `1:02:03` */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * The text of an HTML fragment, one line per block; captions of videos (`data-rw-start`, in seconds) are lines that begin with
 * their time, as in `[1:05]`.
 */
export async function htmlToText(html: string): Promise<string> {
  const lines: string[] = [];
  let line: string[] = [];
  /** The element whose text is not shown; what is opened inside it does not matter. */
  let silent: string | undefined;
  const endLine = () => {
    const text = line.join("").replace(/\s+/g, " ").trim();
    if (text) lines.push(text);
    line = [];
  };
  await readTags(html, {
    text(words) {
      if (silent === undefined) line.push(words);
    },
    open(name, attributes) {
      if (silent === "head" && name === "body") silent = undefined;
      else if (silent === undefined && SILENT.has(name)) silent = name;
      if (BLOCKS.has(name)) endLine();
      const seconds = Number.parseFloat(attributes.get(CAPTION) ?? "");
      if (seconds >= 0 && silent === undefined) {
        endLine();
        line.push(`[${clockTime(seconds)}] `);
      }
    },
    close(name) {
      if (silent === name) silent = undefined;
      if (BLOCKS.has(name)) endLine();
    },
  });
  endLine();
  return lines.join("\n");
}
