import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../support/peers.js";

const ELSEWHERE = new Set([
  "node_modules",
  "dist",
  "dist-single",
  "test-results",
  "coverage",
  ".git",
  ".cache",
  "fixtures",
]);

/** Every Markdown file of ours, by its path in the repository. */
export function markdownFiles(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ELSEWHERE.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith(".md") ? [relative(ROOT, path)] : [];
  });
}

export const markdown = (path: string) => readFileSync(join(ROOT, path), "utf8");

export interface Block {
  language: string;
  text: string;
  /** The nearest heading above it. */
  heading: string;
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let open: Block | undefined;
  for (const line of text.split("\n")) {
    const fence = /^```(\w*)/.exec(line);
    if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (fence) open = { language: fence[1]!, text: "", heading };
    else if (open) open.text += `${line}\n`;
    else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}

export const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** The names under which a page's headings can be linked to. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutBlocks(text).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-");
    let name = slug;
    for (let n = 1; anchors.has(name); n++) name = `${slug}-${n}`;
    anchors.add(name);
  }
  return anchors;
}

/** Lines of shell blocks, comments and continuations resolved. */
export function shellLines(text: string): string[] {
  return blocksOf(text)
    .filter(({ language }) => /^(sh|bash|shell|console)$/.test(language))
    .flatMap((block) => block.text.replace(/\\\n\s*/g, " ").split("\n"))
    .map((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/\s+# .*$/, "")
        .trim(),
    )
    .filter((line) => line && !line.startsWith("#"));
}

/** Splits a line as a shell would, as far as our docs need it. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_all, single?: string, double?: string) => single ?? double ?? ""),
  );
}
