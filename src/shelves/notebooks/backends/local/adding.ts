import { createHash, randomUUID } from "node:crypto";
import { codePoints } from "../../../../catalog/fields.js";
import { itemOfDocument } from "../../../../citations/bibliography/described-item.js";
import { freeKey, readableKey } from "../../../../citations/bibliography/generated-key.js";
import { type CutDocument, recipeFor } from "../../../../ingest/cutting.js";
import type { Readers } from "../../../../ingest/reader-pool.js";
import { embedInto, sha256, toChunks } from "../../../../ingest/to-chunks.js";
import { askedAddress, readPage } from "../../../../ingest/web/read-page.js";
import type { Fetcher } from "../../../../ingest/web/safe-fetch.js";
import { badParameter, ShelfError } from "../../../../kernel/errors.js";
import type { ChunkStore, DocumentSummary, Project } from "../../../chunks/chunk-store.js";
import type { Embedders } from "../../../chunks/embedding/embedder.js";
import type { AddedSource, NewSource } from "../../notebook-backend.js";
import { type Background, UNEMBEDDED } from "./background.js";

interface AddingDeps {
  store: ChunkStore;
  embedders: Pick<Embedders, "get" | "unavailable">;
  readers: Pick<Readers, "readBytes" | "readGiven">;
  fetcher: Fetcher;
  background: Background;
  now: () => Date;
}

const MAX_TEXT = 500_000;
const MAX_TITLE = 200;
/** A source of more chunks than this is stored at once and embedded in the background. */
const EMBEDDED_AT_ONCE = 64;

/** Reads the whole source before writing it in one step, so that a failure leaves nothing behind. */
export function addSource(deps: AddingDeps, notebook: Project, source: NewSource, signal: AbortSignal) {
  switch (source.source_type) {
    case "text":
      return addText(deps, notebook, source, signal);
    case "file":
      return addFile(deps, notebook, source, signal);
    case "url":
      return addPage(deps, notebook, source, signal);
  }
}

async function addFile(
  deps: AddingDeps,
  notebook: Project,
  { name, bytes, title }: Extract<NewSource, { source_type: "file" }>,
  signal: AbortSignal,
): Promise<AddedSource> {
  // The same bytes added twice are one source.
  const id = `file-${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}`;
  const known = await deps.store.document(notebook.id, id);
  if (known) return already(known, "file");
  const read = await deps.readers.readBytes(bytes, { path: name }, signal, cutFor(deps, notebook));
  const document = { ...read, title: title ?? shortened(read.title) };
  const kind = read.kind === "pdf" ? "pdf" : "text";
  return keep(deps, notebook, { id, document, kind, origin: null, extra: { file: name, format: read.kind } }, signal);
}

async function addText(
  deps: AddingDeps,
  notebook: Project,
  { text, title }: Extract<NewSource, { source_type: "text" }>,
  signal: AbortSignal,
): Promise<AddedSource> {
  const characters = codePoints(text);
  if (characters > MAX_TEXT)
    throw new ShelfError(
      "CONTENT_TOO_LARGE",
      `The text has ${characters} characters; up to ${MAX_TEXT} fit into one source. Split it into several.`,
      { details: { characters, limit: MAX_TEXT } },
    );
  if (!text.trim()) throw badParameter("INVALID_INPUT", "text", "must not be empty", "The text is empty.");
  const document = await deps.readers.readGiven({ text, title, format: "pasted" }, signal, cutFor(deps, notebook));
  return keep(deps, notebook, { id: randomUUID(), document, kind: "text", origin: null, extra: {} }, signal);
}

