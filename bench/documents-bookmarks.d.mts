import type { CutDocument } from "../src/ingest/cutting.js";
import type { ReadDocument } from "../src/ingest/document.js";

export function sectionsByBookmarks(
  file: string,
  document: ReadDocument,
  pieces: CutDocument["pieces"],
): { all: number; right: number; bookmarks: number; wrong: string[] };
