import { createHash } from "node:crypto";
import { ShelfError } from "../../kernel/errors.js";
import { cosine } from "../../kernel/vector.js";
import {
  type Chunk,
  type ChunkStore,
  type DocumentRecord,
  missingProject,
  type Project,
  type StoredChunk,
} from "./chunk-store.js";

export interface CopyRequest {
  project: string;
  from: ChunkStore;
  to: ChunkStore;
  signal?: AbortSignal | undefined;
  progress?: ((done: number, total: number, message: string) => void) | undefined;
}
interface CopyReport {
  project: string;
  documents: number;
  chunks: number;
  /** Written this time; what an earlier run had copied is compared and left as it is. */
  copied: number;
  /** Of every chunk's content, whatever the order; the same on both sides. */
  checksum: string;
}

type Readable = ChunkStore & Required<Pick<ChunkStore, "chunkPage" | "vectors">>;

const PAGE = 200;
/** Pages or documents on their way at once: while one store writes, the other reads. */
const AT_ONCE = 4;
/** Stores normalise vectors and round differently, so vectors are equal if their directions are. */
const SAME_DIRECTION = 1 - 1e-5;

/**
 * Copies a project with its documents, chunks and vectors, and compares every one of them afterwards. It can be cut
 * short anywhere and called again. Nothing is deleted on either side: what the target has and the source has not stops
 * it before anything is written.
 */
export async function copyProject({ project: id, ...request }: CopyRequest): Promise<CopyReport> {
  const { signal, progress } = request;
  const from = readable(request.from);
  const to = readable(request.to);
  const source = await from.project(id);
  if (!source) throw missingProject(id);
  if (source.next_model)
    throw new ShelfError(
      "INVALID_INPUT",
      `'${id}' is moving to the model '${source.next_model.id}'. Let the server finish that first, then migrate.`,
    );
  await ensureTarget(source, to);

  const documents = await from.documents(id);
  const kept = new Set(documents.map((document) => document.id));
  await refuseStrangers(id, from, to, kept, signal);
  const total = await from.count(id);
  let done = 0;
  let copied = 0;
  const step = (chunks: number, message: string) => {
    done = Math.min(total, done + chunks);
    progress?.(done, total, message);
  };

  let inDocuments = 0;
  await severalAtOnce(documents, async (summary) => {
    signal?.throwIfAborted();
    const document = await from.document(id, summary.id);
    if (!document) return;
    const chunks = await from.chunks(id, { doc_id: summary.id });
    const there = await to.document(id, summary.id);
    const same =
      there !== undefined &&
      digest(comparable(document)) === digest(comparable(there)) &&
      (await to.chunks(id, { doc_id: summary.id })).length === chunks.length &&
      (await different(id, chunks, from, to)).missing.length === 0;
    if (!same) {
      await to.replaceDocument(id, document, await withVectors(id, chunks, from), signal);
      copied += chunks.length;
    }
    inDocuments += chunks.length;
    step(chunks.length, summary.title);
  });
  if (inDocuments < total)
    await severalAtOnce(pages(id, from, signal), async (page) => {
      const loose = page.filter(({ doc_id }) => doc_id === null || !kept.has(doc_id));
      if (loose.length === 0) return;
      const { missing } = await different(id, loose, from, to);
      if (missing.length > 0) await to.upsert(id, missing, signal);
      copied += missing.length;
      step(loose.length, "passages without a document");
    });
  const verified = await verify(id, from, to, signal);
  return { project: id, documents: documents.length, copied, ...verified };
}

/** After a failure nothing more is begun, and what was begun has ended before the failure is reported. */
async function severalAtOnce<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const pending = new Set<Promise<unknown>>();
  for await (const item of items) {
    const one: Promise<unknown> = work(item)
      .catch((error: unknown) => failures.push(error))
      .finally(() => pending.delete(one));
    pending.add(one);
    if (pending.size >= AT_ONCE) await Promise.race(pending);
    if (failures.length > 0) break;
  }
  await Promise.all(pending);
  if (failures.length > 0) throw failures[0];
}

function readable(store: ChunkStore): Readable {
  if (store.chunkPage && store.vectors) return store as Readable;
  throw new ShelfError("INVALID_INPUT", "That store cannot give back the vectors it holds, so it cannot be copied.");
}

