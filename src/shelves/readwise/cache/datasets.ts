import { randomUUID } from "node:crypto";
import { ShelfError } from "../../../kernel/errors.js";
import type { Log } from "../../../kernel/log.js";
import { createSerialQueue } from "../../../kernel/serial-queue.js";
import { type CacheStore, notesSince, placeIn } from "./cache-store.js";
import type { MemoryLimit } from "./memory-limit.js";
import { encodePart } from "./record-log.js";
import type { Flights } from "./single-flight.js";

/** A view over records: built part by part, and updated by more parts. */
export interface View {
  apply(part: Uint8Array): void;
  /** Whether a record changes anything. */
  isNews(record: string): boolean;
  /** Every live record, to rewrite the dataset without superseded ones. */
  liveRecords(): string[];
  /** The share of superseded records; 0 for none. */
  readonly waste: number;
  /** Bytes in memory besides its parts. */
  byteSize(): number;
  /** Bytes of its parts. */
  logSize(): number;
}

export interface ListPage {
  records: string[];
  next: string | null;
  /** The number of unreadable records, which were left out. */
  skipped?: number;
  /** The latest change on the page, by upstream's clock. */
  newest: string | null;
}

/** How a dataset is fetched and updated. */
export interface UpstreamList<V extends View> {
  /** The kind of list, for the log. */
  of: "highlights" | "documents";
  /** Its cache key; never shared by two API keys. */
  key: string;
  /** The journal of writes that affect it. */
  journal: string;
  empty(): V;
  page(cursor: string | null, signal: AbortSignal): Promise<ListPage>;
  /** Fetches the changes since a time; absent if upstream has no such list, and then everything is fetched again. */
  changes?(since: string, cursor: string | null, signal: AbortSignal): Promise<ListPage>;
  /** Record changes for our own writes that the list of changes does not show. */
  afterWrites?(view: V, notes: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** After this long everything is fetched again in the background. */
  refetchAfterMs?: number;
  /**
   * Deletions elsewhere show only in a complete list: a list of at most this many pages is fetched again whenever the old
   * one has expired.
   */
  relist?: { mostPages: number; gone(view: V, seen: ReadonlySet<string>): string[]; idOf(record: string): string };
}

interface Head {
  /** Changes whenever the dataset is started again. */
  version: string;
  parts: number;
  complete: boolean;
  cursor: string | null;
  /** Position in the journal when the fetch began. */
  journal: string;
  /** When the last refresh began, and when the first page was requested, by our clock. */
  syncedAt: number;
  startedAt: number;
  /** The latest change seen, by upstream's clock. */
  newest: string | null;
  /** How many pages the whole list has. */
  pages?: number;
  skipped?: number;
}

interface Held<V> {
  head: Head;
  view: V;
}

export interface Opened<V> {
  view: V;
  /** False if upstream's rate limit interrupted the fetch: the data is partial. */
  complete: boolean;
  retry_after?: number;
  /** When upstream was last requested, by our clock. */
  asOf: number;
  /** The number of unreadable records, which were left out. */
  skipped: number;
}

export type Datasets = ReturnType<typeof createDatasets>;

interface DatasetOptions {
  store: CacheStore;
  flights: Flights;
  limit: MemoryLimit;
  clock: () => number;
  ttlMs: number;
  closing: AbortSignal;
  log?: Log | undefined;
  observe(result: "hit" | "miss"): void;
}

/** The clocks may differ, and a change may become visible late. */
const OVERLAP_MS = 120_000;
/** Outdated data is updated by its changes as long as it is kept. */
const KEPT_MS = 24 * 3600_000;
const TOO_MUCH_WASTE = 0.3;
const RECORDS_PER_PART = 2000;
/** A list that does not fit and has at most this many pages is fetched for every call; a longer one is refused. */
const MOST_PAGES_REFETCHED = 5;
/** How long a list that did not fit is refused without trying again. */
const REFUSED_MS = 3600_000;

export function createDatasets({ store, flights, limit, clock, ttlMs, closing, log, observe }: DatasetOptions) {
  const views = new Map<string, Held<View>>();
  /** Serialises updates: parts applied twice or out of order would bring back superseded records. */
  const loadQueue = createSerialQueue();
  const filling = new Set<string>();
  /** Lists that did not fit, and when that was found. */
  const refused = new Map<string, { at: number; error: ShelfError }>();
  const holdName = (key: string) => `view:${key}`;
  limit.onDrop((name) => {
    if (views.delete(name)) limit.release(holdName(name));
  });

  function hold(key: string, held: Held<View>): void {
    const bytes = held.view.byteSize() + (store.local ? 0 : held.view.logSize());
    views.set(key, held);
    if (!limit.hold(holdName(key), bytes, () => views.delete(key))) views.delete(key);
  }
  function letGo(key: string): void {
    views.delete(key);
    limit.release(holdName(key));
  }

  /** Our view, if it is up to date with the store. */
  function levelWith(key: string, head: Head): Held<View> | undefined {
    const known = views.get(key);
    if (known?.head.version !== head.version || known.head.parts < head.parts) return undefined;
    // Ours may be ahead while a page is being written to the store.
    if (known.head.parts === head.parts && !filling.has(key)) known.head = head;
    return known;
  }

  /** Our view, updated from the store: another process may have added parts. */
  async function load<V extends View>(list: UpstreamList<V>): Promise<Held<V> | undefined> {
    const text = await store.head(list.key);
    if (text === undefined) {
      letGo(list.key);
      return undefined;
    }
    limit.touch(holdName(list.key));
    const level = levelWith(list.key, JSON.parse(text) as Head); // written by take
    const held = level ?? (await loadQueue(list.key, () => loadParts(list)));
    return held as Held<V> | undefined; // a key belongs to one list
  }

  async function loadParts(list: UpstreamList<View>): Promise<Held<View> | undefined> {
    const known = views.get(list.key);
    let from = known?.head.parts ?? 0;
    let entry = await store.read(list.key, from);
    const isOther = () => entry && known && (JSON.parse(entry.head) as Head).version !== known.head.version;
    if (from > 0 && isOther()) {
      from = 0;
      entry = await store.read(list.key);
    }
    if (entry === undefined) return undefined;
    const head = JSON.parse(entry.head) as Head; // written by take
    const level = levelWith(list.key, head);
    if (level) return level;
    if (entry.parts.length < head.parts - from) return undefined;
    const held = { head, view: known && from > 0 ? known.view : list.empty() };
    for (const part of entry.parts.slice(0, Math.max(0, head.parts - from))) held.view.apply(part);
    hold(list.key, held);
    return held;
  }

  /** Adds records to the view and the store. */
  async function take<V extends View>(
    list: UpstreamList<V>,
    held: Held<V>,
    records: string[],
    changes: Partial<Head>,
  ): Promise<void> {
    const isFirst = held.head.parts === 0;
    const news = isFirst ? records : records.filter((record) => held.view.isNews(record));
    const parts = news.length || isFirst ? [encodePart(news)] : [];
    for (const part of parts) held.view.apply(part);
    Object.assign(held.head, changes, { parts: held.head.parts + parts.length });
    const entry = { head: JSON.stringify(held.head), parts };
    if (isFirst) await store.write(list.key, entry, KEPT_MS);
    // If the store rejects our parts, its entry is gone: ours becomes a new dataset.
    else if (!(await store.append(list.key, entry, KEPT_MS))) held.head.version = randomUUID();
    hold(list.key, held);
  }

  async function fill<V extends View>(list: UpstreamList<V>, held: Held<V>, signal: AbortSignal): Promise<void> {
    while (!held.head.complete) {
      signal.throwIfAborted();
      const { records, next, newest, skipped = 0 } = await list.page(held.head.cursor, signal);
      await take(list, held, records, {
        cursor: next,
        complete: next === null,
        newest: later(held.head.newest, newest),
        pages: (held.head.pages ?? 0) + 1,
        skipped: (held.head.skipped ?? 0) + skipped,
      });
      if (!fits(held) && (held.head.pages ?? 0) > MOST_PAGES_REFETCHED) throw refuse(list, held);
    }
  }

  /** A shared store still has a list that does not fit here, and a limit of zero means no cache. */
  const fits = ({ view }: Held<View>) =>
    !store.local || limit.maxBytes === 0 || view.byteSize() + view.logSize() <= limit.maxBytes;

  function refuse(list: UpstreamList<View>, held: Held<View>): ShelfError {
    const mb = Math.floor(limit.maxBytes / 1024 ** 2);
    const pages = held.head.pages ?? 0;
    const error = new ShelfError(
      "too_large",
      `Your ${list.of} do not fit into the server's cache: CACHE_MAX_SIZE_MB is ${mb}, and ${pages} pages of them take more. Set it to ${2 * mb} or higher and give the process that much more memory, or set REDIS_URL.`,
      { details: { list: list.of, cache_max_size_mb: mb, pages_read: pages } },
    );
    refused.set(list.key, { at: clock(), error });
    return error;
  }

  async function catchUp<V extends View>(
    list: UpstreamList<V>,
    held: Held<V>,
    journal: string,
    notes: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const began = clock();
    const since = sinceWhen(held.head);
    const expired = began - held.head.syncedAt >= ttlMs;
    const relist = expired && (held.head.pages ?? Number.POSITIVE_INFINITY) <= (list.relist?.mostPages ?? 0);
    let newest = held.head.newest;
    const all = async (next: (cursor: string | null) => Promise<ListPage>, seen?: Set<string>): Promise<number> => {
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: ListPage = await next(cursor);
        pages++;
        cursor = page.next;
        newest = later(newest, page.newest);
        for (const record of seen ? page.records : []) seen?.add(list.relist!.idOf(record));
        await take(list, held, page.records, {});
      } while (cursor !== null);
      return pages;
    };
    if (since === undefined) await all((cursor) => list.page(cursor, signal));
    else if (relist) {
      const seen = new Set<string>();
      const pages = await all((cursor) => list.page(cursor, signal), seen);
      // Records that changed during the fetch have moved to the front of the list, which was read before.
      await all((cursor) => list.changes!(since, cursor, signal), seen);
      await take(list, held, list.relist!.gone(held.view, seen), { pages, startedAt: began });
    } else await all((cursor) => list.changes!(since, cursor, signal));
    const written = notes.length > 0 && list.afterWrites ? await list.afterWrites(held.view, notes, signal) : [];
    await take(list, held, written, { journal, syncedAt: began, newest });
    if (held.view.waste > TOO_MUCH_WASTE) await rewrite(list, held);
  }

