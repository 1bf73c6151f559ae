const STAGES = ["hash", "read", "chunk", "embed", "store"] as const;
type Stage = (typeof STAGES)[number];

/** The result of an ingest, problems included. */
export interface IngestSummary {
  read: number;
  unchanged: number;
  replaced: number;
  pruned: number;
  /** Files that were read for the first time, and those whose content or record changed. */
  added: string[];
  changed: string[];
  /** Files that were renamed or moved: only their paths were written. */
  moved: { from: string; to: string }[];
  /** Documents of the project whose files are gone from the folders that were read. */
  vanished: string[];
  /** Files in folders that are not documents. */
  ignored: string[];
  /** Bibliographies beside the documents, or remembered from an earlier run, that were used. */
  bibliographies: string[];
  chunks: number;
  pages: number;
  skipped: { path: string; reason: string }[];
  /** Files of the whole project that are not in the owner's bibliography: their keys were generated. */
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
    added: [],
    changed: [],
    moved: [],
    vanished: [],
    ignored: [],
    bibliographies: [],
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
