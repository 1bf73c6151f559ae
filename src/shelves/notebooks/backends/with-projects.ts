import type { ChunkStore } from "../../chunks/chunk-store.js";
import type { NotebookBackend } from "../notebook-backend.js";

/** Notebooks that live elsewhere, beside the projects of this machine: what is read and asked may be either. */
export function withProjects(
  elsewhere: NotebookBackend,
  { here, store }: { here: NotebookBackend; store: Pick<ChunkStore, "project"> },
): NotebookBackend {
  const backendOf = async (id: string) => ((await store.project(id))?.kind === "project" ? here : elsewhere);
  return {
    ...elsewhere,
    get: async (id, signal) => (await backendOf(id)).get(id, signal),
    sources: async (id, signal) => (await backendOf(id)).sources(id, signal),
    ask: async (id, question, signal, conversation) => (await backendOf(id)).ask(id, question, signal, conversation),
    guide: async (id, signal) => (await backendOf(id)).guide(id, signal),
    sourceText: async (id, sourceId, signal) => (await backendOf(id)).sourceText(id, sourceId, signal),
    async close() {
      await Promise.all([elsewhere.close(), here.close()]);
    },
  };
}