  /** Rewrites the dataset without superseded records. */
  async function rewrite<V extends View>(list: UpstreamList<V>, held: Held<V>): Promise<void> {
    const records = held.view.liveRecords();
    const parts: Uint8Array[] = [];
    for (let i = 0; i < Math.max(1, records.length); i += RECORDS_PER_PART)
      parts.push(encodePart(records.slice(i, i + RECORDS_PER_PART)));
    held.view = list.empty();
    for (const part of parts) held.view.apply(part);
    Object.assign(held.head, { version: randomUUID(), parts: parts.length });
    await store.write(list.key, { head: JSON.stringify(held.head), parts }, KEPT_MS);
    hold(list.key, held);
  }

  function begin<V extends View>(list: UpstreamList<V>, journal: string): Held<V> {
    const now = clock();
    const head: Head = {
      version: randomUUID(),
      parts: 0,
      complete: false,
      cursor: null,
      journal,
      syncedAt: now,
      startedAt: now,
      newest: null,
    };
    return { head, view: list.empty() };
  }

  const isFresh = (head: Head, journal: string) =>
    head.complete && head.journal === journal && clock() - head.syncedAt < ttlMs;

  async function refresh<V extends View>(list: UpstreamList<V>, signal: AbortSignal): Promise<Opened<V>> {
    const journal = await store.journal(list.journal);
    const place = placeIn(journal);
    let held = await load(list);
    if (held && isFresh(held.head, place)) return opened(held);
    observe("miss");
    const notes = held && notesSince(journal, held.head.journal);
    const keepsUp = list.changes !== undefined && notes !== undefined;
    // An unfinished dataset continues from its cursor, even after writes: its journal position stays.
    if (!held || (held.head.complete && !keepsUp) || (!held.head.complete && notes === undefined)) {
      letGo(list.key);
      await store.remove(list.key);
      held = begin(list, place);
    }
    const current = held;
    filling.add(list.key);
    try {
      const wasComplete = current.head.complete;
      await fill(list, current, signal);
      if (wasComplete || current.head.journal !== place) {
        if (list.changes) await catchUp(list, current, place, notes ?? [], signal);
        else await take(list, current, [], { journal: place });
      }
      return opened(current);
    } catch (error) {
      if (!(error instanceof ShelfError) || error.code !== "rate_limited" || current.head.parts === 0) throw error;
      return { ...opened(current), complete: false, retry_after: error.retry_after ?? 60 };
    } finally {
      filling.delete(list.key);
    }
  }

