import { ShelfError } from "../kernel/errors.js";
import type { Log } from "../kernel/log.js";

type Progress = (done: number, total?: number, message?: string) => void;

/** How far an ingest is, or how the last one of a project ended. */
interface JobState {
  status: "running" | "done" | "failed";
  started_at: string;
  /** Documents done, of so many. */
  done: number;
  total: number | null;
  current: string | null;
  error: string | null;
}

interface Job<T> {
  state: JobState;
  result: Promise<T>;
  stop: AbortController;
}

/** Clients end a call after 60 seconds: a longer ingest answers before that and continues. */
const PATIENCE_MS = 45_000;
const REMEMBERED = 200;

export type IngestJobs = ReturnType<typeof createIngestJobs>;

/** Ingests that may outlast the call that began them: one per project at a time. */
export function createIngestJobs({ patienceMs = PATIENCE_MS, log }: { patienceMs?: number; log?: Log } = {}) {
  const jobs = new Map<string, Job<unknown>>();

  function begin<T>(project: string, work: (signal: AbortSignal, progress: Progress) => Promise<T>, tell: Progress) {
    const state: JobState = {
      status: "running",
      started_at: new Date().toISOString(),
      done: 0,
      total: null,
      current: null,
      error: null,
    };
    const stop = new AbortController();
    const result = work(stop.signal, (done, total, message) => {
      Object.assign(state, { done: Math.floor(done), total: total ?? state.total, current: message ?? null });
      tell(done, total, message);
    }).then(
      (value) => {
        Object.assign(state, { status: "done", current: null });
        return value;
      },
      (error: unknown) => {
        // Unexpected errors are logged by the call; their messages must not appear here.
        const message = error instanceof ShelfError ? error.message : "It was stopped. What was read so far is kept.";
        Object.assign(state, { status: "failed", current: null, error: message });
        throw error;
      },
    );
    const job: Job<T> = { state, result, stop };
    jobs.delete(project);
    jobs.set(project, job);
    for (const [id, old] of jobs) {
      if (jobs.size <= REMEMBERED) break;
      if (old.state.status !== "running") jobs.delete(id);
    }
    return job;
  }

  return {
    /** The result where it comes in time; else how far it is, and the work goes on. */
    async run<T>(
      project: string,
      work: (signal: AbortSignal, progress: Progress) => Promise<T>,
      { signal, progress }: { signal: AbortSignal; progress: Progress },
    ): Promise<{ result: T } | { running: JobState }> {
      if (jobs.get(project)?.state.status === "running")
        throw new ShelfError(
          "INVALID_INPUT",
          `'${project}' is being filled already. inspect_collection shows how far it is; call again when it is done.`,
          { details: { project } },
        );
      let listening = true;
      const job = begin(project, work, (...step) => {
        if (listening) progress(...step);
      });
      // While the caller waits, the caller's signal stops it.
      const cancel = () => job.stop.abort(signal.reason);
      if (signal.aborted) cancel();
      signal.addEventListener("abort", cancel, { once: true });
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<"waited">((resolve) => {
        timer = setTimeout(resolve, patienceMs, "waited");
      });
      try {
        const first = await Promise.race([job.result.then((result) => ({ result })), patience]);
        if (first !== "waited") return first;
        // Its state says how it ended; unexpected errors are logged, as they are for a call.
        job.result.catch((error: unknown) => {
          if (!(error instanceof ShelfError) && !job.stop.signal.aborted)
            log?.error("ingest failed unexpectedly", {
              project,
              error: error instanceof Error ? error.stack : String(error),
            });
        });
        return { running: { ...job.state } };
      } finally {
        listening = false;
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
      }
    },
    state: (project: string): JobState | undefined => jobs.get(project)?.state,
    /** Resolves when nothing runs any more. */
    async settled(): Promise<void> {
      await Promise.allSettled([...jobs.values()].map(({ result }) => result));
    },
    async close(): Promise<void> {
      for (const { stop } of jobs.values()) stop.abort();
      await this.settled();
    },
  };
}
