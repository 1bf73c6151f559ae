import { foldedWords } from "../../../../text/analysis.js";
import type { Filters, StoredChunk } from "../../chunk-store.js";
import { searchedText } from "../indexed-text.js";
import type { Condition, Filter } from "./wire.js";

/**
 * A chunk's payload. `text` is verbatim; `fulltext` is searched for phrases: title, headings and text as
 * folded words, so that Qdrant's phrase condition behaves as in the other stores.
 */
interface ChunkPayload extends Record<string, unknown> {
  /** The tenant key: unique per project. */
  project: string;
  chunk_id: string;
  text: string;
  fulltext: string;
  /** The index terms, for counting the chunks that have one and how often a chunk has it. */
  terms: string;
  language: string | null;
  source: { title: string | null };
  zotero: { citekey: string | null; tags: string[]; year: number | null; doi: string | null; url: string | null };
  doc: {
    id: string | null;
    position: number;
    start: number | null;
    end: number | null;
    section: string | null;
    section_path: string[];
    /** The path and each of its prefixes, one string each. */
    section_key: string[];
    page_span: [number, number] | null;
    page_labels: [string, string] | null;
  };
  bm25: Bm25;
  /** Increases with every write. */
  written: number;
  embed_model: string;
  version: "1";
  metadata: Record<string, unknown>;
}
/** Input of the sparse vector's weights: the text's length in terms, and the project's average at that time. */
export interface Bm25 {
  terms: number;
  average: number;
  /** Whether the payload's terms stand there as often as in the text; older versions wrote each of them once. */
  repeated?: boolean;
}

/**
 * Qdrant builds a graph of vectors over every value of an indexed field that enough points share; of a text, over every
 * frequent word. Every search names a project, so the tenant's graph is the only one that is used.
 */
const WITHOUT_GRAPH = { enable_hnsw: false };

/** Created before any points are written. Strict mode refuses a filter on any other field. */
export const CHUNK_INDEXES: Readonly<Record<string, unknown>> = {
  project: { type: "keyword", is_tenant: true },
  "doc.id": { type: "keyword", ...WITHOUT_GRAPH },
  "doc.section_key": { type: "keyword", ...WITHOUT_GRAPH },
  "zotero.citekey": { type: "keyword", ...WITHOUT_GRAPH },
  "zotero.tags": { type: "keyword", ...WITHOUT_GRAPH },
  "zotero.year": { type: "integer", lookup: true, range: true, ...WITHOUT_GRAPH },
  language: { type: "keyword", ...WITHOUT_GRAPH },
  "metadata.kind": { type: "keyword", ...WITHOUT_GRAPH },
  "bm25.terms": { type: "integer", lookup: true, range: false, ...WITHOUT_GRAPH },
  written: { type: "integer", lookup: true, range: true, ...WITHOUT_GRAPH },
  /** The vector space for which the chunk has nothing to embed. */
  without: { type: "keyword", ...WITHOUT_GRAPH },
  fulltext: { type: "text", tokenizer: "whitespace", lowercase: false, phrase_matching: true, ...WITHOUT_GRAPH },
  terms: { type: "text", tokenizer: "whitespace", lowercase: false, ...WITHOUT_GRAPH },
};

export function payloadOf(
  tenant: string,
  model: string,
  chunk: StoredChunk,
  { terms, average }: { terms: readonly string[]; average: number },
): ChunkPayload {
  return wellFormed({
    project: tenant,
    chunk_id: chunk.id,
    text: chunk.text,
    fulltext: foldedWords(searchedText(chunk)).join(" "),
    terms: terms.join(" "),
    language: chunk.language,
    source: { title: chunk.title },
    zotero: { citekey: chunk.citekey, tags: chunk.tags, year: chunk.year, doi: chunk.doi, url: chunk.url },
    doc: {
      id: chunk.doc_id,
      position: chunk.position,
      start: chunk.start,
      end: chunk.end,
      section: chunk.section,
      section_path: chunk.section_path,
      section_key: chunk.section_path.map((_heading, depth) => sectionKey(chunk.section_path.slice(0, depth + 1))),
      page_span: chunk.page_span,
      page_labels: chunk.page_labels,
    },
    bm25: { terms: terms.length, average, repeated: true },
    written: nextNumber(),
    embed_model: model,
    version: "1",
    metadata: chunk.metadata,
  });
}

let lastNumber = 0;
function nextNumber(): number {
  lastNumber = Math.max(lastNumber + 1, Date.now() * 1000);
  return lastNumber;
}

/** The payload fields that make up a chunk. */
export const CHUNK_FIELDS = {
  include: ["project", "chunk_id", "text", "language", "source", "zotero", "doc", "metadata"],
};

export function chunkOf(payload: Record<string, unknown>): StoredChunk {
  // Written by payloadOf; every point of our collections has these fields.
  const { chunk_id, text, language, source, zotero, doc, metadata } = payload as ChunkPayload;
  return {
    id: chunk_id,
    text,
    doc_id: doc.id,
    position: doc.position,
    start: doc.start,
    end: doc.end,
    citekey: zotero.citekey,
    title: source.title,
    section: doc.section,
    section_path: doc.section_path,
    page_span: doc.page_span,
    page_labels: doc.page_labels,
    doi: zotero.doi,
    url: zotero.url,
    year: zotero.year,
    tags: zotero.tags,
    language,
    metadata,
  };
}

/** Every filter contains the tenant, so no query can reach another project. */
export function filterOf(tenant: string, filters: Filters = {}, phrases: readonly (readonly string[])[] = []): Filter {
  const { tags = [], tags_any = [], citekey, doc_id, year, year_from, year_to, section_prefix = [], kind } = filters;
  const must: Condition[] = [{ key: "project", match: { value: tenant } }];
  const equals = (key: string, value: string | number | undefined) => {
    if (value !== undefined) must.push({ key, match: { value } });
  };
  for (const tag of tags) equals("zotero.tags", tag);
  if (tags_any.length > 0) must.push({ key: "zotero.tags", match: { any: tags_any } });
  equals("zotero.citekey", citekey);
  equals("doc.id", doc_id);
  equals("metadata.kind", kind);
  equals("zotero.year", year);
  if (year_from !== undefined) must.push({ key: "zotero.year", range: { gte: year_from } });
  if (year_to !== undefined) must.push({ key: "zotero.year", range: { lte: year_to } });
  if (section_prefix.length > 0) equals("doc.section_key", sectionKey(section_prefix));
  for (const phrase of phrases) must.push({ key: "fulltext", match: { phrase: phrase.join(" ") } });
  return wellFormed({ must });
}

const sectionKey = (path: readonly string[]) => path.map((heading) => `${heading.toWellFormed()}\u001f`).join("");

/** Qdrant refuses lone surrogates, which damaged files contain; the replacement has the same length. */
export function wellFormed<T>(value: T): T {
  return (isWellFormed(value) ? value : repaired(value)) as T;
}
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value)
    ? value.every(isWellFormed)
    : Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), repaired(inner)]));
}
