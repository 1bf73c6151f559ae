import { setTimeout as sleep } from "node:timers/promises";
import { ShelfError } from "../../kernel/errors.js";
import { createSerialQueue } from "../../kernel/serial-queue.js";
import type { ChunkStore } from "../../shelves/chunks/chunk-store.js";
import type { Embedders } from "../../shelves/chunks/embedding/embedder.js";
import { createProjects, type Projects } from "../../shelves/chunks/projects.js";
import type { SyncingPart } from "../../shelves/readwise/library/sync-pages.js";
import type { OpenIdentifier } from "../identity.js";
import type { Readers } from "../reader-pool.js";
import { wordsOnly } from "../to-chunks.js";
import { createSyncPasses } from "./passes.js";
import { readState, saveState } from "./state.js";
import type { SyncCounts, SyncPart, SyncSummary } from "./summary.js";
import { createWriting, recipeOf } from "./writing.js";

export interface SyncOptions {
  include?: SyncPart | "both" | undefined;
  /** Stop after writing this many sources and documents. */
  maxDocuments?: number | undefined;
  /** Stop cleanly after this long; without it, when everything is stored. */
  withinMs?: number | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

interface LibrarySyncDeps {
  store: ChunkStore;
  projects?: Projects;
  embedders: Pick<Embedders, "get" | "unavailable">;
  readers: Readers;
  openIdentifier: OpenIdentifier;
  clock?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Stops a run cleanly: written data stays, and the next run continues from there. */
class Stop extends Error {
  constructor(
    message: string,
    readonly retry_after?: number,
  ) {
    super(message);
  }
}

/** Longest single wait that Readwise may ask for before a run stops instead. */
const PATIENCE_S = 90;
/** Waits before a request that failed is tried again. */
const RETRY_MS = [2_000, 8_000];

export type LibrarySync = ReturnType<typeof createLibrarySync>;

/** Copies a person's Readwise library into a project and keeps it up to date. */
export function createLibrarySync({
  store,
  projects = createProjects({ store }),
  embedders,
  readers,
  openIdentifier,
  clock = Date.now,
  wait = (ms, signal) => sleep(ms, undefined, { signal }),
}: LibrarySyncDeps) {
  /** Two runs over one project would read everything twice: the second waits for the first. */
  const alone = createSerialQueue();

  async function run(projectId: string, library: SyncingPart, options: SyncOptions): Promise<SyncSummary> {
    const { include = "both", maxDocuments = Number.POSITIVE_INFINITY, withinMs, progress = () => {} } = options;
    const signal = options.signal ?? new AbortController().signal;
    signal.throwIfAborted();
    const project = await projects.open(projectId);
    const { account } = library;
    const embedder = embedders.get(project.model);
    const documents = await store.documents(project.id);
    const known = new Map(documents.map((document) => [document.id, document]));
    const state = readState(documents, account, recipeOf(embedder));
    const summary = emptySummary(project.id);
    if (!embedder) summary.warnings.push(wordsOnly(project, embedders));
    const deadline = withinMs === undefined ? Number.POSITIVE_INFINITY : clock() + withinMs;
    let answered = false;

    /** Asks upstream, waiting as long as it wants us to where that is reasonable. */
    async function ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
      for (let failures = 0; ; ) {
        if (clock() > deadline) throw new Stop("The time for one run is over.");
        try {
          const answer = await request(signal);
          answered = true;
          return answer;
        } catch (error) {
          if (!(error instanceof ShelfError)) throw error;
          if (error.code === "rate_limited") {
            const seconds = error.retry_after ?? 60;
            if (seconds > PATIENCE_S || clock() + seconds * 1000 > deadline)
              throw new Stop(`Readwise throttles this key for ${seconds} s.`, seconds);
            passes.say(`Readwise asks for ${seconds} s of patience`);
            await wait(seconds * 1000, signal);
          } else if (error.code === "upstream_error" || error.code === "timeout") {
            const delay = RETRY_MS[failures++];
            if (delay !== undefined && clock() + delay < deadline) await wait(delay, signal);
            else if (answered) throw new Stop(error.message);
            else throw error;
          } else throw error;
        }
      }
    }

    const passes = createSyncPasses({
      library,
      readers,
      state,
      known,
      summary,
      writing: createWriting({ store, project, embedder, openIdentifier, account, known, signal }),
      ask,
      save: () => saveState(store, project.id, account, state),
      checkRoom() {
        signal.throwIfAborted();
        if (clock() > deadline) throw new Stop("The time for one run is over.");
        const written = [summary.highlights, summary.documents].reduce(
          (sum, each) => sum + each.added + each.updated,
          0,
        );
        if (written >= maxDocuments) throw new Stop(`${written} were written, as many as one run may.`);
      },
      clock,
      progress,
    });
    try {
      if (include !== "documents") await passes.highlights();
      if (include !== "highlights") await passes.documents();
      summary.complete = true;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      summary.stopped = error.message;
      if (error.retry_after !== undefined) summary.retry_after = error.retry_after;
      summary.left = passes.left(include);
    }
    return summary;
  }

  return {
    sync: (project: string, library: SyncingPart, options: SyncOptions = {}): Promise<SyncSummary> =>
      alone(project, () => run(project, library, options)),
  };
}

function emptySummary(project: string): SyncSummary {
  const counts = (): SyncCounts => ({ added: 0, updated: 0, unchanged: 0, removed: 0 });
  return {
    project,
    complete: false,
    highlights: counts(),
    documents: counts(),
    chunks: 0,
    skipped: [],
    warnings: [],
    stopped: null,
    left: [],
  };
}
