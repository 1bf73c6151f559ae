import { ShelfError } from "../../kernel/errors.js";
import { plural } from "../../kernel/plural.js";
import type { DocumentSummary } from "../../shelves/chunks/chunk-store.js";
import type { SyncingPart } from "../../shelves/readwise/library/sync-pages.js";
import { type DocumentsPage, type ExportedSource, exportByIds } from "../../shelves/readwise/readwise-api.js";
import type { Document } from "../../shelves/readwise/schemas.js";
import type { Readers } from "../reader-pool.js";
import { documentArrival, isText, readerDocumentId } from "./documents.js";
import { highlightsArrival, highlightsId } from "./highlights.js";
import { freshPass, later, OVERLAP_MS, type Pass, type SyncState, sinceAfter } from "./state.js";
import type { SyncCounts, SyncPart, SyncSummary } from "./summary.js";
import type { Arrival, LibraryWriting } from "./writing.js";

interface PassesDeps {
  library: SyncingPart;
  readers: Readers;
  state: SyncState;
  known: ReadonlyMap<string, DocumentSummary>;
  summary: SyncSummary;
  writing: LibraryWriting;
  ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  save(): Promise<void>;
  /** Throws where this run may write no more. */
  checkRoom(): void;
  clock(): number;
  progress(done: number, total?: number, message?: string): void;
}

/** Page size; small, because pages contain whole texts. Readwise allows 100. */
const TEXTS_PER_PAGE = 25;
const LISTED_PER_PAGE = 100;
const HOUR_MS = 3_600_000;
/** A full pass is needed now and then: changes of a source itself (title, tags) may be missing from the changes. */
const WHOLE_EXPORT_MS = 7 * 24 * HOUR_MS;
/** A list up to this length is read every time to find deletions; a longer one, which takes minutes, a few times per day. */
const SHORT_LIST = 1_000;
const RELIST_MS = 6 * HOUR_MS;
/** Readwise stops counting here, and perhaps listing: an item missing from such a list may still exist. */
const LIST_CEILING = 10_000;
/** Reader fetches the text of a new document after it is saved. */
const STILL_FETCHING_MS = 24 * HOUR_MS;

