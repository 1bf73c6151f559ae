import { ShelfError } from "../../../kernel/errors.js";
import { withoutNulls } from "../../../kernel/json.js";
import { plural } from "../../../kernel/plural.js";
import { BOOKS, EXPORT, LIST, READER_TAGS } from "../cache/cache.js";
import { NOTES } from "../cache/upstream-lists.js";
import { tagNames } from "../kinds.js";
import {
  type DocumentChanges,
  exportByIds,
  type HighlightChanges,
  type NewDocument,
  type NewHighlight,
} from "../readwise-api.js";
import type { Document, Highlight, ShownHighlight, Source, Warning } from "../schemas.js";
import {
  type AdditiveEdits,
  appended,
  changesOf,
  documentAtHand,
  type Edits,
  editedTags,
  keepUndo,
  same,
} from "./bulk.js";
import { type Created, createBatch, createOne, lookBack } from "./creating.js";
import type { DocumentsPart } from "./documents.js";
import type { HighlightsPart } from "./highlights.js";
import { type InReaderPart, isInReader, v2Lag } from "./in-reader.js";
import type { Shared } from "./shared.js";
import { showDocument, withWarnings } from "./showing.js";

const BATCH = 200;
/** The source type of our highlights in Readwise. */
const SOURCE_TYPE = "bookwheel";

interface CreateHighlight {
  text: string;
  document_id?: string | undefined;
  source_id?: string | undefined;
  source_title?: string | undefined;
  source_author?: string | undefined;
  source_url?: string | undefined;
  note?: string | undefined;
  location?: number | undefined;
  location_type?: string | undefined;
  highlighted_at?: string | undefined;
}

type HighlightEdits = HighlightChanges & AdditiveEdits;

/** A list item of changed highlights: what changed, without repeating the text. */
type ChangedHighlight = { id: string; success: boolean; error?: string; warnings?: Warning[] } & Partial<
  Pick<ShownHighlight, "tags" | "note">
>;

