import { createHash } from "node:crypto";
import type { Chunk } from "../shelves/chunks/chunk-store.js";
import type { Embedder } from "../shelves/chunks/embedding/embedder.js";
import { CHUNK_POLICY, cut, type Piece, sizesFor } from "./chunking.js";
import type { ReadDocument } from "./document.js";

export interface ToChunksOptions {
  docId: string;
  /** Undefined where only words are searched: the chunks then have no vectors. */
  embedder: Embedder | undefined;
  /** Part of every chunk's id, as the project is bound to it. */
  modelId: string;
  citekey: string | null;
  doi?: string | null;
  url?: string | null;
  year?: number | null;
  tags?: readonly string[];
  metadata?: Record<string, unknown>;
  references?: boolean;
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

/** A read document as chunks ready to store: cut, placed and embedded. Text and offsets are the document's own. */
export async function documentToChunks(document: ReadDocument, options: ToChunksOptions): Promise<Chunk[]> {
  const chunks = cutToChunks(document, options);
  if (options.embedder) await embedInto(chunks, document.title, options.embedder, options);
  return chunks;
}

export type Unembedded = Omit<Chunk, "vectors"> & { vectors: Float32Array[] };

export function cutToChunks(document: ReadDocument, options: ToChunksOptions): Unembedded[] {
  const { embedder, docId, modelId } = options;
  const pieces = cut(document, {
    ...sizesFor(embedder?.identity.max_tokens ?? 256),
    countTokens: embedder ? tokenCounter(embedder) : roughTokens,
    references: options.references ?? false,
  });
  const taken = new Set<string>();
  return pieces.map((piece, position) => {
    const id = chunkId(docId, piece, modelId, position);
    const unique = taken.has(id) ? `${id}_dup${position}` : id;
    taken.add(unique);
    return {
      id: unique,
      text: piece.text,
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
        text_sha256: sha256(piece.text).slice(0, 16),
        ...(piece.kind === "references" ? { kind: "references" } : {}),
      },
      vectors: [],
    };
  });
}

function chunkId(docId: string, piece: Piece, modelId: string, position: number): string {
  const [from, to] = piece.page_span ?? [piece.start, piece.end];
  const location = piece.section_path.length ? piece.section_path.join("|") : `p${from}-${to}`;
  return sha256(`${docId}:${location}:${modelId}:${position}`).slice(0, 16);
}

/** Embeds slice by slice, so that a book of any length holds no more than its own vectors at once. */
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
  for (const chunk of chunks) {
    const prefix = [title, ...chunk.section_path.slice(-2)].join("\n");
    for (const text of embedder.windows(chunk.text, prefix)) {
      slice.push({ chunk, text });
      if (slice.length >= SLICE) await flush();
    }
    done++;
  }
  await flush();
}

/** Sizes add up only without the marks a model puts around every text. */
function tokenCounter(embedder: Embedder): (text: string) => number {
  const marks = embedder.countTokens("");
  return (text) => Math.max(1, embedder.countTokens(text) - marks);
}

function roughTokens(text: string): number {
  const words = text.match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.ceil(Math.max(words * 1.3, text.length / 5)));
}
