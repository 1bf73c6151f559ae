import { randomUUID } from "node:crypto";
import type { Readers } from "../../../ingest/reader-pool.js";
import type { Fetcher } from "../../../ingest/web/safe-fetch.js";
import { ShelfError } from "../../../kernel/errors.js";
import { plural } from "../../../kernel/plural.js";
import type { ChunkStore, DocumentSummary, Project } from "../../chunks/chunk-store.js";
import type { Embedders, ModelIdentity } from "../../chunks/embedding/embedder.js";
import type { Search } from "../../chunks/search.js";
import type { Health, Notebook, NotebookBackend, Source, SourceType } from "../notebook-backend.js";
import { findBrowser } from "./find-browser.js";
import { addSource } from "./local/adding.js";
import { answer } from "./local/answering.js";
import { createBackground } from "./local/background.js";
import { createConversations, inContext } from "./local/conversations.js";
import type { Llm } from "./local/llm.js";
import { guideOf } from "./local/overview.js";

interface LocalNotebooksOptions {
  store: ChunkStore;
  search: Pick<Search, "hybrid">;
  embedders: Embedders;
  readers: Pick<Readers, "readBytes" | "readGiven">;
  fetcher: Fetcher;
  /** Writes the answers; without it they are composed of sentences from the sources. */
  llm?: Llm | undefined;
  now?: () => Date;
}

/** The model of a notebook created without an embedding model: it is searched by words only. */
const WORDS_ONLY: ModelIdentity = { id: "none", dimension: 1, pooling: "none", max_tokens: 256, weights_sha256: null };

/** Notebooks on this machine: each notebook is a project in the chunk store, and each source a document in it. */
export function localNotebooks(options: LocalNotebooksOptions): NotebookBackend {
  const { store, embedders, now = () => new Date() } = options;
  const conversations = createConversations();
  const background = createBackground(options);

  async function open(id: string, signal: AbortSignal): Promise<Project> {
    signal.throwIfAborted();
    const project = await store.project(id);
    if (project?.kind === "notebook") return project;
    throw new ShelfError("NOT_FOUND", `There is no notebook '${id}'. Check the id with list_notebooks.`, {
      details: { notebook_id: id },
    });
  }

  /** A notebook or a project: reading and asking work on both. */
  async function openAny(id: string, signal: AbortSignal): Promise<Project> {
    signal.throwIfAborted();
    return (await store.project(id)) ?? open(id, signal);
  }

  async function shown(project: Project): Promise<Notebook> {
    const { id, name, created_at, updated_at, description } = project;
    return { id, name, source_count: (await store.documents(id)).length, created_at, updated_at, description };
  }

  const missingSource = (id: string) =>
    new ShelfError(
      "NOT_FOUND",
      `There is no source '${id}' in this notebook. Check the id in the notebook's list of sources.`,
      {
        details: { source_id: id },
      },
    );

  return {
    name: "local",
    health: (signal) => health(options, signal),

    async list(signal) {
      signal.throwIfAborted();
      const notebooks = (await store.projects()).filter(({ kind }) => kind === "notebook");
      return Promise.all(notebooks.map(shown));
    },
    get: async (id, signal) => shown(await openAny(id, signal)),

    async sources(notebookId, signal) {
      const notebook = await openAny(notebookId, signal);
      return (await store.documents(notebookId)).map((each) => ({
        ...sourceOf(each),
        ...background.state(notebook, each),
      }));
    },
    addSource: async (notebookId, source, signal) =>
      addSource({ ...options, background, now }, await open(notebookId, signal), source, signal),
    async ask(notebookId, question, signal, conversationId) {
      const notebook = await openAny(notebookId, signal);
      const earlier = conversations.earlier(notebookId, conversationId);
      const composed = await answer(options, notebook, inContext(question, earlier), signal);
      const unfinished = (await store.documents(notebookId)).filter(
        (each) => background.state(notebook, each).processing_status === "processing",
      ).length;
      if (unfinished > 0)
        composed.notes.push(`Searched by words only: ${plural(unfinished, "source")} still being processed.`);
      return { ...composed, conversation_id: conversations.add(notebookId, conversationId, question) };
    },
    guide: async (notebookId, signal) => guideOf(store, await openAny(notebookId, signal)),

    async create(name, signal) {
      signal.throwIfAborted();
      const project = await store.createProject({
        id: randomUUID(),
        kind: "notebook",
        name,
        description: null,
        model: embedders.preferred ?? WORDS_ONLY,
        hybrid_enabled: true,
      });
      return shown(project);
    },
    async rename(id, name, signal) {
      await open(id, signal);
      await store.updateProject(id, { name });
      return shown(await open(id, signal));
    },
    async remove(id, signal) {
      await open(id, signal);
      await background.stop(id);
      await store.deleteProject(id);
    },
    async removeSource(notebookId, sourceId, signal) {
      await open(notebookId, signal);
      await background.stop(notebookId, sourceId);
      if (!(await store.removeDocument(notebookId, sourceId))) throw missingSource(sourceId);
    },
    async sourceText(notebookId, sourceId, signal) {
      await openAny(notebookId, signal);
      const document = await store.document(notebookId, sourceId);
      if (!document) throw missingSource(sourceId);
      return { title: document.title, text: document.text };
    },

    close: () => background.close(), // the owner of the store and the model closes them
  };
}

const TYPES: readonly SourceType[] = ["url", "text", "pdf", "gdoc", "gslides", "youtube", "audio"];

function sourceOf({ id, title, kind, origin, added_at }: DocumentSummary): Omit<Source, "processing_status"> {
  const type = TYPES.find((each) => each === kind) ?? "unknown";
  return { id, title, type, url: origin, added_at };
}

/** Checks each part by using it: reads the store, embeds a word, and searches a notebook. */
async function health({ store, search, embedders, llm }: LocalNotebooksOptions, signal: AbortSignal): Promise<Health> {
  signal.throwIfAborted();
  const browser = findBrowser();
  const details: Record<string, unknown> = {
    browser: browser
      ? "A browser is there; the local backend does not need it."
      : "No Chrome or Chromium was found. Only the google backend needs one.",
    language_model: llm ? llm.model : null,
  };
  const report = (status: Health["status"], error: string | null): Health => ({
    status,
    authenticated: true,
    browser_ok: browser !== null,
    error,
    details,
  });
  try {
    const notebooks = (await store.projects()).filter(({ kind }) => kind === "notebook");
    details.notebooks = notebooks.length;
    const embedder = embedders.preferred && embedders.get(embedders.preferred);
    details.embedding_model = embedders.preferred?.id ?? null;
    if (embedder) await embedder.embed(["health"], { as: "query", signal });
    if (notebooks[0]) await search.hybrid(notebooks[0], "health", { limit: 1, signal });
    if (!embedder)
      return report(
        "degraded",
        `Answers are found by words only. ${embedders.unavailable ?? "No embedding model is here."}`,
      );
    return report("healthy", null);
  } catch (error) {
    // Any failure is a finding: the health check reports it.
    signal.throwIfAborted();
    details.code = error instanceof ShelfError ? error.code : "INTERNAL_ERROR";
    return report(
      "unhealthy",
      error instanceof ShelfError ? error.message : "The notebook store or the model fails. Run doctor.",
    );
  }
}