async function addPage(
  deps: AddingDeps,
  notebook: Project,
  { url, title }: Extract<NewSource, { source_type: "url" }>,
  signal: AbortSignal,
): Promise<AddedSource> {
  const asked = askedAddress(url);
  const known = findAddress(await deps.store.documents(notebook.id), [asked]);
  if (known) return already(known);
  const { document: read, origin, addresses } = await readPage(deps, asked, cutFor(deps, notebook), signal);
  const same = findAddress(await deps.store.documents(notebook.id), addresses);
  if (same) return already(same);
  return keep(
    deps,
    notebook,
    {
      // The same page added twice at the same time is still one source.
      id: `page-${sha256(origin).slice(0, 32)}`,
      document: { ...read, title: title ?? shortened(read.title) },
      kind: read.kind === "pdf" ? "pdf" : "url",
      origin,
      extra: { addresses, format: read.kind },
    },
    signal,
  );
}

/** Reference lists are dropped, unless there is nothing else: they answer no question. */
const cutFor = ({ embedders }: AddingDeps, notebook: Project) =>
  recipeFor(embedders.get(notebook.model), "if nothing else");

async function keep(
  { store, embedders, background, now }: AddingDeps,
  notebook: Project,
  { id, document, ...source }: Pick<DocumentSummary, "id" | "kind" | "origin" | "extra"> & { document: CutDocument },
  signal: AbortSignal,
): Promise<AddedSource> {
  const embedder = embedders.get(notebook.model);
  const notes = [...document.warnings];
  const wordless = !/[\p{L}\p{N}]/u.test(document.text);
  if (wordless) notes.push("The source holds no words, so it can be read but not searched.");
  else if (!embedder)
    notes.push(
      `It is searched by words only: ${embedders.unavailable ?? "the notebook's embedding model is not here."}`,
    );
  const { citekey, csl } = await record(store, notebook, id, document, source.origin);
  const chunks = wordless
    ? []
    : await toChunks(document, { docId: id, modelId: notebook.model.id, citekey, url: source.origin, signal });
  const later = embedder !== undefined && chunks.length > EMBEDDED_AT_ONCE;
  if (embedder && !later) await embedInto(chunks, document.title, embedder, { signal });
  signal.throwIfAborted();
  const at = now().toISOString();
  const { title, text, pages, headings, edits, language } = document;
  await store.replaceDocument(
    notebook.id,
    {
      ...source,
      extra: later ? { ...source.extra, [UNEMBEDDED]: true } : source.extra,
      id,
      title,
      text,
      pages,
      headings,
      edits,
      language,
      citekey,
      csl,
      sha256: sha256(text),
      chunk_count: chunks.length,
      char_count: text.length,
      added_at: at,
      updated_at: at,
    },
    chunks,
    signal,
  );
  if (later) {
    background.embed(notebook, id);
    notes.push("Source added. It is found by words now, and by meaning when its processing is done.");
  }
  const processing_status = later ? "processing" : "complete";
  return { source_id: id, title, processing_status, message: notes.join(" ") || null };
}

/** What a source says of itself, under a readable key that no other source of the notebook has: so it can be cited. */
async function record(store: ChunkStore, notebook: Project, id: string, document: CutDocument, origin: string | null) {
  const item = { ...(origin ? { URL: origin } : {}), ...itemOfDocument(document), title: document.title };
  const others = (await store.documents(notebook.id)).filter((other) => other.id !== id);
  const taken = new Set(others.map(({ citekey }) => citekey));
  const citekey = freeKey(readableKey(item), (key) => taken.has(key));
  return { citekey, csl: { ...item, id: citekey } };
}

/** A page may give itself any title. */
function shortened(title: string): string {
  const characters = [...title.replace(/\s+/g, " ").trim()];
  return characters.length <= MAX_TITLE ? characters.join("") : `${characters.slice(0, MAX_TITLE - 1).join("")}…`;
}

function findAddress(documents: readonly DocumentSummary[], addresses: readonly string[]): DocumentSummary | undefined {
  return documents.find(({ origin, extra }) => {
    const own = Array.isArray(extra.addresses) ? extra.addresses : [];
    return addresses.some((address) => address === origin || own.includes(address));
  });
}

function already({ id, title }: Pick<DocumentSummary, "id" | "title">, what: "page" | "file" = "page"): AddedSource {
  return {
    source_id: id,
    title,
    processing_status: "complete",
    message: `This ${what} is already a source of the notebook; nothing was added.`,
  };
}
