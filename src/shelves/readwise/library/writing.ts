import { ShelfError } from "../../../kernel/errors.js";
import { BOOKS, EXPORT, LIST, READER_TAGS } from "../cache/endpoints.js";
import { NOTES } from "../cache/feeds.js";
import type { DocumentChanges, HighlightChanges, NewDocument, NewHighlight } from "../readwise-api.js";
import type { Document, Warning } from "../schemas.js";
import { type Created, createBatch, createOne, lookBack } from "./creating.js";
import type { DocumentsPart } from "./documents.js";
import type { HighlightsPart } from "./highlights.js";
import type { Shared } from "./library.js";
import { showDocument } from "./showing.js";

const BATCH = 200;
/** Names our sources in Readwise. */
const SOURCE_TYPE = "bookwheel";

export interface CreateHighlight {
  text: string;
  source_id?: string | undefined;
  source_title?: string | undefined;
  source_author?: string | undefined;
  source_url?: string | undefined;
  note?: string | undefined;
  location?: number | undefined;
  location_type?: string | undefined;
  highlighted_at?: string | undefined;
}

export function writingPart(shared: Shared, { fetchDocument }: DocumentsPart, highlights: HighlightsPart) {
  const { api, written } = shared;

  return {
    async createHighlight(input: CreateHighlight, signal: AbortSignal) {
      const { source_id, source_title, source_author, source_url, ...rest } = input;
      if (source_id === undefined) {
        const source = { title: source_title, author: source_author, source_url, source_type: SOURCE_TYPE };
        return createOne(shared, highlights, { ...rest, ...source }, signal);
      }
      // The API has no source id on create: the source is named by what it is recognised by.
      const { title, author, source_url: address, category } = await api.source(source_id, signal);
      const source = {
        title: title ?? undefined,
        author: author ?? undefined,
        source_url: address ?? undefined,
        category: sendable(category),
      };
      const made = await createOne(shared, highlights, { ...rest, ...source }, signal);
      const created = { ...made, ...withWarnings(made.warnings, sourceFieldsIgnored(input, source)) };
      if (created.book_id === undefined || created.book_id === Number(source_id)) return created;
      const mismatch = {
        code: "source_mismatch",
        message: `Readwise put the highlight under source ${created.book_id}, not ${source_id}: its API cannot name a source by id, and it took the title, author and address for another one.`,
        details: { requested_source_id: Number(source_id), actual_source_id: created.book_id },
      };
      return { ...created, warnings: [...(created.warnings ?? []), mismatch] };
    },

    async bulkCreateHighlights(inputs: Omit<CreateHighlight, "source_id" | "location_type">[], signal: AbortSignal) {
      const items = inputs.map(({ source_title, source_author, source_url, ...rest }) => ({
        ...rest,
        title: source_title,
        author: source_author,
        source_url,
        source_type: SOURCE_TYPE,
      }));
      const warnings: Warning[] = [];
      const results: Created[] = [];
      for (let offset = 0; offset < items.length; offset += BATCH) {
        const batch = items.slice(offset, offset + BATCH);
        const outcome = await attempt(() => createBatch(shared, batch, offset, signal, warnings), offset);
        if (outcome instanceof ShelfError) {
          warnings.push({
            code: "partial",
            message: `Items 0 to ${offset - 1} were written; from item ${offset} on nothing was: ${outcome.message}`,
            details: {
              code: outcome.code,
              first_unwritten: offset,
              ...outcome.details,
              ...(outcome.retry_after === undefined ? {} : { retry_after: outcome.retry_after }),
            },
          });
          break;
        }
        results.push(...outcome);
      }
      const lost = results.filter(({ id }) => id === null).length;
      if (lost > 0 && !warnings.some(({ code }) => code === "not_read_back"))
        warnings.push({
          code: "ids_unknown",
          message: `${lost} items were taken, but their ids could not be told. Find them with search_highlights.`,
        });
      return {
        results,
        count: results.length,
        created: results.filter(({ duplicate }) => !duplicate).length,
        ...(warnings.length ? { warnings } : {}),
      };
    },

    async updateHighlight(id: string, changes: HighlightChanges, signal: AbortSignal) {
      const highlight = await api.updateHighlight(id, changes, signal);
      await written([EXPORT]);
      const warnings = differences(changes, highlight);
      const [shown] = await highlights.completed([highlight], signal);
      return { ...shown!, ...(warnings.length ? { warnings } : {}) };
    },

    async deleteHighlight(id: string, signal: AbortSignal) {
      await api.deleteHighlight(id, signal);
      await written([EXPORT], NOTES.highlightDeleted(id));
      await written([BOOKS]);
      return { deleted: true as const };
    },

    async addTag(kind: "source" | "highlight", id: string, name: string, signal: AbortSignal) {
      const tag = await api.addTag(kind, id, name, signal);
      await tagsChanged(kind, id);
      return tag;
    },

    async deleteTag(kind: "source" | "highlight", id: string, tag: string, signal: AbortSignal) {
      await api.deleteTag(kind, id, tag, signal);
      await tagsChanged(kind, id);
      return { deleted: true as const };
    },

    async saveDocument(document: NewDocument, signal: AbortSignal) {
      const { id, url, created } = await api.saveDocument(document, signal);
      await written([LIST]);
      if (document.tags?.length) await written([READER_TAGS]);
      const warnings: Warning[] = [];
      const { url: _address, ...asked } = document;
      if (Object.values(asked).some((value) => value !== undefined)) {
        const actual = await lookBack(() => fetchDocument(id, signal), warnings);
        if (actual) warnings.push(...documentDifferences(asked, actual));
      }
      return { id, url, created, ...(warnings.length ? { warnings } : {}) };
    },

    async updateDocument(id: string, changes: DocumentChanges, signal: AbortSignal) {
      await api.updateDocument(id, changes, signal);
      await written([LIST]);
      if (changes.tags) await written([READER_TAGS]);
      const warnings: Warning[] = [];
      const actual = await lookBack(() => fetchDocument(id, signal), warnings);
      if (!actual) {
        const wait = warnings[0]?.details?.retry_after;
        throw new ShelfError(
          "upstream_error",
          `The change to document ${id} was accepted, but it could not be read back. ${warnings[0]?.message ?? ""} Check it with get_document.`,
          { details: { id, accepted: true }, ...(typeof wait === "number" ? { retry_after: wait } : {}) },
        );
      }
      warnings.push(...documentDifferences(changes, actual));
      return { ...showDocument(actual), ...(warnings.length ? { warnings } : {}) };
    },

    async deleteDocument(id: string, signal: AbortSignal) {
      await api.deleteDocument(id, signal);
      await written([LIST], NOTES.documentDeleted(id));
      return { deleted: true as const };
    },
  };

  async function tagsChanged(kind: "source" | "highlight", id: string): Promise<void> {
    await written([EXPORT], kind === "source" ? NOTES.sourceTagged(id) : NOTES.highlightTagged(id));
    if (kind === "source") await written([BOOKS]);
  }
}