/** The passes of one run through the library. Each stores its cursor after every page. */
export function createSyncPasses(deps: PassesDeps) {
  const { library, readers, state, known, summary, writing, ask, save, checkRoom, clock } = deps;
  let done = 0;
  let total: number | undefined;
  const say = (message: string, share = 0) => deps.progress(done + share, total, message);

  async function take(arrival: Arrival, counts: SyncCounts): Promise<void> {
    if (writing.isCurrent(arrival)) {
      counts.unchanged++;
      return;
    }
    checkRoom();
    say(arrival.title);
    try {
      const { result, chunks } = await writing.write(arrival, (share) => say(arrival.title, share));
      counts[result]++;
      summary.chunks += chunks;
    } catch (error) {
      // A text that cannot be read is part of the answer; what was stored of it before stays.
      if (!(error instanceof ShelfError) || error.code !== "PROCESSING_FAILED") throw error;
      summary.skipped.push({ title: arrival.title, url: arrival.origin, reason: error.message });
    }
  }

  /** Reads page by page to the end; `page` returns the next cursor. After a kill at most one page is repeated. */
  async function walk(pass: Pass, page: () => Promise<string | null>): Promise<void> {
    for (let restarted = false; ; ) {
      let next: string | null;
      try {
        next = await page();
      } catch (error) {
        // The cursor may have expired upstream: begin again; what is stored already is skipped quickly.
        const isLost = error instanceof ShelfError && error.code === "upstream_rejected" && pass.cursor !== null;
        if (!isLost || restarted) throw error;
        restarted = true;
        Object.assign(pass, freshPass(pass.since, clock()), { covers: pass.covers });
        continue;
      }
      pass.cursor = next;
      if (next === null) return;
      await save();
    }
  }

  /** A page of changes holds only the changed highlights of a source, so its sources are fetched completely. */
  async function wholeSources(changed: readonly ExportedSource[]): Promise<Map<number, ExportedSource>> {
    const ids = changed.filter(({ is_deleted }) => !is_deleted).map(({ source }) => String(source.id));
    const whole = await exportByIds(ids, (query) => ask((signal) => library.exportPage(query, signal)));
    return new Map(whole.map((each) => [each.source.id, each]));
  }

  async function highlightsPage(pass: Pass): Promise<string | null> {
    const { since, cursor } = pass;
    const query = since === null ? { cursor } : { cursor, updatedAfter: since, includeDeleted: true };
    const page = await ask((signal) => library.exportPage(query, signal));
    const whole = since === null ? undefined : await wholeSources(page.sources);
    for (const listed of page.sources) {
      const { id } = listed.source;
      const source = whole ? whole.get(id) : listed;
      const arrival = source && !source.is_deleted ? highlightsArrival(source) : undefined;
      if (arrival) await take(arrival, summary.highlights);
      else if (await writing.remove(highlightsId(id))) summary.highlights.removed++;
      for (const { highlight } of listed.highlights) pass.newest = later(pass.newest, highlight.updated_at);
      if (since === null && arrival) pass.seen.push(arrival.id);
      done++;
    }
    pass.done += page.sources.length;
    return page.next;
  }

  async function documentsPage(pass: Pass): Promise<string | null> {
    const { since, cursor } = pass;
    const query = {
      cursor,
      limit: TEXTS_PER_PAGE,
      withContent: true,
      ...(since === null ? {} : { updatedAfter: since }),
    };
    const page = await ask((signal) => library.documentPage(query, signal));
    if (cursor === null) pass.total = page.count;
    total = pass.total === null ? undefined : done + Math.max(page.documents.length, pass.total - pass.done);
    for (const document of page.documents) {
      if (isText(document)) await takeDocument(document, pass);
      pass.newest = later(pass.newest, document.updated_at);
      done++;
    }
    pass.done += page.documents.length;
    return page.next;
  }

  async function takeDocument(document: Document, pass: Pass): Promise<void> {
    if (pass.since === null) pass.seen.push(readerDocumentId(document.id));
    state.listing?.seen.push(readerDocumentId(document.id));
    if (document.content?.trim()) return take(documentArrival(document, readers), summary.documents);
    const { title, url, saved_at, updated_at } = document;
    const saved = Date.parse(saved_at ?? "");
    const isNew = clock() - saved < STILL_FETCHING_MS;
    summary.skipped.push({
      title: title ?? "Untitled document",
      url,
      reason: isNew ? "Reader has no text of it yet; the next run looks again." : "Reader has no text of it.",
    });
    if (isNew) pass.covers = Math.min(pass.covers, Date.parse(updated_at ?? "") || saved);
  }

  async function listingPage(pass: Pass): Promise<string | null> {
    say("Looking for what was deleted");
    const page = await ask((signal) => library.documentPage({ cursor: pass.cursor, limit: LISTED_PER_PAGE }, signal));
    for (const document of page.documents) if (isText(document)) pass.seen.push(readerDocumentId(document.id));
    pass.done += page.documents.length;
    return page.next;
  }

  async function sweep(pass: Pass, kind: Arrival["kind"], counts: SyncCounts): Promise<void> {
    const cutShort = kind === "reader" && pass.done >= LIST_CEILING;
    if (pass.done > 0 && !cutShort) counts.removed += await writing.sweep(kind, new Set(pass.seen));
    else if ([...known.values()].some((document) => document.kind === kind))
      summary.warnings.push(
        cutShort
          ? "The list is too long to tell what was deleted from it, so nothing was dropped."
          : `Readwise listed no ${kind === "reader" ? "documents" : "highlights"} at all, so nothing was dropped.`,
      );
  }

  /** The list is sorted by latest change: items changed during the pass have moved to pages already read. */
  async function sweepDocuments(pass: Pass): Promise<void> {
    const updatedAfter = new Date(pass.startedAt - OVERLAP_MS).toISOString();
    let cursor: string | null = null;
    do {
      const query = { updatedAfter, cursor, limit: LISTED_PER_PAGE };
      const page: DocumentsPage = await ask((signal) => library.documentPage(query, signal));
      for (const { id } of page.documents) pass.seen.push(readerDocumentId(id));
      cursor = page.next;
    } while (cursor !== null);
    await sweep(pass, "reader", summary.documents);
    state.documents.wholeAt = clock();
  }

  return {
    say,

    async highlights(): Promise<void> {
      const progress = state.highlights;
      const isDue = progress.wholeAt === null || clock() - progress.wholeAt > WHOLE_EXPORT_MS;
      progress.pass ??= freshPass(isDue ? null : progress.since, clock());
      const { pass } = progress;
      await walk(pass, () => highlightsPage(pass));
      if (pass.since === null) {
        await sweep(pass, "highlights", summary.highlights);
        progress.wholeAt = clock();
      }
      progress.since = sinceAfter(pass);
      progress.pass = null;
      await save();
    },

    async documents(): Promise<void> {
      const progress = state.documents;
      progress.pass ??= freshPass(progress.since, clock());
      const { pass } = progress;
      await walk(pass, () => documentsPage(pass));
      if (pass.since === null) await sweepDocuments(pass);
      progress.since = sinceAfter(pass);
      progress.pass = null;
      const isShort = [...known.values()].filter(({ kind }) => kind === "reader").length <= SHORT_LIST;
      if (pass.since !== null && (isShort || clock() - (progress.wholeAt ?? 0) > RELIST_MS))
        state.listing ??= freshPass(null, clock());
      await save();
      const { listing } = state;
      if (listing === null) return;
      await walk(listing, () => listingPage(listing));
      await sweepDocuments(listing);
      state.listing = null;
      await save();
    },

    /** Work that a stopped run leaves to the next one. */
    left(include: SyncPart | "both"): string[] {
      const left: string[] = [];
      if (include !== "documents" && (state.highlights.pass || state.highlights.since === null))
        left.push("highlights");
      if (include === "highlights") return left;
      const { pass, since } = state.documents;
      if (pass?.total != null && pass.total > pass.done)
        left.push(`about ${plural(pass.total - pass.done, "document")}`);
      else if (pass || since === null) left.push("documents");
      if (state.listing) left.push("what was deleted in Reader");
      return left;
    },
  };
}
