/** Something kept for a while: a short description and the bytes it describes, which may grow. */
export interface CacheEntry {
  head: string;
  parts: Uint8Array[];
}

/**
 * Where cached bytes live, for one process or for several. It never looks inside them. An entry may be gone at any
 * time; callers must work without it.
 */
export interface CacheStore {
  /** Whether the bytes are this process's own, so that what refers to them costs nothing extra. */
  readonly local: boolean;
  head(key: string): Promise<string | undefined>;
  /** The entry, with its parts from number `from` on. */
  read(key: string, from?: number): Promise<CacheEntry | undefined>;
  write(key: string, entry: CacheEntry, ttlMs: number): Promise<void>;
  /** Adds parts to an entry that exists and replaces its head; false where it is gone. */
  append(key: string, entry: CacheEntry, ttlMs: number): Promise<boolean>;
  remove(key: string): Promise<void>;

  /** What was written upstream under this name, in order: data read before a note is out of date. */
  journal(name: string): Promise<Journal>;
  note(name: string, text: string): Promise<void>;

  /** Runs when nobody else who asked for the same name is running. */
  alone<T>(name: string, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Journal {
  /** Another one where the old journal was lost. */
  id: string;
  notes: readonly string[];
}

/** A place in a journal: equal places mean that nothing was noted in between. */
export const placeIn = (journal: Journal) => `${journal.id}:${journal.notes.length}`;

/** What was noted since a place, or undefined where the journal was lost and nothing can be said. */
export function notesSince(journal: Journal, place: string): readonly string[] | undefined {
  const [id, length] = place.split(":");
  return id === journal.id ? journal.notes.slice(Number(length)) : undefined;
}
