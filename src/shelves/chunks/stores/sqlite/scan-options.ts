import type { CachedBlock } from "./code-cache.js";
import type { BlockHead } from "./vectors.js";

/** A block as a search sees it: whose vectors it holds, and where its codes lie. */
export interface ScanBlock extends BlockHead, CachedBlock {}

export interface ScanOptions {
  limit: number;
  accepts(ordinal: number): boolean;
  /** Whether `accepts` turns away more than chunks that are gone. */
  filtered: boolean;
  signal: AbortSignal | undefined;
}
