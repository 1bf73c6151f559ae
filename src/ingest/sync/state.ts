import type { ChunkStore, DocumentSummary } from "../../shelves/chunks/chunk-store.js";
import { sha256 } from "../to-chunks.js";

/** A pass through one of Readwise's lists; it may take several runs. */
export interface Pass {
  /** Only items changed after this moment; null for all. */
  since: string | null;
  /** Upstream's cursor; null at the beginning. */
  cursor: string | null;
  startedAt: number;
  /** Changes before this moment are stored when the pass is over. */
  covers: number;
  /** The latest change seen, by upstream's clock. */
  newest: string | null;
  /** Ids seen in a pass through everything: stored items that are not among them were deleted. */
  seen: string[];
  /** Items seen so far, and upstream's total. */
  done: number;
  total: number | null;
}

interface ListProgress {
  /** Changes up to this moment are stored. */
  since: string | null;
  /** When the last complete pass ended. */
  wholeAt: number | null;
  pass: Pass | null;
}

/** State of a library's copy in a project. */
export interface SyncState {
  /** Version of the stored form; after a change everything is read again. */
  recipe: string;
  highlights: ListProgress;
  documents: ListProgress;
  /** Reader does not report deleted documents; only a complete list shows that they are gone. */
  listing: Pass | null;
}

const KIND = "sync-state";
const stateId = (account: string) => `readwise_sync_${account}`;

function freshState(recipe: string): SyncState {
  const progress = (): ListProgress => ({ since: null, wholeAt: null, pass: null });
  return { recipe, highlights: progress(), documents: progress(), listing: null };
}

export function freshPass(since: string | null, now: number): Pass {
  return { since, cursor: null, startedAt: now, covers: now, newest: null, seen: [], done: 0, total: null };
}

export function readState(documents: readonly DocumentSummary[], account: string, recipe: string): SyncState {
  const found = documents.find(({ id }) => id === stateId(account))?.extra.state as SyncState | undefined; // saveState wrote it
  return found?.recipe === recipe ? structuredClone(found) : freshState(recipe);
}

/** Stored as a document without text or chunks: as durable as the documents it describes, and copied with the project. */
export async function saveState(store: ChunkStore, project: string, account: string, state: SyncState): Promise<void> {
  const now = new Date().toISOString();
  await store.replaceDocument(
    project,
    {
      id: stateId(account),
      title: "Where the Readwise sync stands",
      citekey: null,
      kind: KIND,
      origin: null,
      sha256: sha256(stateId(account)),
      chunk_count: 0,
      char_count: 0,
      language: null,
      csl: null,
      added_at: now,
      updated_at: now,
      extra: { state },
      text: "",
      pages: [],
      headings: [],
      edits: [],
    },
    [],
  );
}

/** Upstream's clock and ours may differ, and a change may appear late. */
export const OVERLAP_MS = 120_000;

/** How far our clock may be ahead of upstream's. */
const MISTRUST_MS = 24 * 3_600_000;

/**
 * From when the next run asks for changes: a little before the latest one seen, by upstream's own clock. Where
 * nothing has changed for long our clock is good enough, so that one big import is not asked for again and again.
 */
export function sinceAfter({ newest, covers, since }: Pass): string | null {
  if (newest === null && since === null) return null;
  const latest = Math.min(Date.parse(newest ?? since ?? ""), covers) - (newest === null ? 0 : OVERLAP_MS);
  return new Date(Math.max(latest, covers - MISTRUST_MS)).toISOString();
}

export function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) >= Date.parse(b) ? a : b;
}
