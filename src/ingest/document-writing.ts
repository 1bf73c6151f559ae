import { rm } from "node:fs/promises";
import { textOrNull } from "../kernel/json.js";
import type { ChunkStore, DocumentRecord, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import { corrected, correctionsIn, correctionsOf, uncorrected, yearIn } from "./corrections.js";
import type { CutDocument } from "./cutting.js";
import type { ReadDocument } from "./document.js";
import { type Identity, identityMark, identityPath, settled } from "./identity.js";
import type { Run } from "./ingest-run.js";
import type { Ocr } from "./ocr.js";
import { pagesFolder } from "./readers/recognise.js";
import { documentId, embedInto, toChunks } from "./to-chunks.js";
import type { FoundFile } from "./walk.js";

export interface Source {
  sha256: string;
  origin: string;
  url?: string | undefined;
  identity: Identity;
  extra: Record<string, unknown>;
  onEmbedded(done: number, total: number): void;
}

export type Writing = ReturnType<typeof createDocumentWriting>;

/** Writes documents of a run, and knows which stored ones are up to date. */
export function createDocumentWriting({ store, ocr }: { store: ChunkStore; ocr?: Ocr | undefined }) {
  async function put(run: Run, document: CutDocument, { origin, identity, ...source }: Source) {
    const { project, embedder, summary, known, time, signal } = run;
    const { citekey, csl, tags } = identity;
    const options = {
      docId: documentId(source.sha256),
      modelId: project.model.id,
      citekey,
      doi: textOrNull(csl?.DOI),
      url: source.url ?? textOrNull(csl?.URL),
      year: yearIn(csl),
      tags,
      ...(signal ? { signal } : {}),
      onEmbedded: source.onEmbedded,
    };
    const recognised = new Set(document.pages.flatMap((page) => (page.recognised ? [page.number] : [])));
    const chunks = await time("chunk", () => toChunks(document, options));
    for (const chunk of chunks)
      if (chunk.page_span && pagesOf(chunk.page_span).some((page) => recognised.has(page)))
        chunk.metadata = { ...chunk.metadata, recognised: true };
    if (embedder) await time("embed", () => embedInto(chunks, document.title, embedder, options));
    signal?.throwIfAborted();
    const before = known.from(origin)[0] ?? known.withHash(source.sha256);
    const now = new Date().toISOString();
    const made: DocumentSummary = {
      id: options.docId,
      title: document.title,
      citekey,
      kind: document.kind,
      origin,
      sha256: source.sha256,
      chunk_count: chunks.length,
      char_count: document.text.length,
      language: document.language,
      csl,
      added_at: before?.added_at ?? now,
      updated_at: now,
      extra: {
        ...source.extra,
        recipe: run.recipe,
        meta: document.meta,
        ...(document.pagesWithoutText ? { pages_without_text: document.pagesWithoutText } : {}),
        ...(ocr ? { ocr: ocr.language } : {}),
        ...(recognised.size > 0 ? { recognised_pages: recognised.size } : {}),
        ...identityExtra(identity, before && uncorrected(before)),
        ...(document.warnings.length > 0 ? { warnings: document.warnings } : {}),
      },
    };
    const kept = corrected(made, chunks, correctionsOf(before, made));
    const record = kept.document;
    const { text, pages, headings, edits } = document;
    await time("store", () =>
      store.replaceDocument(project.id, { ...record, text, pages, headings, edits }, kept.chunks, signal),
    );
    known.add(record);
    if (ocr) await rm(pagesFolder(ocr, source.sha256), { recursive: true, force: true });
    if (before) summary.replaced++;
    else summary.read++;
    (before ? summary.changed : summary.added).push(origin);
    summary.chunks += chunks.length;
    summary.pages += pages.length;
    for (const warning of document.warnings) summary.warnings.push({ path: origin, warning });
  }

  /** The same text under another path or record: keeps its chunks and vectors. False where that is not possible. */
  async function rename(
    run: Run,
    document: DocumentSummary,
    { path, root, size, mtimeMs }: Omit<FoundFile, "root"> & { root: string | undefined },
  ) {
    const { project, embedder, summary, known, signal } = run;
    if (document.extra.recipe !== run.recipe || isUnrecognised(document)) return false;
    const stored = await store.document(project.id, document.id);
    const chunks = stored ? await store.chunks(project.id, { doc_id: document.id }) : [];
    const vectors = await store.vectors?.(
      project.id,
      chunks.map(({ id }) => id),
    );
    if (!stored || !vectors || (embedder && chunks.some(({ id }) => !vectors.has(id)))) return false;
    const file = uncorrected(document);
    const identity = await identityOf(run, stored, root, path);
    const { citekey, csl, tags } = identity;
    const meta = metaIn(document);
    const made: DocumentSummary = {
      ...file,
      origin: path,
      citekey,
      csl,
      updated_at: new Date().toISOString(),
      extra: { ...document.extra, size, mtime_ms: mtimeMs, ...identityExtra(identity, file) },
    };
    const facts = {
      citekey,
      doi: textOrNull(csl?.DOI) ?? meta.doi ?? null,
      url: textOrNull(csl?.URL),
      year: yearIn(csl) ?? meta.year ?? null,
      tags,
    };
    const { document: record, chunks: kept } = corrected(
      made,
      chunks.map((chunk) => ({ ...chunk, ...facts, title: file.title, vectors: vectors.get(chunk.id) ?? [] })),
      correctionsIn(document),
    );
    const { text, pages, headings, edits } = stored;
    await run.time("store", () =>
      store.replaceDocument(project.id, { ...record, text, pages, headings, edits }, kept, signal),
    );
    known.remove(document);
    known.add(record);
    if (document.origin !== path) summary.moved.push({ from: document.origin ?? "", to: path });
    summary.replaced++;
    summary.changed.push(path);
    return true;
  }

  async function drop({ project, known }: Run, document: DocumentSummary) {
    await store.removeDocument(project.id, document.id);
    known.remove(document);
  }

  /** Same bytes, same way of cutting, same record in the bibliography. */
  async function isCurrent(run: Run, document: DocumentSummary, root: string | undefined): Promise<boolean> {
    const { id, origin, extra } = document;
    if (extra.recipe !== run.recipe || origin === null || isUnrecognised(document)) return false;
    const stored = await store.document(run.project.id, id);
    return (
      stored !== undefined && extra.identity === identityMark(await identityOf(run, stored, root, identityPath(origin)))
    );
  }

  /** It has pages without text that this run could read and no run has tried. */
  const isUnrecognised = ({ extra }: DocumentSummary) =>
    ocr !== undefined && extra.pages_without_text !== undefined && extra.ocr !== ocr.language;

  return { put, rename, drop, isCurrent, isUnrecognised };
}

const metaIn = ({ extra }: DocumentSummary) => (extra.meta ?? {}) as ReadDocument["meta"];

/** What the bibliographies now say about a stored document. */
async function identityOf(run: Run, stored: DocumentRecord, root: string | undefined, path: string) {
  const file = uncorrected(stored);
  const { title, text } = file;
  return settled(await run.identify(root, { title, meta: metaIn(stored), text }, path), file, file);
}

/** What a document's record says about how its work was found. */
function identityExtra(identity: Identity, before: DocumentSummary | undefined): Record<string, unknown> {
  const { citekey, tags, matched, bibliography } = identity;
  const earlier = (before?.extra.aliases as string[] | undefined) ?? [];
  const aliases = [...new Set([...earlier, before?.citekey, ...(identity.aliases ?? [])])].filter(
    (key) => key && key !== citekey,
  );
  return {
    identity: identityMark(identity),
    matched: matched?.method ?? null,
    tags,
    ...(bibliography ? { bibliography } : {}),
    ...(aliases.length > 0 ? { aliases } : {}),
  };
}

function pagesOf([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
