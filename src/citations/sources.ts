import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";
import { byRareWords } from "./candidates.js";
import { nearest } from "./near-names.js";
import type { Quote } from "./quote.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";

/** A work is seldom stored as more than a few documents; their chunks tell which. */
const LOOSE_CHUNKS = 200;

/** The texts a citekey or document id stands for; several files may hold one work. */
export async function resolveSource(
  store: ChunkStore,
  project: Project,
  name: string,
  options: { quote?: Quote | undefined; signal: AbortSignal },
): Promise<SourceText[]> {
  const wanted = name.trim().replace(/^@/, "");
  const documents = await store.documents(project.id);
  const same = documents.filter(({ id, citekey }) => id === wanted || citekey === wanted);
  const alike =
    same.length > 0 ? same : documents.filter(({ citekey }) => citekey?.toLowerCase() === wanted.toLowerCase());
  if (alike.length > 0)
    return loadAll(
      store,
      project.id,
      alike.map(({ id }) => id),
    );

  const ofDocument = await store.chunks(project.id, { doc_id: wanted });
  if (ofDocument.length > 0) return [fromChunks(wanted, ofDocument)];

  const loose = await looseSources(store, project, wanted, options.quote, options.signal);
  if (loose.length > 0) return loose;
  const known = [...new Set(documents.map(({ citekey, id }) => citekey ?? id))];
  const near = nearest(wanted, known);
  throw new ShelfError(
    "NOT_FOUND",
    `'${wanted}' is not a source of project '${project.id}': neither a citekey nor a document id.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""} Leave source out to search the whole project.`,
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
