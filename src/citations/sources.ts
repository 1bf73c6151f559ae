import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";
import { byRareWords } from "./candidates.js";
import type { Quote } from "./quote.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";
import { nearestKeys, sameWork, type Work, worksIn, worksNamed } from "./works.js";

/** Chunks read to find a work's documents: a work rarely has more than a few. */
const LOOSE_CHUNKS = 200;

/** The texts of the work with this citekey, document id, title or author; several files may hold one work. */
export async function sourcesNamed(
  store: ChunkStore,
  project: Project,
  name: string,
  options: { quote?: Quote | undefined; signal: AbortSignal; works?: readonly Work[] },
): Promise<SourceText[]> {
  const wanted = name.trim().replace(/^@/, "");
  const works = options.works ?? (await worksIn(store, project.id));
  const named = worksNamed(works, wanted);
  if (named.length > 0)
    return loadAll(
      store,
      project.id,
      named.flatMap(({ doc_ids }) => doc_ids),
    );
  const ofDocument = await store.chunks(project.id, { doc_id: wanted });
  if (ofDocument.length > 0) return [fromChunks(wanted, ofDocument)];
  return looseSources(store, project, wanted, options.quote, options.signal);
}

/** The project's work with this name; throws if there are several or none. */
export async function resolveSource(
  store: ChunkStore,
  project: Project,
  name: string,
  options: { signal: AbortSignal },
): Promise<SourceText[]> {
  const works = await worksIn(store, project.id);
  const named = worksNamed(works, name);
  const [first, ...others] = named;
  if (first && others.some((work) => !sameWork(first.item, work.item)))
    throw new ShelfError(
      "INVALID_INPUT",
      `'${name}' may be ${named.map(({ key, item }) => `${key} (${item.title})`).join(", ")}. Give the citekey.`,
      { details: { source: name, candidates: named.map(({ key }) => key) } },
    );
  const found = await sourcesNamed(store, project, name, { ...options, works });
  if (found.length > 0) return found;
  throw unknownSource(name, works, `of project '${project.id}'`);
}

export function unknownSource(name: string, works: readonly Work[], where: string): ShelfError {
  const wanted = name.trim().replace(/^@/, "");
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
async function looseSources(
  store: ChunkStore,
  project: Project,
  citekey: string,
  quote: Quote | undefined,
  signal: AbortSignal,
): Promise<SourceText[]> {
  const hits = quote && project.hybrid_enabled ? await byRareWords(store, project.id, quote, { citekey }, signal) : [];
  const some = await store.chunksWhere(project.id, { citekey }, LOOSE_CHUNKS);
  const chunks = [...new Map([...hits.map(({ chunk }) => chunk), ...some].map((chunk) => [chunk.id, chunk])).values()];
  const ids = new Set(chunks.map(({ doc_id }) => doc_id).filter((id) => id !== null));
  const alone = chunks.filter(({ doc_id }) => doc_id === null).map((chunk) => fromChunks(null, [chunk]));
  return [...(await loadAll(store, project.id, [...ids])), ...alone];
}
