import { ShelfError } from "../../../kernel/errors.js";
import { LIST, READER_TAGS } from "../cache/cache.js";
import { documentList } from "../cache/upstream-lists.js";
import { tagNames } from "../kinds.js";
import type { DocumentChanges, DocumentUpdate } from "../readwise-api.js";
import type { Document, ShownDocument, Warning } from "../schemas.js";
import type { DocumentsPart } from "./documents.js";
import type { Shared } from "./shared.js";
import { showDocument, withWarnings } from "./showing.js";

/** The most that Reader accepts per request. */
const BATCH = 50;
/** The most documents fetched one by one if the cached list lacks them; each takes one of twenty requests per minute. */
const MOST_SINGLE = 10;
const UNDO = "/undo/documents";
/** A document changed here: the cached list may be outdated for it. */
const changedHere = (id: string) => `/changed/documents/${id}`;
const UNDO_HINT = "undo: true takes this change back, for a day.";

/** Changes that are computed from the current state. */
export interface AdditiveEdits {
  add_tags?: string[] | undefined;
  remove_tags?: string[] | undefined;
  append_note?: string | undefined;
}
export type Edits = Omit<DocumentChanges, "reading_progress"> & AdditiveEdits;

interface BulkResult {
  id: string;
  success: boolean;
  error?: string;
  /** The new state; in a dry run the state it would have. */
  document?: ShownDocument;
  /** The fields that an undo restored. */
  undone?: Undone[];
}
interface Undone {
  field: string;
  from: unknown;
  to: unknown;
}

export const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The tags after adding and removing; names that differ only in case are equal. */
export function editedTags(before: readonly string[], { tags, add_tags = [], remove_tags = [] }: Edits): string[] {
  const kept = (tags ?? before).filter((name) => !remove_tags.some((gone) => same(gone, name)));
  return [...kept, ...add_tags.filter((name) => !kept.some((known) => same(known, name)))];
}

export const appended = (before: string | null, more: string) => [before?.trim(), more].filter(Boolean).join("\n");

/** The fields to send, computed from the current state, because Reader can only replace. */
export function changesOf(before: Document, edits: Edits): Omit<DocumentUpdate, "id"> {
  const { add_tags, remove_tags, append_note, tags, ...plain } = edits;
  const retagged = tags !== undefined || add_tags !== undefined || remove_tags !== undefined;
  return {
    ...plain,
    ...(append_note === undefined ? {} : { notes: appended(before.notes, append_note) }),
    ...(retagged ? { tags: editedTags(tagNames(before), edits) } : {}),
  };
}

/** The changeable fields of a document, in the form of a change. */
function stateOf(document: Document): Record<string, unknown> {
  const { title, author, summary, location, notes, first_opened_at } = document;
  const seen = first_opened_at !== null;
  // Empty text clears a field.
  const texts = { author: author ?? "", summary: summary ?? "", notes: notes ?? "" };
  return { title, ...texts, location, seen, tags: tagNames(document) };
}

/** The change that restores the fields these changes affect. */
function undoOf(before: Document, changes: object): DocumentUpdate {
  const state = stateOf(before);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const fields = given.map(([field]) => field).filter((field) => state[field] !== null && state[field] !== undefined);
  return { id: before.id, ...Object.fromEntries(fields.map((field) => [field, state[field]])) };
}

/** Remembers how to undo the last change; a change whose former state is unknown cannot be undone. */
export async function keepUndo(
  { keep, recall }: Pick<Shared, "keep" | "recall">,
  changed: readonly { before: Document | undefined; changes: object }[],
): Promise<{ hint?: string }> {
  const back = changed.flatMap(({ before, changes }) => (before ? [undoOf(before, changes)] : []));
  await Promise.all([keep(UNDO, back), ...back.map(({ id }) => keep(changedHere(id), true))]);
  const kept = back.length > 0 && (await recall<DocumentUpdate[]>(UNDO))?.length;
  return kept ? { hint: UNDO_HINT } : {};
}

/** A document from the cached list, without a request, unless it was changed here since. */
export async function documentAtHand(
  { api, datasets, keyHash, recall }: Pick<Shared, "api" | "datasets" | "keyHash" | "recall">,
  id: string,
): Promise<Document | undefined> {
  const document = datasets.peek(documentList(api, keyHash))?.document(id);
  return document && !(await recall<boolean>(changedHere(id))) ? document : undefined;
}

/** It is not documented whether Reader clears a field for empty text: the stored value is reported. */
function notCleared(back: readonly DocumentUpdate[], results: readonly BulkResult[]): Warning[] {
  return back.flatMap((update) => {
    const document = results.find(({ id, success }) => id === update.id && success)?.document;
    return (["author", "summary", "notes"] as const)
      .filter((field) => update[field] === "" && document?.[field])
      .map((field) => ({
        code: "not_kept",
        message: `Reader accepted an empty ${field} for ${update.id}, and still has one.`,
        details: { field },
      }));
  });
}