  /** Fetches everything again; the old data is used until the new data is complete. */
  function renew<V extends View>(list: UpstreamList<V>, held: Held<V>): void {
    if (list.refetchAfterMs === undefined || !held.head.complete || clock() - held.head.startedAt < list.refetchAfterMs)
      return;
    const next: UpstreamList<V> = { ...list, key: `${list.key}+` };
    const work = flights.share(next.key, closing, (signal) =>
      store.alone(next.key, signal, async () => {
        const { complete } = await refresh(next, signal);
        const entry = await store.read(next.key);
        if (!complete || !entry) return;
        letGo(next.key);
        await store.alone(list.key, signal, () => store.write(list.key, entry, KEPT_MS));
        await store.remove(next.key);
      }),
    );
    // Callers already have their answer, and the next one tries again; the failure is logged.
    work.catch((error: unknown) => {
      if (closing.aborted) return;
      log?.warn("a full list from Readwise failed; the old one stays", {
        list: list.of,
        age_hours: Math.round((clock() - held.head.startedAt) / 3_600_000),
        error: error instanceof ShelfError ? error.code : String(error),
      });
    });
  }

  return {
    async open<V extends View>(list: UpstreamList<V>, signal: AbortSignal): Promise<Opened<V>> {
      const no = refused.get(list.key);
      if (no && clock() - no.at < REFUSED_MS) throw no.error;
      refused.delete(list.key);
      const place = placeIn(await store.journal(list.journal));
      const held = await load(list);
      if (held && isFresh(held.head, place)) {
        observe("hit");
        renew(list, held);
        return opened(held);
      }
      return flights.share(`${list.key}@${place}`, signal, (shared) => {
        const until = AbortSignal.any([shared, closing]);
        return store.alone(list.key, until, () => refresh(list, until));
      });
    },
    /** The data in memory, complete but perhaps outdated; makes no request. */
    peek<V extends View>(list: UpstreamList<V>): V | undefined {
      const held = views.get(list.key) as Held<V> | undefined;
      return held?.head.complete ? held.view : undefined;
    },
    /** Accounts for the growth of a view since it was opened. */
    account<V extends View>(list: UpstreamList<V>, view: V): void {
      const held = views.get(list.key);
      if (held?.view === view) hold(list.key, held);
    },
  };
}

const opened = <V>({ view, head }: Held<V>): Opened<V> => ({
  view,
  complete: true,
  asOf: head.syncedAt,
  skipped: head.skipped ?? 0,
});

/**
 * The time from which changes are requested: shortly before the last change seen, or before the last refresh if that was
 * earlier. The last change seen is by upstream's clock; ours may be ahead.
 */
function sinceWhen({ newest, syncedAt }: Head): string | undefined {
  return newest === null ? undefined : new Date(Math.min(Date.parse(newest), syncedAt) - OVERLAP_MS).toISOString();
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) >= Date.parse(b) ? a : b;
}
