import { createViewBuilder, type DraftView, isWord, type NoteMark } from "./view.js";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const NOTE = /^ {0,3}\[\^([^\]\s]{1,100})\]:/;
const QUOTED = /^ {0,3}(?:> ?)+/;
const LINK_CHARS = 2000;

/** Reads Markdown and plain text; drops markup, code and comments. */
export function markdownView(draft: string): DraftView {
  const view = createViewBuilder(draft.length);
  const notes: NoteMark[] = [];
  const dropped = droppedCharacters(draft, notes);
  const noteAt = new Map(notes.map((mark) => [mark.at, mark]));
  const placed: NoteMark[] = [];
  let fence: string | undefined;
  let at = frontMatterEnd(draft);
  let note: string | undefined;

  while (at < draft.length) {
    let end = draft.indexOf("\n", at);
    if (end < 0) end = draft.length;
    const line = draft.slice(at, end);
    const fenced = FENCE.exec(line)?.[1];
    if (fence !== undefined || fenced) {
      if (fence === undefined) fence = fenced;
      else if (fenced?.startsWith(fence)) fence = undefined;
      view.endBlock(at);
    } else if (!line.trim()) {
      view.endBlock(at);
      if (note !== undefined && !/^(?: {4}|\t)/.test(draft.slice(end + 1, end + 6))) note = undefined;
    } else readLine(line, at);
    at = end + 1;
  }
  return { format: "markdown", ...view.finish(), notes: placed, cited: [], listed: [] };

  function readLine(line: string, from: number) {
    const defined = NOTE.exec(line);
    const quoted = QUOTED.exec(line);
    let skip = 0;
    if (defined) {
      view.endBlock(from);
      note = defined[1]!;
      view.block("note", note);
      skip = defined[0].length;
    } else if (note !== undefined && view.isOpen()) view.block("note", note);
    else if (note !== undefined && /^(?: {4}|\t)/.test(line)) view.block("note", note);
    else if (quoted) {
      note = undefined;
      view.block("quote");
      skip = quoted[0].length;
    } else if (HEADING.test(line)) {
      note = undefined;
      view.endBlock(from);
      view.block("heading");
      put(line.replace(/^[\s#]+/, ""), from + /^[\s#]+/.exec(line)![0].length);
      view.endBlock(from + line.length);
      return;
    } else if (UNDERLINE.test(line)) {
      view.endBlock(from);
      return;
    } else {
      note = undefined;
      if (LIST_ITEM.test(line)) view.endBlock(from);
      view.block(/^(?: {4}|\t)/.test(line) && !LIST_ITEM.test(line) ? "quote" : "text");
    }
    put(line.slice(skip), from + skip);
    view.put("\n", from + line.length, 0);
  }

  function put(text: string, from: number) {
    let run = 0;
    for (let i = 0; i <= text.length; i++) {
      const mark = noteAt.get(from + i);
      if (i < text.length && dropped[from + i] === 0 && !mark) continue;
      if (i > run) view.put(text.slice(run, i), from + run);
      if (mark) placed.push({ at: view.length, note: mark.note });
      run = i + 1;
    }
  }
}

function frontMatterEnd(draft: string): number {
  if (!/^---\r?\n/.test(draft)) return 0;
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(draft.slice(0, 100_000));
  return end ? end.index + end[0].length : 0;
}

/** 1 for every character that is markup: emphasis, link targets, escapes, code, comments, footnote marks. */
function droppedCharacters(draft: string, notes: NoteMark[]): Uint8Array {
  const dropped = new Uint8Array(draft.length);
  const brackets: number[] = [];
  const drop = (from: number, to: number) => dropped.fill(1, from, Math.min(to, draft.length));
  for (let i = 0; i < draft.length; i++) {
    const sign = draft[i]!;
    if (sign === "\\" && /[!-/:-@[-`{-~]/.test(draft[i + 1] ?? "")) {
      dropped[i] = 1;
      i++;
    } else if (sign === "\n" && draft[i + 1] === "\n") brackets.length = 0;
    else if (sign === "<" && draft.startsWith("<!--", i)) {
      const end = draft.indexOf("-->", i + 4);
      const stop = end < 0 ? draft.length : end + 3;
      drop(i, stop);
      i = stop - 1;
    } else if (sign === "`") {
      let ticks = 1;
      while (draft[i + ticks] === "`") ticks++;
      // Two backticks open a quotation in plain text; code has one, or three and more.
      if (ticks === 2) {
        i++;
        continue;
      }
      const end = ticks === 1 ? draft.slice(i + 1, i + 400).search(/[`\n]/) : -1;
      if (end >= 0 && draft[i + 1 + end] === "`") {
        drop(i, i + end + 2);
        i += end + 1;
      } else i += ticks - 1;
    } else if (sign === "*") dropped[i] = 1;
    else if (sign === "_") {
      if (!(isWord(draft[i - 1]) && isWord(draft[i + 1])) && !inKey(draft, i)) dropped[i] = 1;
    } else if (sign === "[") {
      const note = draft[i + 1] === "^" ? /^\[\^([^\]\s]{1,100})\](?!:)/.exec(draft.slice(i, i + 110)) : null;
      if (note) {
        notes.push({ at: i, note: note[1]! });
        drop(i, i + note[0].length);
        i += note[0].length - 1;
      } else {
        brackets.push(i);
        if (brackets.length > 50) brackets.shift();
      }
    } else if (sign === "]") {
      const opened = brackets.pop();
      if (opened === undefined || draft[i + 1] !== "(") continue;
      const end = draft.slice(i, i + LINK_CHARS).search(/[)\n]/);
      if (end < 0 || draft[i + end] !== ")") continue;
      dropped[opened] = 1;
      if (draft[opened - 1] === "!") dropped[opened - 1] = 1;
      drop(i, i + end + 1);
      i += end;
    }
  }
  return dropped;
}

/** An underscore inside a citekey is part of the key, not emphasis. */
function inKey(draft: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i < 100; i--) {
    if (draft[i] === "@") return true;
    if (/[\s;,[\]]/.test(draft[i]!)) return false;
  }
  return false;
}
