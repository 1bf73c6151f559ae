import { trimEndOf } from "../../kernel/trim-end.js";
import type { HeadingMark } from "../../shelves/chunks/chunk-store.js";
import type { Block, ReadDocument } from "../document.js";
import { languageOf } from "../meta.js";

const MAX_TITLE = 80;

/**
 * A pasted text as a document, unchanged, so that quotes are exactly what was pasted. Markdown headings,
 * lists, tables and code are recognised only for cutting.
 */
export function pastedDocument(text: string, title: string | undefined): ReadDocument {
  const blocks: Block[] = [];
  const headings: HeadingMark[] = [];
  for (const { start, end } of paragraphs(text)) {
    const body = text.slice(start, end);
    const heading = headingOf(body);
    if (!heading) {
      blocks.push({ kind: kindOf(body), start, end });
      continue;
    }
    const headingEnd = start + heading.length;
    headings.push({ level: heading.level, title: heading.title, start });
    blocks.push({ kind: "heading", start, end: headingEnd });
    const rest = headingEnd + (text.slice(headingEnd, end).match(/^\s*/)?.[0].length ?? 0);
    if (rest < end) blocks.push({ kind: kindOf(text.slice(rest, end)), start: rest, end });
  }
  return {
    title: title ?? titleOf(text, headings),
    kind: "text",
    text,
    pages: [],
    headings,
    edits: [],
    blocks,
    language: languageOf(text),
    meta: {},
    warnings: [],
  };
}

/** Spans between empty lines; a fenced code block is one span even if it contains empty lines. */
function paragraphs(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: string | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const end = index + line.trimEnd().length;
    const blank = line.trim() === "";
    const gap = open !== undefined && /\n[^\S\n]*\n/.test(text.slice(open.end, index + 1));
    if (open && !fence && (blank || gap)) {
      found.push(open);
      open = undefined;
    }
    if (blank && !fence) continue;
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark === fence) fence = undefined;
    if (open) open.end = Math.max(open.end, end);
    else open = { start: index + (line.length - line.trimStart().length), end };
  }
  if (open) found.push(open);
  return found;
}

function headingOf(paragraph: string): { level: number; title: string; length: number } | undefined {
  const line = paragraph.split("\n", 1)[0]!.trimEnd();
  const hashes = /^(#{1,6})[ \t]/.exec(line)?.[1];
  if (hashes)
    return { level: hashes.length, title: withoutClosingHashes(line.slice(hashes.length).trim()), length: line.length };
  const underlined = /^([^\n]{1,120})\r?\n(=+|-{3,})[ \t]*(?=\r?\n|\r?$)/.exec(paragraph);
  if (underlined)
    return {
      level: underlined[2]!.startsWith("=") ? 1 : 2,
      title: underlined[1]!.trim(),
      length: underlined[0].length,
    };
  return undefined;
}

/** "Title ##" becomes "Title"; "C#" stays. */
function withoutClosingHashes(title: string): string {
  const bare = trimEndOf(title, /#/);
  return /\s$/.test(bare) ? bare.trimEnd() : title;
}

function kindOf(paragraph: string): Block["kind"] {
  if (/^\s*(```|~~~)/.test(paragraph)) return "code";
  const lines = paragraph.split("\n");
  if (lines.length > 1 && lines.every((line) => line.includes("|"))) return "table";
  const items = lines.filter((line) => /^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line));
  return items.length > 0 && items.length >= lines.length / 2 ? "list" : "paragraph";
}

function titleOf(text: string, headings: readonly HeadingMark[]): string {
  const line = headings[0]?.title ?? /\S[^\n]*/.exec(text)?.[0].trim() ?? "";
  const characters = [...line];
  if (characters.length <= MAX_TITLE) return line || "Untitled text";
  const cut = characters.slice(0, MAX_TITLE - 1).join("");
  return `${trimEndOf(cut, /\S/).trimEnd() || cut}…`;
}
