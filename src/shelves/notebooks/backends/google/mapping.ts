import type { Notebook, ProcessingStatus, Source, SourceType } from "../../notebook-backend.js";
import { array, at, type Codec, codec, string } from "./codec.js";

/** A source row as the service has it, with what only this backend needs. */
export interface SourceRow extends Source {
  words: number | null;
}

export interface NotebookRow {
  notebook: Notebook;
  sources: SourceRow[];
  /** How many sources this account may put in a notebook, where the row says so. */
  sourceLimit: number | null;
}

/** What a notebook row tells about the notebook itself; times in seconds. */
export interface NotebookFacts {
  id: string;
  title: string;
  sources: number;
  created: number | null;
  /** The row's own time is when it was last looked at; what changed it last is its creation or its newest source. */
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
      if (lastString(at(each, 0))) sources++;
      changed = later(later(changed, seconds(at(each, 2, 2))), seconds(at(each, 2, 14)));
    }
    return { id, title, sources, created, changed };
  }

  /** Ids come as `[id]`, and from Drive as `[null, true, [id]]`. */
  function lastString(value: unknown): string | null {
    return array(value).reduce<string | null>((found, each) => string(each) ?? lastString(each) ?? found, null);
  }

  function seconds(time: unknown): number | null {
    const [whole, nanos] = array(time);
    if (typeof whole !== "number") return null;
    return whole + (typeof nanos === "number" ? nanos / 1e9 : 0);
  }

  function later(a: number | null, b: number | null): number | null {
    return a === null || (b !== null && b > a) ? b : a;
  }

  return { notebookFacts, lastString, seconds };
}

const { notebookFacts, lastString, seconds } = rowFacts(codec);

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
  const id = lastString(at(row, 0));
  if (!id) return null;
  const url = string(at(row, 2, 7, 0)) ?? string(at(row, 2, 5, 0));
  const drive = string(at(row, 2, 0, 0)) ?? string(at(row, 2, 9, 0));
  const words = at(row, 2, 1);
  return {
    id,
    title: string(at(row, 1)) ?? url ?? id,
    type: sourceType(at(row, 2, 4), url, string(at(row, 2, 19)) ?? string(at(row, 2, 9, 2))),
    url: url ?? (drive ? `https://drive.google.com/open?id=${encodeURIComponent(drive)}` : null),
    added_at: iso(seconds(at(row, 2, 2))),
    processing_status: processingStatus(at(row, 3, 1)),
    words: typeof words === "number" ? words : null,
  };
}

function sourceType(code: unknown, url: string | null, mime: string | null): SourceType {
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
    case 10:
      return mime?.startsWith("video/") ? "unknown" : "audio";
    case 14:
      return mime === "application/pdf" ? "pdf" : "unknown";
    default:
      return "unknown";
  }
}

export function isYouTube(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /^((www|m|music)\.)?(youtube\.com|youtu\.be)$/.test(new URL(url).hostname);
}

/** Rows without a status are ready; an unknown one is not called ready. */
function processingStatus(status: unknown): ProcessingStatus {
  if (status === undefined || status === null || status === 2) return "complete";
  return status === 3 ? "failed" : "processing";
}

/** Text of blocks `[start, end, [[segment…], …]]`, a line each. */
export function blockText(blocks: unknown): string {
  return array(blocks)
    .map((block) =>
      array(at(block, 2, 0))
        .map((segment) => string(at(segment, 2, 0)) ?? "")
        .join(""),
    )
    .join("\n");
}

function iso(time: number | null): string | null {
  const date = new Date((time ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
