export const STAGES = ["hash", "read", "chunk", "embed", "store"] as const;
export type Stage = (typeof STAGES)[number];

/** What an ingest did, and what it could not do. */
export interface IngestSummary {
  read: number;
  unchanged: number;
  replaced: number;
  pruned: number;
  /** Files in folders that are no documents. */
  ignored: number;
  chunks: number;
  pages: number;
  skipped: { path: string; reason: string }[];
  /** Read, but not found in the owner's bibliography: the key was made up. */
  unmatched: { path: string; citekey: string }[];
  warnings: { path: string; warning: string }[];
  /** Where the time went. */
  ms: Record<Stage, number>;
}

export function emptySummary(): IngestSummary {
  return {
    read: 0,
    unchanged: 0,
    replaced: 0,
    pruned: 0,
    ignored: 0,
    chunks: 0,
    pages: 0,
    skipped: [],
    unmatched: [],
    warnings: [],
    ms: { hash: 0, read: 0, chunk: 0, embed: 0, store: 0 },
  };
}

export function stopwatch(ms: Record<Stage, number>) {
  return async <T>(stage: Stage, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      ms[stage] += performance.now() - start;
    }
  };
}
