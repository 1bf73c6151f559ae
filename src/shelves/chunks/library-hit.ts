import { type Snippet, snippetOf } from "../../text/snippet.js";
import type { DocumentHit, HighlightHit } from "../readwise/library/search.js";
import type { AskedWords } from "./asked-words.js";
import type { StoredChunk } from "./chunk-store.js";
import { shownText, trimmed } from "./shown-text.js";

/** A place in what somebody has read, whichever shelf it stands on. */
export interface LibraryHit {
  origin: "highlight" | "document" | "passage";
  id: string;
  title: string | null;
  author: string | null;
  text: string;
  truncated: boolean;
  snippet: Snippet | null;
  score: number;
  /** A link a person can open. */
  url: string | null;
  /** When it was highlighted, saved or published. */
  date: string | null;
  note: string | null;
  tags: string[];
  highlight_id: number | null;
  source_id: number | null;
  document_id: string | null;
  project: string | null;
  /** Name of the notebook it stands in. */
  notebook: string | null;
  notebook_id: string | null;
  chunk_id: string | null;
  doc_id: string | null;
  citekey: string | null;
  page_span: [number, number] | null;
  section_path: string[];
  /** Every list it was found in: highlights, documents, and projects by name. */
  found_in: string[];
}

const MAX_CHARS = 1200;
const NOTHING = {
  author: null,
  date: null,
  note: null,
  highlight_id: null,
  source_id: null,
  document_id: null,
  project: null,
  notebook: null,
  notebook_id: null,
  chunk_id: null,
  doc_id: null,
  citekey: null,
  page_span: null,
  section_path: [],
  score: 0,
};

export function fromHighlight(found: HighlightHit): LibraryHit {
  const { highlight, source_title: title, author, snippet, relevance_score: score } = found;
  const { id, url, readwise_url, note, tags, book_id, location, location_type } = highlight;
  const page = location_type === "page" && location !== null && Number.isInteger(location) && location >= 1;
  return {
    ...NOTHING,
    ...trimmed(highlight.text, MAX_CHARS),
    origin: "highlight",
    id: String(id),
    title: title || null,
    author,
    snippet,
    score,
    url: url ?? readwise_url,
    date: highlight.highlighted_at ?? highlight.created_at,
    note: note?.trim() ? trimmed(note, MAX_CHARS).text : null,
    tags: tags.map(({ name }) => name),
    highlight_id: id,
    source_id: book_id,
    page_span: page ? [location, location] : null,
    found_in: ["highlights"],
  };
}

export function fromDocument({ document, snippet, relevance_score: score }: DocumentHit): LibraryHit {
  const { id, title, author, url, summary, notes, tags } = document;
  return {
    ...NOTHING,
    ...trimmed(summary ?? "", MAX_CHARS),
    origin: "document",
    id,
    title,
    author,
    snippet,
    score,
    url,
    date: document.saved_at ?? document.created_at,
    note: notes?.trim() ? trimmed(notes, MAX_CHARS).text : null,
    tags: Object.values(tags ?? {}).map(({ name }) => name),
    document_id: id,
    found_in: ["documents"],
  };
}

export function fromChunk(
  chunk: StoredChunk,
  { id, notebook, author }: { id: string; notebook: string | null; author: string | null },
): LibraryHit {
  const { kind, highlight_id, source_id, document_id } = syncedFrom(chunk);
  const isHighlight = kind === "highlight" && highlight_id !== null;
  return {
    ...NOTHING,
    ...trimmed(shownText(chunk), MAX_CHARS),
    origin: isHighlight ? "highlight" : "passage",
    id: isHighlight ? String(highlight_id) : chunk.id,
    title: chunk.title,
    author,
    date: chunk.year === null ? null : String(chunk.year),
    snippet: null,
    url: chunk.url,
    tags: chunk.tags,
    highlight_id: isHighlight ? highlight_id : null,
    source_id,
    document_id,
    project: notebook === null ? id : null,
    notebook,
    notebook_id: notebook === null ? null : id,
    chunk_id: chunk.id,
    doc_id: chunk.doc_id,
    citekey: chunk.citekey,
    page_span: chunk.page_span,
    section_path: chunk.section_path,
    found_in: [notebook === null ? `project ${id}` : `notebook ${notebook}`],
  };
}

/** Where in a chunk the words of the query are. */
export const snippetIn = (chunk: StoredChunk, words: AskedWords): Snippet | null =>
  snippetOf(["text", "title"], [chunk.text, chunk.title ?? ""], words.in(chunk));

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
