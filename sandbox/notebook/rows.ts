import { randomUUID } from "node:crypto";
import type { SandboxNotebook, SandboxSource, SandboxState } from "./state.js";

const nulls = (n: number): null[] => Array<null>(n).fill(null);
const time = (sec: number): [number, number] => [sec, 5_000_000];
const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

export function sourceRow(source: SandboxSource): unknown[] {
  const { id, title, text, url, code } = source;
  const youtube = code === 9 && url;
  const meta: unknown[] = [
    source.drive ? [source.drive, null, 1] : null,
    words(text),
    time(source.added),
    [source.revision, time(source.added)],
    code,
    youtube ? [url, new URL(url).searchParams.get("v"), "A channel"] : null,
    1,
    url && !youtube ? [url] : null,
  ];
  const row: unknown[] = [source.drive ? [null, true, [id]] : [id], title, meta, [null, source.status]];
  if (source.mime) row.push(...nulls(3), [null, null, source.mime]);
  return row;
}

export function notebookRow(
  notebook: SandboxNotebook,
  { limits, generation }: SandboxState,
  sources = notebook.sources,
): unknown[] {
  return [
    notebook.title,
    sources.length ? sources.map(sourceRow) : null,
    notebook.id,
    notebook.emoji,
    null,
    padded(meta(notebook, true), generation.metaSlots),
    null,
    null,
    null,
    [true, true, true],
    limits,
  ];
}

/** A fresh notebook answers without times and with its chat session. */
export function createdRow(notebook: SandboxNotebook, state: SandboxState): unknown[] {
  const row = notebookRow(notebook, state).with(9, null).with(10, null);
  row[5] = padded(meta(notebook, false), state.generation.createdMetaSlots);
  row[11] = [[notebook.conversation]];
  return row;
}

export function renamedRow(notebook: SandboxNotebook, state: SandboxState): unknown[] {
  const row = notebookRow(notebook, state, []).slice(0, 6);
  row[5] = meta(notebook, true).with(5, null);
  return row;
}

function padded(list: unknown[], slots: number): unknown[] {
  return [...list, ...nulls(Math.max(0, slots - list.length))].slice(0, slots);
}

function meta(notebook: SandboxNotebook, times: boolean): unknown[] {
  const shared = notebook.role !== 1;
  const viewed = times ? time(notebook.viewed) : null;
  const created = times ? time(notebook.created) : null;
  return [notebook.role, shared, true, null, null, viewed, 1, false, created, null, null, null, false, true, 1, false];
}

const CELL = " | ";
const FENCE = "```";

/**
 * Text as blocks `[start, end, [[segment…], [null, style]]]`, with UTF-16 offsets from `start`. Lines with ` | ` are
 * rows of a table, lines between fences are code, and `![…](…)` is an image.
 */
export function blocks(text: string, start = 0): unknown[] {
  const found: unknown[] = [];
  const lines = text.split("\n");
  let at = start;
  for (let i = 0; i < lines.length; i++) {
    const from = at;
    const line = lines[i]!;
    const run = takeWhile(lines, i, (each) => each.includes(CELL));
    if (run.length > 0) {
      const rows = run.map((each) => {
        const row = tableRow(each, at);
        at = row[1] as number;
        return row;
      });
      found.push([from, at, null, null, [rows.length, run[0]!.split(CELL).length, rows]]);
      i += run.length - 1;
    } else if (line.startsWith(FENCE)) {
      const code = takeWhile(lines, i + 1, (each) => each !== FENCE);
      at += code.join("\n").length;
      found.push([from, at, null, null, null, null, [code.join("\n"), line.slice(FENCE.length)]]);
      i += code.length + 1;
    } else if (line.startsWith("![")) found.push([from, ++at, null, null, null, ["image"]]);
    else {
      at += line.length;
      found.push([from, at, [segments(line, from), [null, 1]]]);
    }
  }
  return found;
}

function takeWhile(lines: string[], from: number, fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, i) => i >= from && !fits(line));
  return lines.slice(from, end < 0 ? lines.length : end);
}

function tableRow(line: string, start: number): unknown[] {
  let at = start;
  const cells = line.split(CELL).map((cell) => {
    const from = at;
    at += cell.length;
    return cell === "" ? [from, at] : [from, at, [[from, at, [segments(cell, from), [null, 1]]]]];
  });
  return [start, at, cells];
}

function segments(line: string, start: number): unknown[] {
  let at = start;
  return line
    .split("**")
    .map((part, i) => ({ part, bold: i % 2 === 1 }))
    .filter(({ part }) => part !== "")
    .map(({ part, bold }) => {
      const from = at;
      at += part.length;
      return [from, at, bold ? [part, [true]] : [part]];
    });
}

/** What a citation says about a passage, without its leading object id. */
export function passageRow(
  source: SandboxSource,
  passage: string,
  score: number,
  objectId: string = randomUUID(),
): unknown[] {
  const start = source.text.indexOf(passage);
  const end = start + passage.length;
  return [
    null,
    null,
    score,
    [[null, start, end]],
    [blocks(passage, start)],
    [[[source.id], source.revision]],
    [objectId],
  ];
}
