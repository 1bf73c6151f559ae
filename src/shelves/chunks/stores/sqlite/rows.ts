import { missingProject, type Project, type StoredChunk } from "../../chunk-store.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import { projectLanguages } from "../indexed-text.js";

/** The fields of a chunk that have no column. */
type Rest = Omit<StoredChunk, "id" | "text" | "doc_id" | "position" | "citekey" | "year" | "language">;

export const CHUNK_COLUMNS = "id, doc_id, position, citekey, year, language, text, rest";
export type ChunkRow = [string, string | null, number, string | null, number | null, string | null, string, string];

export function chunkOf([id, doc_id, position, citekey, year, language, text, rest]: ChunkRow): StoredChunk {
  // Written by restOf.
  return { ...(JSON.parse(rest) as Rest), id, doc_id, position, citekey, year, language, text };
}

export function restOf(chunk: StoredChunk): string {
  const rest: Rest = {
    start: chunk.start,
    end: chunk.end,
    title: chunk.title,
    section: chunk.section,
    section_path: chunk.section_path,
    page_span: chunk.page_span,
    page_labels: chunk.page_labels,
    doi: chunk.doi,
    url: chunk.url,
    tags: chunk.tags,
    metadata: chunk.metadata,
  };
  return JSON.stringify(rest);
}

/** Headings joined into one string, each with an end mark, so that a prefix of the path is a prefix of the string. */
export function headingsKey(path: readonly string[]): string {
  return path.map((heading) => `${heading.replaceAll("\u001f", " ")}\u001f`).join("");
}

export const ALL_PROJECTS = `select p.key, p.id, p.kind, p.name, p.description, p.collection, p.hybrid, p.created_at, p.updated_at,
  p.space, p.next_space, p.ordinals, p.chunks, p.terms, p.languages, p.revision, s.model, s.dimension, n.model, n.dimension
  from projects p join spaces s on s.key = p.space left join spaces n on n.key = p.next_space`;

/** A project with the store's internal fields. */
export interface ProjectRow {
  key: number;
  project: Project;
  space: number;
  dimension: number;
  nextSpace: number | null;
  nextDimension: number;
  ordinals: number;
  chunks: number;
  terms: number;
  languages: Record<string, number>;
  revision: number;
}

/** `prepare` is of the reading or of the writing connection. */
type Prepare = (sql: string) => { get(id: string): readonly unknown[] | undefined };

export function findProject(prepare: Prepare, id: string): ProjectRow | undefined {
  const row = prepare(`${ALL_PROJECTS} where p.id = ?`).get(id);
  return row && projectOf(row);
}

export function requireProject(prepare: Prepare, id: string): ProjectRow {
  const found = findProject(prepare, id);
  if (!found) throw missingProject(id);
  return found;
}

export function projectOf(row: readonly unknown[]): ProjectRow {
  const [key, id, kind, name, description, collection, hybrid, created_at, updated_at, ...own] = row as [
    number,
    string,
    Project["kind"],
    string,
    string | null,
    string,
    number,
    string,
    string,
    ...unknown[],
  ];
  const [space, nextSpace, ordinals, chunks, terms, languages, revision, model, dimension, nextModel, nextDimension] =
    own as [
      number,
      number | null,
      number,
      number,
      number,
      string,
      number,
      string,
      number,
      string | null,
      number | null,
    ];
  // Written by ProjectWriter; "" is the unknown language.
  const counts = JSON.parse(languages) as Record<string, number>;
  return {
    key,
    project: {
      id,
      kind,
      name,
      description,
      collection,
      model: JSON.parse(model) as ModelIdentity,
      next_model: nextModel === null ? null : (JSON.parse(nextModel) as ModelIdentity),
      hybrid_enabled: hybrid === 1,
      languages: languagesOf(counts),
      created_at,
      updated_at,
    },
    space,
    dimension,
    nextSpace,
    nextDimension: nextDimension ?? 0,
    ordinals,
    chunks,
    terms,
    languages: counts,
    revision,
  };
}

function languagesOf(counts: Record<string, number>): string[] {
  return projectLanguages(new Map(Object.entries(counts).map(([language, count]) => [language || null, count])));
}
