import { LRUCache } from "lru-cache";
import { isObject } from "../../kernel/json.js";
import type { WorkName } from "../../text/work-names.js";
import type { ChunkStore, Project, StoredChunk } from "./chunk-store.js";

const PROJECTS = 32;
const NAMES = 3;

type Documents = Pick<ChunkStore, "documents">;
type Names = ReadonlyMap<string, WorkName>;
const remembered = new WeakMap<Documents, LRUCache<string, { updated: string; names: Names }>>();

/** Titles and authors of a project's documents by their id, read again when the project has changed. */
export async function documentNames(store: Documents, { id, updated_at }: Project): Promise<Names> {
  const known = remembered.get(store) ?? new LRUCache({ max: PROJECTS });
  remembered.set(store, known);
  const held = known.get(id);
  if (held?.updated === updated_at) return held.names;
  const names = new Map<string, WorkName>();
  for (const { id: document, title, csl } of await store.documents(id))
    names.set(document, { title, author: namesIn(csl?.author ?? csl?.editor) ?? "" });
  known.set(id, { updated: updated_at, names });
  return names;
}

/** Who wrote a passage: as its metadata says, or the record of its document. */
export function createAuthorship(store: Documents) {
  return async (project: Project, chunks: readonly StoredChunk[]): Promise<(string | null)[]> => {
    const own = chunks.map(({ metadata }) => metadataAuthors(metadata));
    if (!chunks.some(({ doc_id }, i) => doc_id !== null && own[i] === null)) return own;
    const names = await documentNames(store, project);
    return chunks.map(({ doc_id }, i) => own[i] ?? (doc_id === null ? null : names.get(doc_id)?.author || null));
  };
}

/** Authors as callers send them: names, or CSL or Zotero objects, flat or under `zotero`, `source` or `csl`. */
export function metadataAuthors(metadata: Record<string, unknown>): string | null {
  for (const place of [metadata, metadata.zotero, metadata.source, metadata.csl]) {
    if (!isObject(place)) continue;
    for (const key of ["authors", "author", "creators"]) {
      const names = namesIn(place[key]);
      if (names) return names;
    }
  }
  return null;
}

function namesIn(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).flatMap((name): string[] => {
    if (typeof name === "string") return name.trim() ? [name.trim().slice(0, 200)] : [];
    if (!isObject(name)) return [];
    const parts = [name.given ?? name.firstName, name.family ?? name.lastName].filter(
      (part) => typeof part === "string",
    );
    const whole = parts.length > 0 ? parts.join(" ") : (name.literal ?? name.name);
    return typeof whole === "string" && whole.trim() ? [whole.trim().slice(0, 200)] : [];
  });
  if (list.length === 0) return null;
  return list.length <= NAMES ? list.join(", ") : `${list.slice(0, NAMES).join(", ")} and others`;
}
