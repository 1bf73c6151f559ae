import { textOrNull } from "../../kernel/json.js";
import { once } from "../../kernel/once.js";
import type {
  ChunkStore,
  DocumentRecord,
  DocumentSummary,
  Project,
  StoredChunk,
} from "../../shelves/chunks/chunk-store.js";
import type { Embedder } from "../../shelves/chunks/embedding/embedder.js";
import { CHUNK_POLICY } from "../chunking.js";
import { corrected, correctionsIn } from "../corrections.js";
import { type CutDocument, type CutRecipe, recipeFor } from "../cutting.js";
import type { DocumentMeta, ReadDocument } from "../document.js";
import { assignedIn, type Identity, identityPath, type OpenIdentifier } from "../identity.js";
import { languageOf } from "../meta.js";
import { embedInto, sha256, toChunks, type Unembedded } from "../to-chunks.js";
import { asParagraphs } from "./paragraphs.js";

/** Increase it when the same library would be stored differently. */
const SYNC_VERSION = 1;

/** The reader's own note on a text. */
export type GivenNote = Pick<StoredChunk, "id" | "text" | "url" | "tags" | "metadata">;

/** A passage that becomes one chunk, unchanged. */
export type GivenPassage = Pick<
  StoredChunk,
  "id" | "text" | "start" | "end" | "url" | "tags" | "page_span" | "page_labels" | "section_path" | "metadata"
>;

/** An item of the library that is to be written to the project. */
export interface Arrival {
  id: string;
  kind: "highlights" | "reader";
  title: string;
  origin: string | null;
  /** Changes whenever something that is stored changes. */
  fingerprint: string;
  meta: DocumentMeta;
  /** What the library knows about the work beyond `meta`. */
  csl: Record<string, unknown>;
  /** The Reader document it is, or whose highlights it holds. */
  readerId: string | null;
  extra: Record<string, unknown>;
  notes: GivenNote[];
  read(signal: AbortSignal, cut: CutRecipe): Promise<ArrivedText>;
}

/** `passages` are chunks already; pieces are those of a text that was cut. */
type ArrivedText = Pick<ReadDocument, "text" | "pages" | "headings" | "edits" | "language" | "warnings"> &
  Partial<Pick<CutDocument, "pieces">> & {
    passages: GivenPassage[];
    url?: string | null;
    tags?: string[];
    metadata?: Record<string, unknown>;
  };

export interface Writing {
  store: ChunkStore;
  project: Project;
  embedder: Embedder | undefined;
  openIdentifier: OpenIdentifier;
  account: string;
  /** The project's documents by id, kept up to date. */
  known: Map<string, DocumentSummary>;
  signal: AbortSignal;
}

export const recipeOf = (embedder: Embedder | undefined) =>
  `${SYNC_VERSION}/${CHUNK_POLICY}/${embedder ? "vectors" : "words"}`;

export interface Written {
  result: "added" | "updated";
  chunks: number;
}

export type LibraryWriting = ReturnType<typeof createWriting>;