function undoneOf({ id: _id, ...back }: DocumentUpdate, now: Document): Undone[] {
  const state = stateOf(now);
  return Object.entries(back)
    .map(([field, to]) => ({ field, from: state[field] ?? null, to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

function asChanged(before: Document, changes: Omit<DocumentUpdate, "id">): ShownDocument {
  const { tags, seen: _seen, reading_progress: _progress, ...plain } = changes;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return showDocument({
    ...before,
    ...given,
    ...(tags ? { tags: Object.fromEntries(tags.map((name) => [name.toLowerCase(), { name }])) } : {}),
  });
}

/** Changes many documents in one call: fifty per request, one result each, with undo. */
export function bulkPart(shared: Shared, { fetchDocument }: DocumentsPart) {
  const { api, datasets, keyHash, written, keep, recall } = shared;

  /** The current documents: from the cached list, otherwise one by one. */
  async function current(ids: readonly string[], signal: AbortSignal): Promise<Map<string, Document>> {
    const found = new Map<string, Document>();
    const { view } = await datasets.open(documentList(api, keyHash), signal);
    for (const id of ids) {
      const document = view.document(id);
      if (document) found.set(id, document);
    }
    for (const id of ids.filter((one) => !found.has(one)).slice(0, MOST_SINGLE)) {
      try {
        found.set(id, await fetchDocument(id, signal));
      } catch (error) {
        if (!(error instanceof ShelfError) || error.code !== "not_found") throw error;
      }
    }
    return found;
  }

  /** Sends the updates; those stopped by a rate limit are listed and can be sent again. */
  async function send(updates: readonly DocumentUpdate[], signal: AbortSignal) {
    const outcomes = new Map<string, { success: boolean; error?: string }>();
    for (let i = 0; i < updates.length; i += BATCH) {
      const batch = updates.slice(i, i + BATCH);
      try {
        for (const { id, ...outcome } of await api.updateDocuments(batch, signal)) outcomes.set(id, outcome);
      } catch (error) {
        if (!(error instanceof ShelfError) || i === 0) throw error;
        const remaining = updates.slice(i).map(({ id }) => id);
        return { outcomes, remaining, stopped: error };
      } finally {
        await written([LIST]);
      }
    }
    return { outcomes, remaining: [] as string[], stopped: undefined };
  }

  async function apply(
    before: ReadonlyMap<string, Document>,
    ids: readonly string[],
    updates: readonly DocumentUpdate[],
    signal: AbortSignal,
  ) {
    const { outcomes, remaining, stopped } = await send(updates, signal);
    if (updates.some(({ tags }) => tags)) await written([READER_TAGS]);
    const after = outcomes.size > 0 ? await current([...outcomes.keys()], signal) : new Map<string, Document>();
    const warnings: Warning[] = [];
    const results = ids.map((id): BulkResult => {
      const document = after.get(id) ?? before.get(id);
      const shown = document ? { document: showDocument(document) } : {};
      if (!before.has(id)) return { id, success: false, error: "Reader has no such document." };
      const outcome = outcomes.get(id);
      if (!outcome) return { id, success: false, error: "Not sent: Readwise's limit was reached.", ...shown };
      const update = updates.find((one) => one.id === id)!;
      const kept = !document || update.location === undefined || document.location === update.location;
      if (outcome.success && !kept)
        warnings.push({
          code: "not_kept",
          message: `Reader accepted the move of ${id} to ${update.location}, and it is in ${document.location}.`,
        });
      return { id, ...outcome, ...shown };
    });
    if (stopped)
      warnings.push({
        code: "partial",
        message: `${outcomes.size} were sent, ${remaining.length} were not: ${stopped.message} Call again with ids set to remaining.`,
        ...(stopped.retry_after === undefined ? {} : { details: { retry_after: stopped.retry_after } }),
      });
    return {
      results,
      updated: results.filter(({ success }) => success).length,
      ...(remaining.length ? { remaining } : {}),
      ...(stopped?.retry_after === undefined ? {} : { retry_after: stopped.retry_after }),
      ...withWarnings(warnings),
    };
  }

  return {
    async updateDocuments(given: readonly string[], edits: Edits, dryRun: boolean, signal: AbortSignal) {
      const ids = [...new Set(given)];
      const before = await current(ids, signal);
      const updates = ids.flatMap((id) => {
        const document = before.get(id);
        return document ? [{ id, ...changesOf(document, edits) }] : [];
      });
      if (dryRun) {
        const results = ids.map((id): BulkResult => {
          const document = before.get(id);
          if (!document) return { id, success: false, error: "Reader has no such document." };
          return { id, success: true, document: asChanged(document, changesOf(document, edits)) };
        });
        return { results, updated: 0, dry_run: true, hint: "Nothing was changed. Call again without dry_run." };
      }
      const answer = await apply(before, ids, updates, signal);
      const done = new Set(answer.results.filter(({ success }) => success).map(({ id }) => id));
      const changed = updates
        .filter(({ id }) => done.has(id))
        .map(({ id, ...changes }) => ({ before: before.get(id), changes }));
      return changed.length > 0 ? { ...answer, ...(await keepUndo(shared, changed)) } : answer;
    },

    /** Undoes the last change. */
    async undoDocuments(signal: AbortSignal) {
      const back = await recall<DocumentUpdate[]>(UNDO);
      if (!back?.length)
        throw new ShelfError("not_found", "There is no change of documents to undo: the last one is kept for a day.");
      const ids = back.map(({ id }) => id);
      const before = await current(ids, signal);
      const answer = await apply(before, ids, back, signal);
      const left = back.filter(({ id }) => answer.results.some((one) => one.id === id && !one.success));
      await keep(UNDO, left);
      const results = answer.results.map((result): BulkResult => {
        const [now, update] = [before.get(result.id), back.find(({ id }) => id === result.id)];
        return result.success && now && update ? { ...result, undone: undoneOf(update, now) } : result;
      });
      return { ...answer, results, ...withWarnings(answer.warnings, notCleared(back, answer.results)) };
    },
  };
}
