export type SyncPart = "highlights" | "documents";

export interface SyncCounts {
  added: number;
  updated: number;
  unchanged: number;
  removed: number;
}

export interface SyncSummary {
  project: string;
  /** Whether the project now holds everything that was asked for. */
  complete: boolean;
  /** Sources with their highlights. */
  highlights: SyncCounts;
  /** Reader documents. */
  documents: SyncCounts;
  /** Chunks written. */
  chunks: number;
  skipped: { title: string; url: string | null; reason: string }[];
  warnings: string[];
  /** Why it stopped early, and what the next run continues with. */
  stopped: string | null;
  left: string[];
  retry_after?: number;
}
