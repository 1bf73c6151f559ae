import { ShelfError } from "../../kernel/errors.js";

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
export interface Notebook {
  id: string;
  name: string;
  source_count: number | null;
  created_at: string | null;
  updated_at: string | null;
  description: string | null;
}
export interface Guide {
  summary: string | null;
  suggested_questions: string[];
}
export type SourceType = "url" | "text" | "pdf" | "gdoc" | "gslides" | "youtube" | "audio" | "unknown";
export type ProcessingStatus = "complete" | "processing" | "failed";
export interface Source {
  id: string;
  title: string;
  type: SourceType;
  url: string | null;
  added_at: string | null;
  processing_status: ProcessingStatus;
  /** Progress of processing, 0 to 1, if known. */
  progress?: number;
}
export type NewSource =
  | { source_type: "url"; url: string; title?: string }
  | { source_type: "text"; text: string; title?: string }
  | { source_type: "file"; name: string; bytes: Uint8Array; title?: string };
export interface AddedSource {
  source_id: string | null;
  title: string;
  processing_status: ProcessingStatus;
  message: string | null;
}
export interface Citation {
  /** The n of its [n] marks in the answer. */
  mark: number;
  source_id: string;
  source_title: string;
  /** Verbatim text of the source. */
  excerpt: string | null;
  page_span: [number, number] | null;
  section: string | null;
  url: string | null;
}
/** A whole passage of a source. */
export interface Passage {
  source_id: string;
  source_title: string;
  section: string | null;
  page_span: [number, number] | null;
  text: string;
}
export interface Answer {
  answer: string;
  citations: Citation[];
  /** The passages the answer is based on, for callers that can read more than the chosen sentences. */
  passages: Passage[];
  confidence: "high" | "medium" | "low" | null;
  follow_up_questions: string[];
  /** Pass it with the next question to continue this conversation. */
  conversation_id: string | null;
  /** How the answer was composed, and what was checked. */
  method: "extractive" | "llm" | "notebooklm";
  notes: string[];
}

export function unknownConversation(id: string): ShelfError {
  return new ShelfError(
    "NOT_FOUND",
    `There is no conversation '${id}' in this notebook any more. Leave conversation_id out to start a new one.`,
    { details: { conversation_id: id } },
  );
}
