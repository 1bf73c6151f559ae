/**
 * Stores the vectors of users' libraries between runs. Every call names one space, and a space belongs to one
 * key: there is no way to ask across keys. It is a cache: rows may be gone at any time.
 */
export interface MeaningStore {
  /** Rows by content hash; those that are not kept are left out. */
  read(space: Space, hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** False where there is no room for them. */
  write(space: Space, rows: ReadonlyMap<string, Uint8Array>): Promise<boolean>;
  /**
   * Whether this process computes a space's missing rows: of several on one folder only one does. Calling it
   * again keeps the claim; it expires if it is not renewed.
   */
  claim(space: Space): Promise<boolean>;
  /** Lets another process make the rest. */
  release(space: Space): Promise<void>;
  /** Drops the rows of a space that are not among these. */
  keepOnly(space: Space, hashes: ReadonlySet<string>): Promise<void>;
  /** Drops all that is kept for a key, or for every key; returns how many rows. */
  forget(keyHash?: string): Promise<number>;
  close(): Promise<void>;
}

export interface Space {
  /** SHA-256 of the Readwise key. */
  keyHash: string;
  kind: "highlights" | "documents";
  /** The model and its weights: vectors of another one are not comparable. */
  model: string;
}
