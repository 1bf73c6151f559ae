import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";
import { nearestKeys, sameWork, type Work, withoutAt, worksIn, worksNamed } from "./works.js";

/** Chunks read to find a work's documents: a work rarely has more than a few. */
const LOOSE_CHUNKS = 200;

/** The texts of the work with this citekey, document id, title or author among these; several files may hold one work. */
export async function sourcesNamed(
  store: ChunkStore,
  project: string,
  name: string,
  works: readonly Work[] = [],
): Promise<SourceText[]> {
  const wanted = withoutAt(name);
  const named = worksNamed(works, wanted).flatMap(({ doc_ids }) => doc_ids);
  if (named.length > 0) return loadAll(store, project, named);
  const ofDocument = await store.chunks(project, { doc_id: wanted });
  return ofDocument.length > 0 ? [fromChunks(wanted, ofDocument)] : looseSources(store, project, wanted);
}

/** The project's work with this name; throws if there are several or none. */
export async function resolveSource(store: ChunkStore, project: string, name: string): Promise<SourceText[]> {
  const works = await worksIn(store, project);
  const named = worksNamed(works, name);
  refuseSeveral(name, named);
  const found = await sourcesNamed(store, project, name, works);
  if (found.length > 0) return found;
  throw unknownSource(name, works, `of project '${project}'`);
}

/** A name may stand for several records of one work, but not for several works. */
export function refuseSeveral(name: string, [first, ...others]: readonly Work[]): void {
  if (!first || others.every((work) => sameWork(first.item, work.item))) return;
  const named = [first, ...others];
  throw new ShelfError(
    "INVALID_INPUT",
    `'${name}' may be ${named.map(({ key, item }) => `${key} (${item.title})`).join(", ")}. Give the citekey.`,
    { details: { source: name, candidates: named.map(({ key }) => key) } },
  );
}

export function unknownSource(name: string, works: readonly Work[], where: string): ShelfError {
  const wanted = withoutAt(name);
  const near = nearestKeys(works, wanted);
  return new ShelfError(
    "NOT_FOUND",
    `'${wanted}' is not a source ${where}: no citekey, document id, title or author.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""} Leave source out to search everything.`,
    { details: { source: wanted, near } },
  );
}

async function loadAll(store: ChunkStore, project: string, ids: readonly string[]): Promise<SourceText[]> {
  const texts: SourceText[] = [];
  for (const id of ids) {
    const text = await loadSource(store, project, id);
    if (text) texts.push(text);
  }
  return texts;
}

/** Sources known only by the citekey on their chunks. */
async function looseSources(store: ChunkStore, project: string, citekey: string): Promise<SourceText[]> {
  const chunks = await store.chunksWhere(project, { citekey }, LOOSE_CHUNKS);
  const ids = new Set(chunks.map(({ doc_id }) => doc_id).filter((id) => id !== null));
  const alone = chunks.filter(({ doc_id }) => doc_id === null).map((chunk) => fromChunks(null, [chunk]));
  return [...(await loadAll(store, project, [...ids])), ...alone];
}
