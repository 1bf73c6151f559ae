import { isAbsolute } from "node:path";
import type { DocumentSummary } from "../shelves/chunks/chunk-store.js";
import type { ReadDocument } from "./document.js";
import { sha256 } from "./to-chunks.js";

/** Which work a document is, according to the owner's bibliography or the file itself. */
export interface Identity {
  citekey: string;
  csl: Record<string, unknown> | null;
  tags: string[];
  /** How the work was found in the bibliography; null where the key was made up from the file. */
  matched: { method: string } | null;
  /** The bibliography file that names it. */
  bibliography?: string | undefined;
  /** Other keys the bibliography has for it. */
  aliases?: readonly string[] | undefined;
}

export interface Identifier {
  identify(document: Pick<ReadDocument, "title" | "meta" | "text">, path: string): Promise<Identity>;
  /** What in the owner's bibliographies could not be read. */
  problems?: readonly string[];
  /** The bibliographies it reads, as a later run may be given them. */
  bibliographies?: readonly string[];
}

/** Opened once for each folder that is read, with the keys that documents already have. */
export type OpenIdentifier = (run: {
  root: string | undefined;
  assigned: readonly { path: string; citekey: string | null }[];
  /** Bibliographies found beside the documents, or used in an earlier run. */
  bibliographies: readonly string[];
  signal: AbortSignal | undefined;
}) => Promise<Identifier>;

/** The path of a document's file; for texts and URLs a name that is not a path. */
export function identityPath(origin: string): string {
  return isAbsolute(origin) ? origin : `text-${sha256(origin).slice(0, 16)}`;
}

/** The keys that documents already have. */
export function assignedIn(documents: Iterable<DocumentSummary>) {
  return [...documents].flatMap(({ origin, citekey }) =>
    origin === null ? [] : [{ path: identityPath(origin), citekey }],
  );
}

/**
 * A citekey, once given, never changes by itself: without a record in a bibliography the document keeps the key it has, and
 * what a bibliography said about it before.
 */
export function settled(
  identity: Identity,
  before: DocumentSummary | undefined,
  document: { sha256: string; title: string },
): Identity {
  if (!before?.citekey || identity.matched !== null) return identity;
  // Another work may have taken the file's place.
  if (before.sha256 !== document.sha256 && before.title !== document.title) return identity;
  const { matched, tags } = before.extra as { matched?: string | null; tags?: string[] };
  if (!matched) return { ...identity, citekey: before.citekey, csl: { ...identity.csl, id: before.citekey } };
  return { citekey: before.citekey, csl: before.csl, tags: tags ?? identity.tags, matched: { method: matched } };
}

/** Changes when the bibliography's record of a document changes. */
export function identityMark({ citekey, csl, tags, matched }: Identity): string {
  return sha256(JSON.stringify([citekey, csl, tags, matched?.method ?? null])).slice(0, 16);
}
