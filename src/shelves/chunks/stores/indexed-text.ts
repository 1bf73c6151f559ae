import { analyse } from "../../../text/analysis.js";
import type { StoredChunk } from "../chunk-store.js";
import { tableLead } from "../shown-text.js";

/** The text that word search and phrases use: title and headings too, because a passage rarely names its own subject. */
export function searchedText(chunk: StoredChunk): string {
  return [chunk.title, ...chunk.section_path, ...tableLead(chunk), chunk.text].filter(Boolean).join("\n");
}

export function indexedTerms(chunk: StoredChunk): string[] {
  return analyse(searchedText(chunk), chunk.language);
}

/** Keys of a chunk's payload as `inspect_collection` names them; a caller's own metadata keys join them. */
export const PAYLOAD_KEYS: readonly string[] = [
  "project",
  "source",
  "zotero",
  "doc",
  "embed_model",
  "version",
  "fulltext",
];
export const INDEXES = {
  keyword: ["project", "zotero.tags", "zotero.citekey", "zotero.year", "doc.id", "doc.section_path"],
  fulltext: ["fulltext"],
};

/** The languages of a project's texts; languages detected in a few passages only are ignored as errors. */
export function projectLanguages(counts: ReadonlyMap<string | null, number>): string[] {
  let total = 0;
  for (const count of counts.values()) total += count;
  return [...counts]
    .filter(([, count]) => count * 50 >= total)
    .sort((a, b) => b[1] - a[1] || ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1))
    .map(([language]) => language ?? "en")
    .filter((language, index, all) => all.indexOf(language) === index)
    .slice(0, 4);
}
