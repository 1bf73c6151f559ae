import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createSerialQueue } from "../../../../kernel/serial-queue.js";
import type { CacheEntry, CacheStore, Journal } from "../cache-store.js";
import type { MemoryLimit } from "../memory-limit.js";

const OVERHEAD = 200;
const MAX_JOURNALS = 10_000;
const MAX_NOTES = 1_000;

/** Cached bytes of one process, under its memory limit. */
export function memoryCacheStore({ limit, clock }: { limit: MemoryLimit; clock: () => number }): CacheStore {
  const entries = new Map<string, CacheEntry & { bytes: number; expires: number }>();
  // Dropping a journal only causes its readers to fetch again.
  const journals = new LRUCache<string, { id: string; notes: string[] }>({ max: MAX_JOURNALS });
  const queue = createSerialQueue();

  function live(key: string) {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (clock() < entry.expires) {
      limit.touch(key);
      return entry;
    }
    forget(key);
    return undefined;
  }
  function forget(key: string): void {
    entries.delete(key);
    limit.release(key);
  }
  function keep(key: string, entry: CacheEntry, ttlMs: number): boolean {
    const bytes = entry.parts.reduce((sum, part) => sum + part.byteLength, OVERHEAD + entry.head.length);
    entries.set(key, { ...entry, bytes, expires: clock() + ttlMs });
    if (limit.hold(key, bytes, () => entries.delete(key))) return true;
    entries.delete(key);
    return false;
  }
  function journalOf(name: string): { id: string; notes: string[] } {
    const journal = journals.get(name) ?? { id: randomUUID(), notes: [] };
    journals.set(name, journal);
    return journal;
  }

  return {
    local: true,
    async head(key) {
      return live(key)?.head;
    },
    async read(key, from = 0) {
      const entry = live(key);
      return entry && { head: entry.head, parts: entry.parts.slice(from) };
    },
    async write(key, entry, ttlMs) {
      keep(key, entry, ttlMs);
    },
    async append(key, { head, parts }, ttlMs) {
      const entry = live(key);
      return (
        entry !== undefined &&
        keep(key, { head, parts: parts.length ? [...entry.parts, ...parts] : entry.parts }, ttlMs)
      );
    },
    async remove(key) {
      forget(key);
    },
    async journal(name): Promise<Journal> {
      const { id, notes } = journalOf(name);
      return { id, notes: [...notes] };
    },
    async note(name, text) {
      const journal = journalOf(name);
      if (journal.notes.length >= MAX_NOTES) journals.set(name, { id: randomUUID(), notes: [text] });
      else journal.notes.push(text);
    },
    async alone(name, signal, run) {
      return queue(name, run, signal);
    },
    async close() {
      for (const key of entries.keys()) limit.release(key);
      entries.clear();
      journals.clear();
    },
  };
}
