import { embedInto } from "../../../../ingest/to-chunks.js";
import { createSerialQueue } from "../../../../kernel/serial-queue.js";
import type { ChunkStore, DocumentSummary, Project } from "../../../chunks/chunk-store.js";
import type { Embedders } from "../../../chunks/embedding/embedder.js";
import type { ProcessingStatus } from "../../notebook-backend.js";

/** Set in a document's `extra` while its chunks have no vectors yet: until then it is found by words only. */
export const UNEMBEDDED = "unembedded";

export type Background = ReturnType<typeof createBackground>;

interface Job {
  notebookId: string;
  docId: string;
  progress: number;
  stopped: AbortController;
  done: Promise<void>;
}

export function createBackground({ store, embedders }: { store: ChunkStore; embedders: Pick<Embedders, "get"> }) {
  const jobs = new Map<string, Job>();
  const failed = new Set<string>();
  const inTurn = createSerialQueue();
  let closed = false;
  const key = (notebookId: string, docId: string) => `${notebookId}\n${docId}`;

  async function run(notebook: Project, job: Job): Promise<void> {
    const { signal } = job.stopped;
    const embedder = embedders.get(notebook.model);
    const document = await store.document(notebook.id, job.docId);
    if (!embedder || !document?.extra[UNEMBEDDED]) return;
    const chunks = (await store.chunks(notebook.id, { doc_id: job.docId })).map((chunk) => ({
      ...chunk,
      vectors: [] as Float32Array[],
    }));
    await embedInto(chunks, document.title, embedder, {
      signal,
      onEmbedded: (done, total) => {
        job.progress = total === 0 ? 1 : done / total;
      },
    });
    signal.throwIfAborted();
    // Removed or replaced by another process in the meantime: the new vectors are dropped.
    if (!(await store.document(notebook.id, job.docId))?.extra[UNEMBEDDED]) return;
    const { [UNEMBEDDED]: _done, ...extra } = document.extra;
    await store.replaceDocument(notebook.id, { ...document, extra }, chunks, signal);
  }

  async function end(ended: readonly Job[]): Promise<void> {
    for (const job of ended) job.stopped.abort();
    await Promise.all(ended.map(({ done }) => done));
  }

  return {
    /** Embeds a stored document's chunks in the background; also resumes the work another process left unfinished. */
    embed(notebook: Project, docId: string): void {
      const id = key(notebook.id, docId);
      if (closed || jobs.has(id) || failed.has(id)) return;
      const stopped = new AbortController();
      const job: Job = { notebookId: notebook.id, docId, progress: 0, stopped, done: Promise.resolve() };
      jobs.set(id, job);
      job.done = inTurn("model", () => run(notebook, job), stopped.signal)
        .catch(() => {
          // Stopped on purpose, or the model or the store failed: the source stays searchable by words.
          if (!stopped.signal.aborted) failed.add(id);
        })
        .finally(() => jobs.delete(id));
    },

    state(
      notebook: Project,
      { id, extra }: DocumentSummary,
    ): { processing_status: ProcessingStatus; progress?: number } {
      if (!extra[UNEMBEDDED] || !embedders.get(notebook.model)) return { processing_status: "complete" };
      if (failed.has(key(notebook.id, id))) return { processing_status: "failed" };
      this.embed(notebook, id);
      const progress = jobs.get(key(notebook.id, id))?.progress ?? 0;
      return { processing_status: "processing", progress: Math.round(progress * 100) / 100 };
    },

    /** Stops work on a document, or on all of a notebook, before it is removed. */
    stop: (notebookId: string, docId?: string): Promise<void> =>
      end(
        [...jobs.values()].filter(
          (job) => job.notebookId === notebookId && (docId === undefined || job.docId === docId),
        ),
      ),
    async close(): Promise<void> {
      closed = true;
      await end([...jobs.values()]);
    },
  };
}
