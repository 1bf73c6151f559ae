import type { z } from "zod";
import { ShelfError } from "../../kernel/errors.js";
import type * as schemas from "./schemas.js";

/** The port of the notebook tools: `backends/local.ts` on this machine, `backends/google/` over the user's NotebookLM. */
export interface NotebookBackend {
  readonly name: "local" | "google";
  health(signal: AbortSignal): Promise<Health>;
  list(signal: AbortSignal): Promise<Notebook[]>;
  get(id: string, signal: AbortSignal): Promise<Notebook>;
  sources(notebookId: string, signal: AbortSignal): Promise<Source[]>;
  addSource(notebookId: string, source: NewSource, signal: AbortSignal): Promise<AddedSource>;
  /** Continues an earlier conversation if its id is given; NOT_FOUND if the id is no longer known. */
  ask(notebookId: string, question: string, signal: AbortSignal, conversationId?: string): Promise<Answer>;
  /** A summary of the notebook, and questions to ask it. */
  guide(notebookId: string, signal: AbortSignal): Promise<Guide>;

  create(name: string, signal: AbortSignal): Promise<Notebook>;
  rename(id: string, name: string, signal: AbortSignal): Promise<Notebook>;
  remove(id: string, signal: AbortSignal): Promise<void>;
  removeSource(notebookId: string, sourceId: string, signal: AbortSignal): Promise<void>;
  sourceText(notebookId: string, sourceId: string, signal: AbortSignal): Promise<{ title: string; text: string }>;
  close(): Promise<void>;
}

export interface Health {
  status: "healthy" | "degraded" | "unhealthy";
  authenticated: boolean;
  browser_ok: boolean;
  error: string | null;
  details: Record<string, unknown>;
}
export type Notebook = z.infer<typeof schemas.Notebook>;
export interface Guide {
  summary: string | null;
  suggested_questions: string[];
}
export type Source = z.infer<typeof schemas.Source>;
export type SourceType = Source["type"];
export type ProcessingStatus = Source["processing_status"];
export type NewSource =
  | { source_type: "url"; url: string; title?: string }
  | { source_type: "text"; text: string; title?: string }
  | { source_type: "file"; name: string; bytes: Uint8Array; title?: string };
export type AddedSource = z.infer<typeof schemas.AddedSource>;
export type Citation = z.infer<typeof schemas.Citation>;
export type Passage = z.infer<typeof schemas.Passage>;
export type Answer = z.infer<typeof schemas.Answer>;

export function unknownConversation(id: string): ShelfError {
  return new ShelfError(
    "NOT_FOUND",
    `There is no conversation '${id}' in this notebook any more. Leave conversation_id out to start a new one.`,
    { details: { conversation_id: id } },
  );
}
