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
  if (source.mime) meta.push(...nulls(11), source.mime);
  return [source.drive ? [null, true, [id]] : [id], title, meta, [null, source.status]];
}

export function notebookRow(
  notebook: SandboxNotebook,
  limits: SandboxState["limits"],
  sources = notebook.sources,
): unknown[] {
  return [
    notebook.title,
    sources.length ? sources.map(sourceRow) : null,
    notebook.id,
    notebook.emoji,
    null,
    meta(notebook, true),
    null,
    null,
    null,
    [true, true, true],
    limits,
  ];
}

/** A fresh notebook answers without times and with its chat session. */
export function createdRow(notebook: SandboxNotebook, limits: SandboxState["limits"]): unknown[] {
  const row = notebookRow(notebook, limits);
  row[5] = meta(notebook, false);
  row[11] = [[notebook.conversation]];
  return row;
}

export function renamedRow(notebook: SandboxNotebook, limits: SandboxState["limits"]): unknown[] {
  const row = notebookRow(notebook, limits, []);
  row[5] = [...meta(notebook, true)].with(5, null);
  return row;
}

function meta(notebook: SandboxNotebook, times: boolean): unknown[] {
  const shared = notebook.role !== 1;
  const viewed = times ? time(notebook.viewed) : null;
  const created = times ? time(notebook.created) : null;
  return [notebook.role, shared, true, null, null, viewed, 1, false, created, null, null, null, false, true, 1, false];
}

/** Paragraphs as blocks `[start, end, [[segment…], [null, style]]]`, with UTF-16 offsets from `start`. */
export function blocks(text: string, start = 0): unknown[] {
  let at = start;
  return text.split("\n").map((line) => {
    const from = at;
    at += line.length;
    return [from, at, [segments(line, from), [null, 1]]];
  });
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
