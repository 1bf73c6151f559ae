import type { ChunkStore, DocumentSummary } from "../../shelves/chunks/chunk-store.js";
import { sha256 } from "../to-chunks.js";

/** A walk through one of Readwise's lists that may take several runs. */
export interface Pass {
  /** Only what changed after this moment; null walks through everything. */
  since: string | null;
  /** Where upstream goes on; null at the beginning. */
  cursor: string | null;
  startedAt: number;
  /** What happened before this moment is stored when the pass is over. */
  covers: number;
  /** The latest change seen, by upstream's clock. */
  newest: string | null;
  /** Upstream ids met on a walk through everything: what is stored and not among them is gone. */
  seen: string[];
  /** Items walked past, and how many there are as far as upstream tells. */
  done: number;
  total: number | null;
}

export interface ListProgress {
  /** Changes up to this moment are stored. */
  since: string | null;
  /** When everything was last walked through to the end. */
  wholeAt: number | null;
  pass: Pass | null;
}

/** Where a library's copy in a project stands. */
export interface SyncState {
  /** The version of the way it was written; after a change everything is read again. */
  recipe: string;
  highlights: ListProgress;
  documents: ListProgress;
  /** Reader forgets deleted documents without a trace; only a list of all that are left shows it. */
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

/** Upstream's clock and ours may differ, and a change may show a moment late. */
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
