import type { Notebook, ProcessingStatus, Source, SourceType } from "../../notebook-backend.js";
import { array, at, type Codec, codec, string } from "./codec.js";
import { isYouTube } from "./links.js";

/** A source row as the service has it, with what only this backend needs. */
export interface SourceRow extends Source {
  /** The row states its own status; one that does not is trusted only where the notebook itself shows it. */
  hasStatus: boolean;
}

export interface NotebookRow {
  notebook: Notebook;
  sources: SourceRow[];
  /** How many sources this account may add to a notebook, if the row has it. */
  sourceLimit: number | null;
}

/** The fields of a notebook row; times in seconds. */
export interface NotebookFacts {
  id: string;
  title: string;
  sources: number;
  created: number | null;
  /** The row's time is the last visit; the last change is its creation or its newest source. */
  changed: number | null;
}

/**
 * Of a list of notebooks only these facts are taken out of the page: the list carries every source of every notebook.
 * Text for the page, as the codec is: nothing in it may refer to anything outside of it.
 */
export function rowFacts({ at, array, string }: Codec) {
  /** Null where the row is not a notebook row at all. */
  function notebookFacts(row: unknown): NotebookFacts | null {
    const id = string(at(row, 2));
    const title = string(at(row, 0));
    if (!id || title === null) return null;
    const created = seconds(at(row, 5, 8));
    let sources = 0;
    let changed = created;
    for (const each of array(at(row, 1))) {
      if (sourceId(at(each, 0))) sources++;
      changed = later(later(changed, seconds(at(each, 2, 2))), seconds(at(each, 2, 14)));
    }
    return { id, title, sources, created, changed };
  }

  /** Ids come as `[id]`, and from Drive as `[null, true, [id]]`. Always a UUID: other calls echo rows that look alike. */
  function sourceId(value: unknown): string | null {
    return array(value).reduce<string | null>((found, each) => uuid(each) ?? sourceId(each) ?? found, null);
  }

  function uuid(value: unknown): string | null {
    const text = string(value);
    return text && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ? text : null;
  }

  function seconds(time: unknown): number | null {
    const [whole, nanos] = array(time);
    if (typeof whole !== "number") return null;
    return whole + (typeof nanos === "number" ? nanos / 1e9 : 0);
  }

  function later(a: number | null, b: number | null): number | null {
    return a === null || (b !== null && b > a) ? b : a;
  }

  return { notebookFacts, sourceId, uuid, seconds };
}

const { notebookFacts, sourceId, uuid, seconds } = rowFacts(codec);
export const isUuid = (text: string): boolean => uuid(text) !== null;

export function toNotebook({ id, title, sources, created, changed }: NotebookFacts): Notebook {
  return {
    id,
    name: title.replace(/^thought\n/, ""),
    source_count: sources,
    created_at: iso(created),
    updated_at: iso(changed),
    description: null,
  };
}

/** Null where the row is not a notebook row at all. */
export function notebookRow(row: unknown): NotebookRow | null {
  const facts = notebookFacts(row);
  if (!facts) return null;
  const limit = at(row, 10, 2);
  return {
    notebook: toNotebook(facts),
    sources: array(at(row, 1)).flatMap((each) => sourceRow(each) ?? []),
    sourceLimit: typeof limit === "number" ? limit : null,
  };
}

export function sourceRow(row: unknown): SourceRow | null {
  const id = sourceId(at(row, 0));
  if (!id) return null;
  const url = string(at(row, 2, 7, 0)) ?? string(at(row, 2, 5, 0));
  const drive = string(at(row, 2, 0, 0)) ?? string(at(row, 2, 9, 0));
  const mime = string(at(row, 2, 19)) ?? string(at(row, 2, 9, 2)) ?? string(at(row, 7, 2));
  const title = string(at(row, 1)) ?? url ?? id;
  return {
    id,
    title,
    type: sourceType(at(row, 2, 4), { url, mime, title }),
    url: url ?? (drive ? `https://drive.google.com/open?id=${encodeURIComponent(drive)}` : null),
    added_at: iso(seconds(at(row, 2, 2))),
    processing_status: processingStatus(at(row, 3, 1)),
    hasStatus: typeof at(row, 3, 1) === "number",
  };
}

interface Kind {
  url: string | null;
  mime: string | null;
  title: string;
}

const VIDEO_FILE = /\.(3g2|3gp|avi|m4v|mkv|mov|mp4|mpeg|mpg|webm|wmv)$/i;

function sourceType(code: unknown, { url, mime, title }: Kind): SourceType {
  switch (code) {
    case 1:
      return "gdoc";
    case 2:
      return "gslides";
    case 3:
      return "pdf";
    case 4: // pasted text, or a plain-text page
      return url ? "url" : "text";
    case 5:
      return url && isYouTube(url) ? "youtube" : "url";
    case 8:
    case 11:
    case 16:
    case 17:
      return "text";
    case 9:
      return "youtube";
    case 10: // audio or video; the contract has no word for a video file
      return (mime ? mime.startsWith("video/") : VIDEO_FILE.test(title)) ? "unknown" : "audio";
    case 14:
      return mime === "application/pdf" ? "pdf" : "unknown";
    default:
      return "unknown";
  }
}

/** Rows without a status are ready; an unknown one is not called ready. */
function processingStatus(status: unknown): ProcessingStatus {
  if (status === undefined || status === null || status === 2) return "complete";
  return status === 3 ? "failed" : "processing";
}

/**
 * Text of blocks, one line per block; empty ones are dropped. A block is a paragraph, a table (a line per row), code or
 * an image (a note in its place); thoughts and rules are no text of the document.
 */
export function blockText(blocks: unknown): string {
  return array(blocks)
    .flatMap((block) => blockLines(block))
    .filter((line) => line.trim() !== "")
    .join("\n");
}

const IMAGE_NOTE = "[image]";

function blockLines(block: unknown): string[] {
  const code = string(at(block, 6, 0));
  if (code !== null) return [code];
  if (Array.isArray(at(block, 5))) return [IMAGE_NOTE];
  const rows = at(block, 4, 2);
  if (Array.isArray(rows)) return rows.map(tableRow);
  return [
    array(at(block, 2, 0))
      .map((segment) => string(at(segment, 2, 0)) ?? "")
      .join(""),
  ];
}

function tableRow(row: unknown): string {
  const cells = array(at(row, 2)).map((cell) => blockText(at(cell, 2)).replaceAll("\n", " ").trim());
  return cells.some((cell) => cell !== "") ? cells.join(" | ") : "";
}

function iso(time: number | null): string | null {
  const date = new Date((time ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
