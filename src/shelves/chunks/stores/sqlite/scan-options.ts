import type { CachedBlock } from "./code-cache.js";
import type { BlockHead } from "./vectors.js";

/** A block in a search: the owners of its vectors, and the key of its codes. */
export interface ScanBlock extends BlockHead, CachedBlock {}

export interface ScanOptions {
  limit: number;
  accepts(ordinal: number): boolean;
  /** Whether `accepts` rejects more than deleted chunks. */
  filtered: boolean;
  signal: AbortSignal | undefined;
}