async function ensureTarget(source: Project, to: ChunkStore): Promise<void> {
  const { id, kind, name, description, model, hybrid_enabled } = source;
  const target = await to.project(id);
  if (!target) {
    await to.createProject({ id, kind, name, description, model, hybrid_enabled });
    return;
  }
  if (digest(target.model) !== digest(model) || target.next_model || target.kind !== kind)
    throw new ShelfError(
      "INVALID_INPUT",
      `The other store has a '${id}' already, of another kind or bound to another model ('${target.model.id}'). Delete or rename it there first.`,
    );
  await to.updateProject(id, { name, description });
}

/** A target with chunks that the source lacks is not an interrupted copy: copying would lose them. */
async function refuseStrangers(
  id: string,
  from: Readable,
  to: Readable,
  documents: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let strangers = 0;
  if ((await to.count(id)) > 0)
    await severalAtOnce(pages(id, to, signal), async (page) => {
      const known = new Set((await from.chunks(id, { ids: page.map((chunk) => chunk.id) })).map((chunk) => chunk.id));
      strangers += page.filter((chunk) => !known.has(chunk.id) && !documents.has(chunk.doc_id ?? "")).length;
    });
  const others = (await to.documents(id)).filter((document) => !documents.has(document.id)).length;
  if (strangers + others > 0)
    throw new ShelfError(
      "INVALID_INPUT",
      `'${id}' in the other store has ${strangers} chunks and ${others} documents that are not in this one. Nothing was copied: delete the project there, or migrate the other way.`,
      { details: { chunks: strangers, documents: others } },
    );
}

async function* pages(id: string, store: Readable, signal: AbortSignal | undefined): AsyncGenerator<StoredChunk[]> {
  let after: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page: StoredChunk[] = await store.chunkPage(id, after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? null;
  }
}

/** The source's chunks that are missing or different in the target, and what the target has of them. */
async function different(
  id: string,
  chunks: readonly StoredChunk[],
  from: Readable,
  to: Readable,
): Promise<{ missing: Chunk[]; records: StoredChunk[] }> {
  const ids = chunks.map((chunk) => chunk.id);
  const [own, records, vectors] = await Promise.all([
    withVectors(id, chunks, from),
    to.chunks(id, { ids }),
    to.vectors(id, ids),
  ]);
  const digests = new Map(records.map((record) => [record.id, digest(record)]));
  const missing = own.filter(({ vectors: mine, ...record }) => {
    const theirs = vectors.get(record.id) ?? [];
    return (
      digests.get(record.id) !== digest(record) ||
      theirs.length !== mine.length ||
      mine.some((vector, window) => cosine(vector, theirs[window] ?? new Float32Array()) < SAME_DIRECTION)
    );
  });
  return { missing, records };
}

async function withVectors(id: string, chunks: readonly StoredChunk[], from: Readable): Promise<Chunk[]> {
  const vectors = await from.vectors(
    id,
    chunks.map((chunk) => chunk.id),
  );
  return chunks.map((chunk) => ({ ...chunk, vectors: vectors.get(chunk.id) ?? [] }));
}

async function verify(
  id: string,
  from: Readable,
  to: Readable,
  signal: AbortSignal | undefined,
): Promise<{ chunks: number; checksum: string }> {
  let wrong = 0;
  const here = checksum();
  const there = checksum();
  await severalAtOnce(pages(id, from, signal), async (page) => {
    const { missing, records } = await different(id, page, from, to);
    wrong += missing.length;
    page.forEach(here.add);
    records.forEach(there.add);
  });
  // As many there as here, and each of these is there: so there is nothing else.
  const counts = { here: await from.count(id), there: await to.count(id) };
  if (wrong === 0 && counts.here === counts.there && here.hex() === there.hex())
    return { chunks: counts.there, checksum: here.hex() };
  throw new ShelfError(
    "INDEX_UNAVAILABLE",
    `The copy of '${id}' is not the same: ${wrong} of ${counts.here} chunks differ, ${counts.there} are there. It may have been written to meanwhile: stop the server and migrate again.`,
    { details: { differing: wrong, source: counts.here, target: counts.there } },
  );
}

/** A sum of hashes: stores walk their chunks in different orders. */
function checksum() {
  let sum = 0n;
  return {
    add: (chunk: StoredChunk) => {
      sum = BigInt.asUintN(256, sum + BigInt(`0x${digest(chunk)}`));
    },
    hex: () => sum.toString(16).padStart(64, "0"),
  };
}

/** The store counts a document's chunks again when it writes it. */
function comparable({ chunk_count: _count, added_at: _added, ...document }: DocumentRecord) {
  return document;
}

function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(canonical(value)))
    .digest("hex");
}

/** Keys in one order and text that every store can hold, so that the same content has the same hash everywhere. */
function canonical(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key.toWellFormed(), canonical(inner)]),
  );
}
