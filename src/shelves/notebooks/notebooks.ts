import { jsonChars, windowOf } from "../../catalog/answer-budget.js";
import { badParameter, ShelfError } from "../../kernel/errors.js";
import type { Claim, RateLimiter } from "./limits/rate-limiter.js";
import type { NewSource, Notebook, NotebookBackend } from "./notebook-backend.js";
import { sourceFiles } from "./source-files.js";
import { deadlineFor, type NotebookTool } from "./timeouts.js";

export interface NotebooksOptions {
  backend: NotebookBackend;
  /** Undefined if calls are not limited. */
  limits?: RateLimiter | undefined;
  /** Reads a file of this machine, if the owner allows it. */
  readSourceFile?: ((path: string, signal: AbortSignal) => Promise<{ name: string; bytes: Uint8Array }>) | undefined;
  /** The owner's deadline for every notebook tool, up to the contract's maximum. */
  timeoutSeconds?: number | undefined;
  /** A monotonic clock in milliseconds. */
  clock?: () => number;
}

interface Asked {
  question: string;
  includeCitations: boolean;
  conversationId?: string | undefined;
}

export type Notebooks = ReturnType<typeof createNotebooks>;

const WINDOW_MS = 60_000;
const ANY: Claim = { bucket: "any", limit: 10 };
const OWN: Partial<Record<NotebookTool, Claim>> = {
  add_source: { bucket: "add_source", limit: 5 },
  ask: { bucket: "ask", limit: 5 },
};

/** Characters of the answer with a source's text besides that text and its title. */
const FRAME_CHARS = 200;

/** The rules of the notebook tools, the same for every backend. */
export function createNotebooks({
  backend,
  limits,
  readSourceFile = sourceFiles([]),
  timeoutSeconds,
  clock = () => performance.now(),
}: NotebooksOptions) {
  async function admit(tool: NotebookTool): Promise<void> {
    const own = OWN[tool];
    const verdict = await limits?.take(own ? [ANY, own] : [ANY], WINDOW_MS);
    if (!verdict || verdict.allowed) return;
    const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
    throw new ShelfError("RATE_LIMITED", `Rate limit exceeded. Please wait ${seconds} seconds.`, {
      details: { retry_after_seconds: seconds, limit: verdict.limit, window: "minute" },
      retry_after: seconds,
    });
  }

  return {
    deadlineFor: (toolName: string) => deadlineFor(toolName, timeoutSeconds),

    async health(signal: AbortSignal) {
      await admit("health_check");
      const started = clock();
      const health = await backend.health(signal);
      return { ...health, latency_ms: Math.round(clock() - started), backend: backend.name };
    },

    async list(limit: number, offset: number, signal: AbortSignal) {
      await admit("list_notebooks");
      const all = await backend.list(signal);
      const end = offset + limit;
      const notebooks = [...all].sort(newestFirst).slice(offset, end);
      const more = all.length > end;
      return {
        notebooks: notebooks.map(listed),
        total: all.length,
        truncated: more,
        next_cursor: more ? String(end) : null,
      };
    },

    async get(id: string, withGuide: boolean, signal: AbortSignal) {
      await admit("get_notebook");
      const notebook = await backend.get(id, signal);
      return withGuide ? { ...notebook, ...(await backend.guide(id, signal)) } : notebook;
    },

    async sources(notebookId: string, signal: AbortSignal) {
      await admit("list_notebook_sources");
      const sources = await backend.sources(notebookId, signal);
      return { sources, total: sources.length };
    },

    async addFile(notebookId: string, path: string, title: string | undefined, signal: AbortSignal) {
      const file = await readSourceFile(path, signal);
      return this.addSource(notebookId, { source_type: "file", ...file, ...(title ? { title } : {}) }, signal);
    },

    async addSource(notebookId: string, source: NewSource, signal: AbortSignal) {
      await admit("add_source");
      const added = await backend.addSource(notebookId, source, signal);
      if (added.processing_status === "failed")
        throw new ShelfError("PROCESSING_FAILED", added.message ?? "The source could not be read.", {
          details: { source_id: added.source_id, title: added.title },
        });
      return { success: true, ...added };
    },

    async ask(notebookId: string, { question, includeCitations, conversationId }: Asked, signal: AbortSignal) {
      await admit("ask");
      if (!question.trim())
        throw badParameter("INVALID_INPUT", "question", "must not be empty", "The question is empty.");
      const answer = await backend.ask(notebookId, question, signal, conversationId);
      if (includeCitations) return answer;
      const marks = new Set(answer.citations.map(({ mark }) => mark));
      return { ...answer, answer: withoutMarks(answer.answer, marks), citations: [], passages: [] };
    },

    async create(name: string, signal: AbortSignal) {
      await admit("create_notebook");
      return backend.create(name.trim(), signal);
    },

    async rename(id: string, name: string, signal: AbortSignal) {
      await admit("rename_notebook");
      return backend.rename(id, name.trim(), signal);
    },

    async remove(id: string, expected: string, signal: AbortSignal) {
      await admit("delete_notebook");
      const { name } = await backend.get(id, signal);
      if (name.trim() !== expected.trim())
        throw badParameter(
          "INVALID_INPUT",
          "name",
          "is not the notebook's name",
          `Notebook ${id} has another name. Nothing is deleted. Look it up with list_notebooks and repeat its name if all of it should go.`,
        );
      await backend.remove(id, signal);
      return { deleted: true, id, name };
    },

    async removeSource(notebookId: string, sourceId: string, signal: AbortSignal) {
      await admit("remove_source");
      await backend.removeSource(notebookId, sourceId, signal);
      return { removed: true, source_id: sourceId };
    },

    async sourceText(
      notebookId: string,
      sourceId: string,
      { offset, maxChars, budget }: { offset: number; maxChars: number; budget: number },
      signal: AbortSignal,
    ) {
      await admit("get_source_text");
      const { title, text } = await backend.sourceText(notebookId, sourceId, signal);
      const room = budget - jsonChars({ sourceId, title }) - FRAME_CHARS;
      const { start, text: content, next } = windowOf(text, offset, maxChars, room);
      return {
        source_id: sourceId,
        title,
        content,
        content_offset: start,
        content_length: text.length,
        truncated: next !== null,
        next_content_offset: next,
      };
    },
  };
}

/** Removes every citation mark, and the separators between marks. */
function withoutMarks(text: string, marks: ReadonlySet<number>): string {
  return text.replace(/ ?\[\d{1,3}\](?:,? ?\[\d{1,3}\])*/g, (run) =>
    (run.match(/\d+/g) ?? []).every((n) => marks.has(Number(n))) ? "" : run,
  );
}

function newestFirst(a: Notebook, b: Notebook): number {
  return (b.updated_at ?? "").localeCompare(a.updated_at ?? "");
}

function listed({ id, name, source_count, updated_at }: Notebook) {
  return { id, name, source_count, updated_at };
}
