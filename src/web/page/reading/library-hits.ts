import type { LibraryHit } from "../../../shelves/chunks/schemas.js";
import type { Hit } from "./hits.js";
import { pagesOf } from "./places.js";

export interface LibraryAnswer {
  results: LibraryHit[];
  /** Whether anything matches; with `none` the results are only the nearest. */
  best_match?: "good" | "weak" | "none";
  incomplete: { what: string; code: string; message: string; retry_after?: number }[];
}

export function libraryHits({ results }: LibraryAnswer): Hit[] {
  return results.map((hit) => {
    const title = hit.title ?? hit.section_path?.[0] ?? hit.citekey ?? "Untitled";
    return {
      key: `${hit.origin}-${hit.project ?? ""}-${hit.id}`,
      origin: hit.origin,
      title,
      author: hit.author ?? (hit.citekey ? `@${hit.citekey}` : null),
      text: withoutHeadings(hit.text, [title, ...(hit.section_path ?? [])]),
      note: hit.note ?? null,
      place: placeIn(hit, title),
      tags: hit.tags ?? [],
      score: hit.score,
      citation: hit.citekey ? pandoc(hit.citekey, pagesOf(hit.page_span)) : undefined,
      ...opening(hit),
    };
  });
}

/** A citation as pandoc and most Markdown programs read it. */
export const pandoc = (citekey: string, pages: string | null) => `[@${citekey}${pages ? `, ${pages}` : ""}]`;

/** Removes headings at the start of a passage: they are shown above it already. */
export function withoutHeadings(text: string, headings: readonly string[]): string {
  return headings.reduce(
    (rest, name) => (rest.startsWith(`${name}\n`) ? rest.slice(name.length).trimStart() : rest),
    text,
  );
}

function placeIn({ project, notebook, page_span, section_path = [] }: LibraryHit, title: string): string | null {
  const sections = section_path.filter((name) => name !== title).join(" › ");
  return [project ?? notebook, pagesOf(page_span), sections].filter(Boolean).join(", ") || null;
}

function opening(hit: LibraryHit): Pick<Hit, "path" | "params"> {
  if (hit.notebook_id !== undefined && hit.doc_id !== undefined)
    return {
      path: ["notebooks", hit.notebook_id],
      params: { source: hit.doc_id, title: hit.title ?? "", passage: firstSentence(hit.snippet?.text ?? hit.text) },
    };
  if (hit.project !== undefined && hit.chunk_id !== undefined)
    return { path: ["projects", hit.project, "passages", hit.chunk_id] };
  if (hit.document_id !== undefined) return { path: ["documents", hit.document_id] };
  if (hit.source_id === undefined) return { path: [] };
  return {
    path: ["sources", hit.source_id],
    ...(hit.highlight_id === undefined ? {} : { params: { highlight: String(hit.highlight_id) } }),
  };
}

/** Enough of a passage to find it again in its text. */
function firstSentence(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 160 ? line.slice(0, line.lastIndexOf(" ", 160)) : line;
}
