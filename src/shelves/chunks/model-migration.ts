import type { Log } from "../../kernel/log.js";
import type { ChunkStore, Project } from "./chunk-store.js";
import { embedChunks } from "./embed-chunks.js";
import { type Embedders, type ModelIdentity, sameModel } from "./embedding/embedder.js";

const AT_ONCE = 16;

/** Moves projects to their next model in the background; the bound model answers until all is done. */
export function createModelMigrations({
  store,
  embedders,
  log,
}: {
  store: ChunkStore;
  embedders: Embedders;
  log?: Log | undefined;
}) {
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();

  const run = async (id: string, model: ModelIdentity) => {
    const { migration } = store;
    const embedder = embedders.get(model);
    if (!migration || !embedder) return;
    for (;;) {
      stop.signal.throwIfAborted();
      const { chunks } = await migration.pending(id, AT_ONCE);
      if (chunks.length === 0 && (await migration.finish(id))) {
        log?.info("project moved to another model", { project: id, model: model.id });
        return;
      }
      // Another process may have finished it, or begun another one.
      const next = (await store.project(id))?.next_model;
      if (!next || !sameModel(next, model)) return;
      const vectors = await embedChunks(embedder, chunks, stop.signal);
      await migration.write(
        id,
        chunks.map(({ id: chunk, version }, index) => ({ id: chunk, version, vectors: vectors[index] ?? [] })),
      );
    }
  };

  const work = (id: string, model: ModelIdentity): void => {
    if (running.has(id)) return;
    const job = run(id, model)
      // No caller waits for this promise: errors are logged, and the next start or write continues the move.
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          log?.warn("moving a project to another model stopped", { project: id, error: String(error) });
      })
      .finally(() => running.delete(id));
    running.set(id, job);
  };

  return {
    /** Opens the next model's space, unless it is open already, and begins to fill it. */
    async start(project: Project, model: ModelIdentity): Promise<void> {
      if (!project.next_model || !sameModel(project.next_model, model)) await store.migration?.start(project.id, model);
      work(project.id, model);
    },
    /** Takes up what an earlier process left unfinished. */
    async resume(): Promise<void> {
      for (const project of await store.projects()) if (project.next_model) work(project.id, project.next_model);
    },
    async progress(project: Project): Promise<{ to: string; done: number; total: number } | null> {
      if (!project.next_model || !store.migration) return null;
      work(project.id, project.next_model);
      const [{ remaining }, total] = await Promise.all([
        store.migration.pending(project.id, 0),
        store.count(project.id),
      ]);
      return { to: project.next_model.id, done: Math.max(0, total - remaining), total };
    },
    /** Resolves when nothing is being moved. */
    async settled(): Promise<void> {
      await Promise.all(running.values());
    },
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}
export type ModelMigrations = ReturnType<typeof createModelMigrations>;
