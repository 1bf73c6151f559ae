import { withoutNulls } from "../../kernel/json.js";
import { snippetsOf } from "../../text/snippet.js";
import type { DocumentHit, HighlightHit } from "../readwise/library/search.js";
import type { AskedWords } from "./asked-words.js";
import type { StoredChunk } from "./chunk-store.js";
import type { LibraryHit } from "./schemas.js";
import { shownText, trimmed } from "./shown-text.js";

const MAX_CHARS = 1200;

const textOrNone = (text: string | null) => (text?.trim() ? trimmed(text, MAX_CHARS).text : null);
const listOrNone = <T>(items: T[]) => (items.length > 0 ? items : null);

export function fromHighlight(found: HighlightHit): LibraryHit {
  const { highlight, source_title: title, author, snippet, relevance_score: score } = found;
  const { id, url, readwise_url, note, tags, book_id, location, location_type } = highlight;
  const page = location_type === "page" && location !== null && Number.isInteger(location) && location >= 1;
  return withoutNulls({
    ...trimmed(highlight.text, MAX_CHARS),
    origin: "highlight" as const,
    id: String(id),
    title: title || null,
    author,
    snippet,
    score,
    url: url ?? readwise_url,
    date: highlight.highlighted_at ?? highlight.created_at,
    note: textOrNone(note),
    tags: listOrNone(tags.map(({ name }) => name)),
    highlight_id: id,
    source_id: book_id,
    page_span: page ? ([location, location] satisfies [number, number]) : null,
    found_in: ["highlights"],
  });
}

export function fromDocument({ document, snippet, relevance_score: score }: DocumentHit): LibraryHit {
  const { id, title, author, url, summary, notes, tags, saved_at, created_at } = document;
  return withoutNulls({
    ...trimmed(summary ?? "", MAX_CHARS),
    origin: "document" as const,
    id,
    title,
    author,
    snippet,
    score,
    url,
    date: saved_at ?? created_at,
    note: textOrNone(notes),
    tags: listOrNone(Object.values(tags ?? {}).map(({ name }) => name)),
    document_id: id,
    found_in: ["documents"],
  });
}

export function fromChunk(
  chunk: StoredChunk,
  { id, notebook, author }: { id: string; notebook: string | null; author: string | null },
): LibraryHit {
  const { kind, highlight_id, source_id, document_id } = syncedFrom(chunk);
  const isHighlight = kind === "highlight" && highlight_id !== null;
  const { title, url, doc_id, citekey, page_span } = chunk;
  return withoutNulls({
    ...trimmed(shownText(chunk), MAX_CHARS),
    origin: isHighlight ? ("highlight" as const) : ("passage" as const),
    id: isHighlight ? String(highlight_id) : chunk.id,
    title,
    author,
    score: 0,
    date: chunk.year === null ? null : String(chunk.year),
    url,
    tags: listOrNone(chunk.tags),
    highlight_id: isHighlight ? highlight_id : null,
    source_id,
    document_id,
    project: notebook === null ? id : null,
    notebook,
    notebook_id: notebook === null ? null : id,
    chunk_id: chunk.id,
    doc_id,
    citekey,
    page_span,
    section_path: listOrNone(chunk.section_path),
    found_in: [notebook === null ? `project ${id}` : `notebook ${notebook}`],
  });
}

/** Where in a chunk the words of the query are. */
export const snippetIn = (chunk: StoredChunk, words: AskedWords): LibraryHit["snippet"] =>
  snippetsOf(["text", "title"], words.in(chunk))([chunk.text, chunk.title ?? ""]) ?? undefined;

/** The highlight that a synced note was written on. */
export function noteOn(chunk: StoredChunk): number | null {
  const { kind, highlight_id } = syncedFrom(chunk);
  return kind === "note" ? highlight_id : null;
}

/** What a synced chunk remembers of where it came from; metadata may be anybody's, so nothing is taken on trust. */
function syncedFrom({ metadata }: StoredChunk) {
  const about = (typeof metadata.readwise === "object" ? metadata.readwise : null) as Record<string, unknown> | null;
  const whole = (value: unknown) => (typeof value === "number" && Number.isInteger(value) ? value : null);
  return {
    kind: about?.kind,
    highlight_id: whole(about?.highlight_id),
    source_id: whole(about?.source_id),
    document_id: typeof about?.document_id === "string" ? about.document_id : null,
  };
}
