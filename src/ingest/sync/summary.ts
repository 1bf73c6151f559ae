export type SyncPart = "highlights" | "documents";

export interface SyncCounts {
  added: number;
  updated: number;
  unchanged: number;
  removed: number;
}

export interface SyncSummary {
  project: string;
  /** Whether the project now holds all of what was asked for. */
  complete: boolean;
  /** Sources with their highlights. */
  highlights: SyncCounts;
  /** Reader documents. */
  documents: SyncCounts;
  /** Chunks written. */
  chunks: number;
  skipped: { title: string; url: string | null; reason: string }[];
  warnings: string[];
  /** Why it stopped before the end, and what the next run goes on with. */
  stopped: string | null;
  left: string[];
  retry_after?: number;
}
