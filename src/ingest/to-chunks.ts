import { createHash } from "node:crypto";
import { createTurns } from "../kernel/time.js";
import type { Chunk, Project } from "../shelves/chunks/chunk-store.js";
import { leadOf } from "../shelves/chunks/embed-chunks.js";
import type { Embedder, Embedders } from "../shelves/chunks/embedding/embedder.js";
import { CHUNK_POLICY } from "./chunking.js";
import type { CutDocument, CutPiece } from "./cutting.js";

export interface ToChunksOptions {
  docId: string;
  /** Part of every chunk's id, as the project is bound to it. */
  modelId: string;
  citekey: string | null;
  doi?: string | null;
  url?: string | null;
  year?: number | null;
  tags?: readonly string[];
  metadata?: Record<string, unknown>;
  signal?: AbortSignal;
  /** Called after each slice of embedding. */
  onEmbedded?(done: number, total: number): void;
}

// Texts per call: enough to keep the model busy, few enough to stop soon after an abort.
const SLICE = 16;

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** `hash` is the SHA-256 of the file's bytes. */
export function documentId(hash: string): string {
  return `sha256_${hash.slice(0, 16)}`;
}

export type Unembedded = Omit<Chunk, "vectors"> & { vectors: Float32Array[] };

/**
 * The pieces of a document as chunks, placed but not embedded. Text and offsets are the document's own. Other calls are
 * answered in between: a text of nothing but headings has tens of thousands of pieces.
 */
export async function toChunks(
  document: Pick<CutDocument, "text" | "title" | "language" | "meta" | "pieces">,
  options: ToChunksOptions,
): Promise<Unembedded[]> {
  const { docId, modelId } = options;
  const taken = new Set<string>();
  const chunks: Unembedded[] = [];
  const turn = createTurns();
  for (const [position, piece] of document.pieces.entries()) {
    await turn();
    const text = document.text.slice(piece.start, piece.end);
    const id = chunkId(docId, piece, modelId, position);
    const unique = taken.has(id) ? `${id}_dup${position}` : id;
    taken.add(unique);
    chunks.push({
      id: unique,
      text,
      doc_id: docId,
      position,
      start: piece.start,
      end: piece.end,
      citekey: options.citekey,
      title: document.title,
      section: piece.section_path.at(-1) ?? null,
      section_path: piece.section_path,
      page_span: piece.page_span,
      page_labels: piece.page_labels,
      doi: options.doi ?? document.meta.doi ?? null,
      url: options.url ?? null,
      year: options.year ?? document.meta.year ?? null,
      tags: [...(options.tags ?? [])],
      language: document.language,
      metadata: {
        ...options.metadata,
        chunk_policy: CHUNK_POLICY,
        text_sha256: sha256(text).slice(0, 16),
        ...(piece.kind === "text" ? {} : { kind: piece.kind }),
        ...(piece.table ? { table: piece.table } : {}),
      },
      vectors: [],
    });
  }
  return chunks;
}

function chunkId(docId: string, piece: CutPiece, modelId: string, position: number): string {
  const [from, to] = piece.page_span ?? [piece.start, piece.end];
  const location = piece.section_path.length ? piece.section_path.join("|") : `p${from}-${to}`;
  return sha256(`${docId}:${location}:${modelId}:${position}`).slice(0, 16);
}

/** The warning where a project's model is missing. */
export const wordsOnly = ({ model }: Pick<Project, "model">, { unavailable = "" }: Pick<Embedders, "unavailable">) =>
  `Stored for search by words only: the model '${model.id}' is not here. ${unavailable}`.trim();

/** Embeds slice by slice, so that memory holds no more than one document's vectors. */
export async function embedInto(
  chunks: readonly Unembedded[],
  title: string,
  embedder: Embedder,
  { signal, onEmbedded }: Pick<ToChunksOptions, "signal" | "onEmbedded">,
): Promise<void> {
  let slice: { chunk: Unembedded; text: string }[] = [];
  let done = 0;
  const flush = async () => {
    if (!slice.length) return;
    signal?.throwIfAborted();
    const vectors = await embedder.embed(
      slice.map(({ text }) => text),
      { as: "passage", ...(signal ? { signal } : {}) },
    );
    slice.forEach(({ chunk }, i) => {
      chunk.vectors.push(vectors[i]!);
    });
    slice = [];
    onEmbedded?.(done, chunks.length);
  };
  for (let from = 0; from < chunks.length; from += SLICE) {
    const some = chunks.slice(from, from + SLICE);
    const windows = await embedder.windows(
      some.map((chunk) => ({
        text: chunk.text,
        prefix: leadOf({ ...chunk, title }),
      })),
    );
    for (const [i, chunk] of some.entries()) {
      for (const text of windows[i]!) {
        slice.push({ chunk, text });
        if (slice.length >= SLICE) await flush();
      }
      done++;
    }
  }
  await flush();
}
