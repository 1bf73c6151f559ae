/** A cache entry: a short head and the bytes it describes, to which parts can be appended. */
export interface CacheEntry {
  head: string;
  parts: Uint8Array[];
}

/**
 * Stores cached bytes for one process or for several, without interpreting them. An entry may be evicted at any
 * time; callers must work without it.
 */
export interface CacheStore {
  /** Whether the bytes are in this process, so that references to them need no extra memory. */
  readonly local: boolean;
  head(key: string): Promise<string | undefined>;
  /** The entry with its parts from index `from` on. */
  read(key: string, from?: number): Promise<CacheEntry | undefined>;
  write(key: string, entry: CacheEntry, ttlMs: number): Promise<void>;
  /** Appends parts to an existing entry and replaces its head; false if the entry is gone. */
  append(key: string, entry: CacheEntry, ttlMs: number): Promise<boolean>;
  remove(key: string): Promise<void>;

  /** The journal of upstream writes under this name, in order: data read before a note is out of date. */
  journal(name: string): Promise<Journal>;
  note(name: string, text: string): Promise<void>;

  /** One at a time per name. */
  alone<T>(name: string, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Journal {
  /** Changes if the journal was lost and started again. */
  id: string;
  notes: readonly string[];
}

/** A position in a journal: equal positions mean that nothing was noted in between. */
export const placeIn = (journal: Journal) => `${journal.id}:${journal.notes.length}`;

/** The notes since a position, or undefined if the journal was lost. */
export function notesSince(journal: Journal, place: string): readonly string[] | undefined {
  const [id, length] = place.split(":");
  return id === journal.id ? journal.notes.slice(Number(length)) : undefined;
}