/** `supplementals` is a category sources have and nobody can send. */
const sendable = (category: string | null): NewHighlight["category"] =>
  category !== null && ["books", "articles", "tweets", "podcasts"].includes(category) ? category : undefined;

/** The first batch's failure is the call's; a later one must not hide what was written before. */
async function attempt<T>(run: () => Promise<T>, offset: number): Promise<T | ShelfError> {
  try {
    return await run();
  } catch (error) {
    if (offset === 0 || !(error instanceof ShelfError)) throw error;
    const { items } = error.details as { items?: { index: number }[] }; // as the HTTP backend puts them
    const details = items
      ? { ...error.details, items: items.map((item) => ({ ...item, index: item.index + offset })) }
      : error.details;
    return new ShelfError(error.code, error.message, {
      details,
      ...(error.retry_after === undefined ? {} : { retry_after: error.retry_after }),
      cause: error,
    });
  }
}

function differences(changes: HighlightChanges, actual: object): Warning[] {
  return Object.entries(changes).flatMap(([field, wanted]) => {
    const found = (actual as Record<string, unknown>)[field];
    return wanted === undefined || found === wanted || (wanted === "" && found === null)
      ? []
      : [notKept(field, wanted, found)];
  });
}

function documentDifferences(asked: DocumentChanges & { category?: string | undefined }, actual: Document): Warning[] {
  const { tags, seen, ...plain } = asked;
  const warnings = differences(plain as HighlightChanges, actual);
  if (tags) {
    const names = (list: Iterable<string>) => [...new Set([...list].map((name) => name.trim().toLowerCase()))].sort();
    const kept = Object.entries(actual.tags ?? {}).map(([, { name }]) => name);
    const missing = names(tags).filter((name) => !names(kept).includes(name));
    const extra = names(kept).length > names(tags).length;
    if (missing.length || extra) warnings.push(notKept("tags", tags, kept));
  }
  if (seen !== undefined && seen !== (actual.first_opened_at !== null))
    warnings.push(notKept("seen", seen, actual.first_opened_at !== null));
  return warnings;
}

const notKept = (field: string, requested: unknown, actual: unknown): Warning => ({
  code: "not_kept",
  message: `Readwise did not keep ${field} as asked.`,
  details: { field, requested, actual: actual ?? null },
});

const withWarnings = (...lists: (readonly Warning[] | undefined)[]) => {
  const warnings = lists.flatMap((list) => list ?? []);
  return warnings.length ? { warnings } : {};
};

/** An existing source keeps its own title, author and address, whatever came along with its id. */
function sourceFieldsIgnored(
  { source_title, source_author, source_url }: CreateHighlight,
  source: Pick<NewHighlight, "title" | "author" | "source_url">,
): Warning[] {
  const asked = { source_title, source_author, source_url };
  const kept = { source_title: source.title, source_author: source.author, source_url: source.source_url };
  const fields = (Object.keys(asked) as (keyof typeof asked)[]).filter(
    (field) => asked[field] !== undefined && asked[field] !== kept[field],
  );
  if (fields.length === 0) return [];
  return [
    { code: "not_kept", message: `The source of source_id keeps its own ${fields.join(", ")}.`, details: { fields } },
  ];
}