export function writingPart(
  shared: Shared,
  { fetchDocument }: DocumentsPart,
  highlights: HighlightsPart,
  reader: InReaderPart,
) {
  const { api, written } = shared;

  /** The Reader document for a highlight: given directly, or through its source. */
  async function readerDocumentOf(id: string | undefined, source: Source | undefined, signal: AbortSignal) {
    if (id !== undefined) return fetchDocument(id, signal, true);
    if (source?.source !== "reader") return undefined;
    const [exported] = await exportByIds([String(source.id)], (query) => api.exported(query, signal));
    const external = exported?.source.external_id ?? source.external_id;
    const { documents } = external
      ? await api.documents({ id: external, withContent: true }, signal)
      : { documents: [] };
    return documents.find((document) => document.id === external);
  }

  /** Sets the tags of a highlight: in Reader all at once, in Readwise one by one. */
  async function retag(highlight: Highlight, edits: Edits, signal: AbortSignal): Promise<Warning[]> {
    const id = String(highlight.id);
    if (isInReader(highlight)) {
      const tags = editedTags(await reader.tagsOf(highlight, signal), edits);
      if (await reader.change(highlight, { tags }, signal)) {
        const shown = (await api.tagsOf("highlight", id, signal)).map(({ name }) => name);
        const level = tags.every((name) => shown.some((one) => same(one, name)));
        const gone = (edits.remove_tags ?? []).every((name) => !shown.some((one) => same(one, name)));
        return level && gone ? [] : [v2Lag("The tags")];
      }
    }
    const own = await api.tagsOf("highlight", id, signal);
    for (const name of edits.add_tags ?? [])
      if (!own.some((tag) => same(tag.name, name))) await api.addTag("highlight", id, name, signal);
    for (const tag of own)
      if (edits.remove_tags?.some((name) => same(tag.name, name)))
        await api.deleteTag("highlight", id, String(tag.id), signal);
    await tagsChanged("highlight", id);
    return isInReader(highlight) ? [readerMayLag] : [];
  }

  async function updateHighlight(id: string, edits: HighlightEdits, signal: AbortSignal) {
    const { add_tags, remove_tags, append_note, note: newNote, ...plain } = edits;
    const notes = newNote !== undefined || append_note !== undefined;
    const retags = add_tags !== undefined || remove_tags !== undefined;
    const before = notes || retags ? await api.highlight(id, signal) : undefined;
    const note = append_note === undefined ? newNote : appended(newNote ?? before!.note, append_note);
    const warnings: Warning[] = [];
    const inReaderNow = note !== undefined && (await reader.change(before!, { notes: note }, signal));
    if (note !== undefined && !inReaderNow && isInReader(before!)) warnings.push(readerMayLag);
    if (retags) warnings.push(...(await retag(before!, { add_tags, remove_tags }, signal)));
    const changes: HighlightChanges = { ...plain, ...(note === undefined || inReaderNow ? {} : { note }) };
    const changed = Object.values(changes).some((value) => value !== undefined);
    const highlight = changed ? await api.updateHighlight(id, changes, signal) : await api.highlight(id, signal);
    await written([EXPORT]);
    warnings.push(...differences(changes, highlight));
    if (inReaderNow && (highlight.note ?? "") !== note) warnings.push(v2Lag("The note"));
    const [shown] = await highlights.completed([highlight], signal);
    return { ...shown!, ...withWarnings(warnings) };
  }

  return {
    async createHighlight(input: CreateHighlight, signal: AbortSignal) {
      const { document_id, source_id, source_title, source_author, source_url, ...rest } = input;
      const source = source_id === undefined ? undefined : await api.source(source_id, signal);
      const document = await readerDocumentOf(document_id, source, signal);
      const tried = document && (await reader.make(document, rest, signal));
      if (tried?.made) {
        const dropped = rest.location === undefined && rest.highlighted_at === undefined ? [] : [setByReader];
        return { ...tried.made, kept_in: "reader" as const, ...withWarnings(tried.warnings, dropped) };
      }
      const kept = { kept_in: "readwise" as const };
      if (source === undefined) {
        const named = document
          ? sourceFieldsOf(document)
          : { title: source_title, author: source_author, source_url, source_type: SOURCE_TYPE };
        const made = await createOne(shared, highlights, { ...rest, ...named }, signal);
        return { ...made, ...kept, ...withWarnings(made.warnings, tried?.warnings ?? []) };
      }
      // The API takes no source id on create: the source is given by the fields it is recognised by.
      const named = {
        title: source.title ?? undefined,
        author: source.author ?? undefined,
        source_url: source.source_url ?? undefined,
        category: sendable(source.category),
      };
      const made = await createOne(shared, highlights, { ...rest, ...named }, signal);
      const remarks = [...(tried?.warnings ?? []), ...sourceFieldsIgnored(input, named)];
      const created = { ...made, ...kept, ...withWarnings(made.warnings, remarks) };
      if (created.book_id === undefined || created.book_id === Number(source_id)) return created;
      const mismatch = {
        code: "source_mismatch",
        message: `Readwise put the highlight under source ${created.book_id}, not ${source_id}: its API cannot name a source by id, and it took the title, author and address for another one.`,
        details: { requested_source_id: Number(source_id), actual_source_id: created.book_id },
      };
      return { ...created, warnings: [...(created.warnings ?? []), mismatch] };
    },

    async bulkCreateHighlights(
      inputs: Omit<CreateHighlight, "source_id" | "document_id" | "location_type">[],
      signal: AbortSignal,
    ) {
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
          message: `${plural(lost, "item was", "items were")} saved without a known id. search_highlights finds what was saved.`,
        });
      return {
        results,
        count: results.length,
        created: results.filter(({ duplicate }) => !duplicate).length,
        ...withWarnings(warnings),
      };
    },

    updateHighlight,

    /** Several in one call, one after the other; a rate limit stops it, and the rest is listed. */
    async updateHighlights(ids: readonly string[], edits: HighlightEdits, signal: AbortSignal) {
      const results: ChangedHighlight[] = [];
      const answer = () => ({ results, updated: results.filter(({ success }) => success).length });
      const wanted = [...new Set(ids)];
      for (const [at, id] of wanted.entries()) {
        try {
          const { tags, note, warnings } = await updateHighlight(id, edits, signal);
          results.push({ id, success: true, tags, ...withoutNulls({ note }), ...withWarnings(warnings) });
        } catch (error) {
          if (!(error instanceof ShelfError)) throw error;
          if (error.code === "rate_limited" && at > 0)
            return { ...answer(), remaining: wanted.slice(at), retry_after: error.retry_after ?? 60 };
          if (error.code === "rate_limited" || error.code === "auth_error") throw error;
          results.push({ id, success: false, error: error.message });
        }
      }
      return answer();
    },

    async deleteHighlight(id: string, signal: AbortSignal) {
      await api.deleteHighlight(id, signal);
      await written([EXPORT], NOTES.highlightDeleted(id));
      await written([BOOKS]);
      return { deleted: true as const };
    },

    async addTag(kind: "source" | "highlight", id: string, name: string, signal: AbortSignal) {
      const highlight = kind === "highlight" ? await api.highlight(id, signal) : undefined;
      if (!highlight || !isInReader(highlight)) {
        const tag = await api.addTag(kind, id, name, signal);
        await tagsChanged(kind, id);
        return tag;
      }
      const warnings = await retag(highlight, { add_tags: [name] }, signal);
      const tag = (await api.tagsOf(kind, id, signal)).find((one) => same(one.name, name));
      return { ...(tag ?? { name }), ...withWarnings(warnings) };
    },

    async deleteTag(kind: "source" | "highlight", id: string, tag: string, signal: AbortSignal) {
      const highlight = kind === "highlight" ? await api.highlight(id, signal) : undefined;
      const inReader = highlight !== undefined && isInReader(highlight);
      const name = inReader
        ? (await api.tagsOf(kind, id, signal)).find((one) => String(one.id) === tag)?.name
        : undefined;
      if (highlight && name !== undefined) {
        const warnings = await retag(highlight, { remove_tags: [name] }, signal);
        return { deleted: true as const, ...withWarnings(warnings) };
      }
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
      return { id, url, created, ...withWarnings(warnings) };
    },

    async updateDocument(id: string, edits: Edits, signal: AbortSignal) {
      const additive = edits.add_tags ?? edits.remove_tags ?? edits.append_note;
      // Only an additive change needs the current state; any other continues without it, and then cannot be undone.
      const before =
        additive === undefined
          ? ((await documentAtHand(shared, id)) ?? (await lookBack(() => fetchDocument(id, signal), [])))
          : await fetchDocument(id, signal);
      const changes = additive === undefined || !before ? edits : changesOf(before, edits);
      await api.updateDocument(id, changes, signal);
      await written([LIST]);
      const undo = await keepUndo(shared, [{ before, changes }]);
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
      return { ...showDocument(actual), ...undo, ...withWarnings(warnings) };
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

const readerMayLag: Warning = {
  code: "reader_may_lag",
  message: "Reader did not take the change, so it was made in Readwise; it may show in Reader late or not at all.",
};
const setByReader: Warning = {
  code: "not_kept",
  message: "Reader sets a highlight's place and date itself: location and highlighted_at were not used.",
};

const sourceFieldsOf = ({ title, author, source_url }: Document) => ({
  title: title || source_url || "Untitled",
  author: author || undefined,
  source_url: source_url ?? undefined,
});

/** `supplementals` is a category that sources can have but callers cannot set. */
const sendable = (category: string | null): NewHighlight["category"] =>
  category !== null && ["books", "articles", "tweets", "podcasts"].includes(category) ? category : undefined;

/** A failure of the first batch fails the call; a later one must not hide what was written before. */
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
    const kept = tagNames(actual);
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

/** An existing source keeps its title, author and URL; those given with its id are ignored. */
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
