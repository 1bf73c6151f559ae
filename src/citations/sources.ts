import { ShelfError } from "../errors.js";
import type { ChunkStore, Project, StoredChunk } from "../shelves/chunks/chunk-store.js";
import { byRareWords } from "./candidates.js";
import { nearest } from "./near-names.js";
import type { Quote } from "./quote.js";
import { fromChunks, loadSource, type SourceText } from "./source-text.js";

const SCAN_PAGE = 500;

/** The texts a citekey or document id stands for; several files may hold one work. */
export async function resolveSource(
  store: ChunkStore,
  project: string,
  name: string,
  quote: Quote | undefined,
  signal: AbortSignal,
): Promise<SourceText[]> {
  const wanted = name.trim().replace(/^@/, "");
  const documents = await store.documents(project);
  const same = documents.filter(({ id, citekey }) => id === wanted || citekey === wanted);
  const alike =
    same.length > 0 ? same : documents.filter(({ citekey }) => citekey?.toLowerCase() === wanted.toLowerCase());
  if (alike.length > 0)
    return loadAll(
      store,
      project,
      alike.map(({ id }) => id),
    );

  const ofDocument = await store.chunks(project, { doc_id: wanted });
  if (ofDocument.length > 0) return [fromChunks(wanted, ofDocument)];

  const loose = await looseChunks(store, project, wanted, quote, signal);
  if (loose.found) {
    const whole = await loadAll(store, project, [...loose.docs]);
    return [...whole, ...loose.alone];
  }
  const known = [...new Set(documents.map(({ citekey, id }) => citekey ?? id))];
  const near = nearest(wanted, known);
  throw new ShelfError(
    "NOT_FOUND",
    `'${wanted}' is not a source of project '${project}': neither a citekey nor a document id.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""} Leave source out to search the whole project.`,
    { details: { source: wanted, near } },
  );
}

/** Some chunk with this citekey, for sources whose documents are not stored. */
export async function anyChunkOf(
  store: ChunkStore,
  { id, model }: Project,
  citekey: string,
): Promise<StoredChunk | undefined> {
  // Any direction will do: the filter chooses, the vector only has to be there.
  const vector = Float32Array.from({ length: model.dimension }, (_, i) => (i === 0 ? 1 : 0));
  const [hit] = await store.byMeaning(id, vector, { limit: 1, filters: { citekey } });
  return hit && (await store.chunks(id, { ids: [hit.id] }))[0];
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
async function looseChunks(
  store: ChunkStore,
  project: string,
  citekey: string,
  quote: Quote | undefined,
  signal: AbortSignal,
) {
  const docs = new Set<string>();
  const alone: SourceText[] = [];
  let found = false;
  const take = (chunk: Parameters<typeof fromChunks>[1][number]) => {
    if (chunk.citekey !== citekey) return;
    found = true;
    if (chunk.doc_id === null) alone.push(fromChunks(null, [chunk]));
    else docs.add(chunk.doc_id);
  };
  if (quote) for (const { chunk } of await byRareWords(store, project, quote, { citekey }, signal)) take(chunk);
  if (found || !store.chunkPage) return { found, docs, alone };
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted();
    const page = await store.chunkPage(project, after, SCAN_PAGE);
    page.forEach(take);
    if (page.length < SCAN_PAGE) break;
    after = page.at(-1)!.id;
  }
  return { found, docs, alone };
}
