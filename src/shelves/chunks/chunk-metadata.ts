import { z } from "zod";
import { isObject, withoutNulls } from "../../kernel/json.js";
import type { StoredChunk } from "./chunk-store.js";

/** What a caller's metadata says about a chunk: the contract's nested form first, the flat one of older tools after it. */
export type Facts = Pick<
  StoredChunk,
  | "doc_id"
  | "position"
  | "citekey"
  | "title"
  | "section"
  | "section_path"
  | "page_span"
  | "doi"
  | "url"
  | "year"
  | "tags"
> & { language: string | null; embed_model: string | null; project: string | null };

// Answers carry these with every item, so none may fill an answer by itself.
const Name = z.string().trim().min(1).max(2000);
const Headings = z.array(z.string().max(500)).max(50);
const Tags = z.array(z.string().max(200)).max(300);
const Page = z.int().min(1);
const PageSpan = z.tuple([Page, Page]).refine(([first, last]) => first <= last);
const Year = z.union([z.int(), z.string().regex(/^\d{4}$/)]).transform(Number);
const Language = z.string().regex(/^[a-z]{2}([-_].*)?$/i);

/** The fields that answers, filters and citations use; others are only kept and shown. */
const READ = new Set(
  "author authors chunk_idx citekey container-title creators csl doc doc_id doi editor editors embed_model fulltext journal kind language page_end page_span page_start place project publicationTitle publisher publisher-place section section_path source tags title translator translators type url version year zotero".split(
    " ",
  ),
);
export const unreadKeys = (metadata: Record<string, unknown>) => Object.keys(metadata).filter((key) => !READ.has(key));

/** Reads valid fields; invalid ones are named in `problems` and left out, never guessed. */
export function readMetadata(given: Record<string, unknown>): { facts: Facts; problems: string[] } {
  const problems: string[] = [];
  // A source given as text is its address or its title.
  const { source } = given;
  const metadata =
    typeof source === "string"
      ? { ...given, source: /^https?:/i.test(source) ? { url: source } : { title: source } }
      : given;
  const at = (path: string): unknown =>
    path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), metadata);
  const first = <T>(schema: z.ZodType<T>, ...paths: string[]): T | null => {
    for (const path of paths) {
      const value = at(path);
      if (value === undefined || value === null || value === "") continue;
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      problems.push(`metadata.${path} was left out: it is too long or not in the expected form`);
    }
    return null;
  };
  const start = first(Page, "page_start");
  const sectionPath = first(Headings, "doc.section_path", "section_path") ?? [];
  const facts: Facts = {
    doc_id: first(Name, "doc.id", "doc.doc_id", "doc_id"),
    position: first(z.int().min(0), "doc.chunk_idx", "chunk_idx") ?? 0,
    citekey: first(Name, "zotero.citekey", "citekey"),
    title: first(Name, "zotero.title", "source.title", "title"),
    section: first(Name, "doc.section", "doc.section_heading", "section") ?? sectionPath.at(-1) ?? null,
    section_path: sectionPath,
    page_span:
      first(PageSpan, "doc.page_span", "page_span") ??
      (start === null ? null : [start, Math.max(start, first(Page, "page_end") ?? start)]),
    doi: first(Name, "zotero.doi", "zotero.DOI", "doi"),
    url: first(Name, "zotero.url", "source.url", "url"),
    year: first(Year, "zotero.year", "year"),
    tags: first(Tags, "zotero.tags", "tags") ?? [],
    language: first(Language, "zotero.language", "language")?.slice(0, 2).toLowerCase() ?? null,
    embed_model: first(Name, "embed_model"),
    project: first(Name, "project"),
  };
  return { facts, problems };
}

const SHOWN_KEYS = 30;
const SHOWN_CHARS = 500;

/** The payload the contract shows in samples: what the caller sent, completed by what is known; long values as their length. */
export function payloadOf(project: string, chunk: StoredChunk) {
  const nested = (key: string) => (isObject(chunk.metadata[key]) ? shown(chunk.metadata[key]) : {});
  const kept = unreadKeys(chunk.metadata).map((key) => [key, chunk.metadata[key]] as const);
  return {
    id: chunk.id,
    project,
    source: withoutNulls({ title: chunk.title, ...nested("source") }),
    zotero: withoutNulls({
      citekey: chunk.citekey,
      tags: chunk.tags,
      year: chunk.year,
      doi: chunk.doi,
      url: chunk.url,
      ...nested("zotero"),
    }),
    doc: withoutNulls({
      id: chunk.doc_id,
      page_span: chunk.page_span,
      section: chunk.section,
      section_path: chunk.section_path,
      ...nested("doc"),
    }),
    ...(kept.length > 0 && { other: shown(Object.fromEntries(kept)) }),
  };
}

function shown(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object)
      .slice(0, SHOWN_KEYS)
      .map(([key, value]) => {
        const { length } = JSON.stringify(value) ?? "";
        return [key.slice(0, SHOWN_CHARS), length <= SHOWN_CHARS ? value : `(${length} characters, not shown)`];
      }),
  );
}