/** Writes documents one by one, and embeds only passages that are new or changed. */
export function createWriting({ store, project, embedder, openIdentifier, account, known, signal }: Writing) {
  const recipe = recipeOf(embedder);
  const identifier = once(() =>
    openIdentifier({ bibliographies: [], root: undefined, assigned: assignedIn(known.values()), signal }),
  );

  /** A document and the highlights in it are one work and have one key; a key once given stays. */
  async function identityOf(arrival: Arrival, text: string, before: DocumentSummary | undefined): Promise<Identity> {
    const { title, meta, origin, id } = arrival;
    const identity = await (await identifier()).identify({ title, meta, text }, identityPath(origin ?? id));
    if (identity.matched) return identity;
    const sibling = [...known.values()].find(
      (each) => each.id !== id && arrival.readerId !== null && each.extra.reader_id === arrival.readerId,
    );
    const citekey = before?.citekey ?? sibling?.citekey ?? identity.citekey;
    return { ...identity, citekey, csl: { ...identity.csl, ...arrival.csl, id: citekey } };
  }

  async function chunksOf(
    arrival: Arrival,
    text: ArrivedText,
    { citekey, csl, tags }: Identity,
  ): Promise<Unembedded[]> {
    const facts = { citekey, doi: textOrNull(csl?.DOI), year: arrival.meta.year ?? null };
    const { pieces, passages, ...document } = text;
    const cut = pieces
      ? await toChunks(
          { ...document, pieces, title: arrival.title, meta: arrival.meta },
          {
            ...facts,
            docId: arrival.id,
            modelId: project.model.id,
            url: text.url ?? null,
            tags: [...new Set([...tags, ...(text.tags ?? [])])],
            ...(text.metadata ? { metadata: text.metadata } : {}),
          },
        )
      : [];
    const given = passages.map((passage, i) => ({
      ...facts,
      ...passage,
      doc_id: arrival.id,
      position: cut.length + i,
      title: arrival.title,
      section: passage.section_path.at(-1) ?? null,
      language: text.language,
      tags: [...new Set([...tags, ...passage.tags])],
      vectors: [],
    }));
    return [...cut, ...given];
  }

  /**
   * Notes are a document of their own without a key: a quote checked against the source, or cited from it, must never
   * match the reader's own notes.
   */
  async function writeNotes({ id, title, origin, notes, extra }: Arrival): Promise<number> {
    if (notes.length === 0) {
      await drop(notesId(id));
      return 0;
    }
    const { text, edits, spans } = asParagraphs(notes);
    const language = languageOf(text);
    const heading = `Notes on ${title}`;
    const chunks = spans.map<Unembedded>(({ item, start, end }, position) => ({
      ...item,
      text: text.slice(start, end),
      doc_id: notesId(id),
      position,
      start,
      end,
      citekey: null,
      title: heading,
      section: null,
      section_path: [],
      page_span: null,
      page_labels: null,
      doi: null,
      year: null,
      language,
      vectors: [],
    }));
    await embed(notesId(id), heading, chunks, () => {});
    const record = {
      ...summaryOf({ id: notesId(id), title: heading, kind: "notes", origin, sha256: sha256(`${id} ${text}`) }),
      citekey: null,
      chunk_count: chunks.length,
      char_count: text.length,
      language,
      csl: null,
      extra: { ...extra, recipe, account },
    };
    await put(record, { text, pages: [], headings: [], edits }, chunks);
    return chunks.length;
  }

  function summaryOf(own: Pick<DocumentSummary, "id" | "title" | "kind" | "origin" | "sha256">) {
    const now = new Date().toISOString();
    return { ...own, added_at: known.get(own.id)?.added_at ?? now, updated_at: now };
  }

  async function put(
    record: DocumentSummary,
    body: Pick<DocumentRecord, "text" | "pages" | "headings" | "edits">,
    chunks: readonly Unembedded[],
  ): Promise<void> {
    signal.throwIfAborted();
    const kept = corrected(record, chunks, correctionsIn(known.get(record.id)));
    await store.replaceDocument(project.id, { ...kept.document, ...body }, kept.chunks, signal);
    known.set(record.id, kept.document);
  }

  async function drop(id: string): Promise<boolean> {
    return known.delete(id) && (await store.removeDocument(project.id, id));
  }

  /** Reuses the vectors of unchanged passages. */
  async function embed(
    docId: string,
    title: string,
    chunks: readonly Unembedded[],
    onEmbedded: (share: number) => void,
  ): Promise<void> {
    if (!embedder) return;
    const before = new Map((await store.chunks(project.id, { doc_id: docId })).map((chunk) => [chunk.id, chunk]));
    const same = chunks.filter((chunk) => readsLike(chunk, before.get(chunk.id)));
    const vectors = same.length
      ? await store.vectors?.(
          project.id,
          same.map(({ id }) => id),
        )
      : undefined;
    for (const chunk of same) chunk.vectors.push(...(vectors?.get(chunk.id) ?? []));
    const missing = chunks.filter((chunk) => chunk.vectors.length === 0);
    await embedInto(missing, title, embedder, {
      signal,
      onEmbedded: (done, total) => onEmbedded(done / total),
    });
  }

  return {
    isCurrent({ id, fingerprint }: Arrival): boolean {
      const before = known.get(id);
      return before?.sha256 === fingerprint && before.extra.recipe === recipe;
    },

    async write(arrival: Arrival, onEmbedded: (share: number) => void = () => {}): Promise<Written> {
      const { id, title, kind, origin, fingerprint } = arrival;
      const before = known.get(id);
      const { text, pages, headings, edits, ...read } = await arrival.read(signal, recipeFor(embedder, false));
      const identity = await identityOf(arrival, text, before);
      const chunks = await chunksOf(arrival, { text, pages, headings, edits, ...read }, identity);
      await embed(id, title, chunks, onEmbedded);
      // The fingerprint is written last: what a kill leaves undone is then done again.
      const noted = await writeNotes(arrival);
      const record = {
        ...summaryOf({ id, title, kind, origin, sha256: fingerprint }),
        citekey: identity.citekey,
        chunk_count: chunks.length,
        char_count: text.length,
        language: read.language,
        csl: identity.csl,
        extra: {
          ...arrival.extra,
          recipe,
          account,
          reader_id: arrival.readerId,
          meta: arrival.meta,
          matched: identity.matched?.method ?? null,
        },
      };
      await put(record, { text, pages, headings, edits }, chunks);
      return { result: before ? "updated" : "added", chunks: chunks.length + noted };
    },

    async remove(id: string): Promise<boolean> {
      await drop(notesId(id));
      return drop(id);
    },

    /** Deletes stored items of one kind that the library no longer has. */
    async sweep(kind: Arrival["kind"], present: ReadonlySet<string>): Promise<number> {
      const stored = [...known.values()].filter((document) => document.kind === kind);
      // Ids belong to one library only: whatever account one of them was stored under is this one, by an older key.
      const own = new Set([account, ...stored.filter(({ id }) => present.has(id)).map(({ extra }) => extra.account)]);
      let removed = 0;
      for (const { id, extra } of stored)
        if (!present.has(id) && own.has(extra.account) && (await this.remove(id))) removed++;
      return removed;
    },
  };
}

const notesId = (id: string) => `${id}_notes`;

function readsLike(chunk: Unembedded, before: StoredChunk | undefined): boolean {
  return (
    before?.text === chunk.text &&
    before.title === chunk.title &&
    before.section_path.join("\n") === chunk.section_path.join("\n")
  );
}
