import { existsSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { CHUNK_POLICY } from "./chunking.js";
import { type CutDocument, type CutRecipe, recipeFor } from "./cutting.js";
import type { ReadDocument } from "./document.js";
import {
  type Identifier,
  type Identity,
  identityMark,
  identityPath,
  type OpenIdentifier,
  settled,
} from "./identity.js";
import { knownDocuments } from "./known-documents.js";
import type { Readers } from "./reader-pool.js";
import { emptySummary, type IngestSummary, stopwatch } from "./summary.js";
import { documentId, embedInto, sha256, toChunks } from "./to-chunks.js";
import { type FoundFile, fenced, hashFile, isInside, type Walk, walk } from "./walk.js";

/** Raised whenever readers give another text for the same bytes. */
const READER_VERSION = 4;

export interface IngestOptions {
  /** Drop documents under the given folders whose files are gone. */
  prune?: boolean;
  /** Keep lists of references searchable. */
  references?: boolean;
  signal?: AbortSignal;
  progress?: (done: number, total?: number, message?: string) => void;
}

export interface GivenText {
  title: string;
  text: string;
  format?: "text" | "markdown";
  url?: string;
  citekey?: string;
  /** What is known of the work beyond what its text says. */
  csl?: Record<string, unknown>;
  tags?: string[];
}

export interface IngestionDeps {
  store: ChunkStore;
  projects?: Projects;
  embedders: Pick<Embedders, "get" | "preferred" | "unavailable">;
  readers: Readers;
  openIdentifier: OpenIdentifier;
  /** Folders a caller over MCP may name. */
  roots?: readonly string[];
}

export type Ingestion = ReturnType<typeof createIngestion>;

/** Files become documents and chunks of a project, one at a time and each in one write: a kill leaves whole documents. */
export function createIngestion({
  store,
  embedders,
  projects = createProjects({ store, embedders }),
  readers,
  openIdentifier,
  roots = [],
}: IngestionDeps) {
  async function begin(
    projectId: string,
    { references = false, signal, progress }: IngestOptions,
    found: readonly string[] = [],
  ) {
    const project = await projects.open(projectId);
    const embedder = embedders.get(project.model);
    const known = knownDocuments(await store.documents(project.id));
    const summary = emptySummary();
    if (!embedder)
      summary.warnings.push({
        path: project.id,
        warning:
          `Stored for search by words only: the model '${project.model.id}' is not here. ${embedders.unavailable ?? ""}`.trim(),
      });
    const recipe = `${READER_VERSION}/${CHUNK_POLICY}/${references ? "references" : "text"}/${embedder ? "vectors" : "words"}`;
    const remembered = known
      .all()
      .flatMap(({ extra }) => (typeof extra.bibliography === "string" ? [extra.bibliography] : []));
    const bibliographies = [...new Set([...found, ...remembered])].filter((file) => existsSync(file));
    summary.bibliographies.push(...bibliographies);
    const identifiers = new Map<string | undefined, Promise<Identifier>>();
    const identifierFor = (root: string | undefined) => {
      let opened = identifiers.get(root);
      if (!opened) {
        const assigned = known
          .all()
          .flatMap(({ origin, citekey }) => (origin === null ? [] : [{ path: identityPath(origin), citekey }]));
        opened = openIdentifier({ root, assigned, bibliographies, signal }).then((identifier) => {
          for (const warning of identifier.problems ?? []) summary.warnings.push({ path: root ?? project.id, warning });
          return identifier;
        });
        identifiers.set(root, opened);
      }
      return opened;
    };
    return {
      project,
      embedder,
      recipe,
      cut: recipeFor(embedder, references),
      signal,
      progress,
      summary,
      known,
      identifierFor,
      time: stopwatch(summary.ms),
    };
  }
  type Run = Awaited<ReturnType<typeof begin>>;

  interface Source {
    sha256: string;
    origin: string;
    url?: string | undefined;
    identity: Identity;
    extra: Record<string, unknown>;
    onEmbedded(share: number): void;
  }

  /** Embeds and writes one document. */
  async function put(run: Run, document: CutDocument, { origin, identity, ...source }: Source) {
    const { project, embedder, summary, known, time, signal } = run;
    const { citekey, csl, tags, matched } = identity;
    const options = {
      docId: documentId(source.sha256),
      modelId: project.model.id,
      citekey,
      doi: textOrNull(csl?.DOI),
      url: source.url ?? textOrNull(csl?.URL),
      year: yearOf(csl),
      tags,
      ...(signal ? { signal } : {}),
      onEmbedded: (done: number, total: number) => source.onEmbedded(done / total),
    };
    const chunks = await time("chunk", () => toChunks(document, options));
    if (embedder) await time("embed", () => embedInto(chunks, document.title, embedder, options));
    signal?.throwIfAborted();
    const before = known.from(origin)[0] ?? known.withHash(source.sha256);
    const now = new Date().toISOString();
    const aliases = [...new Set([...((before?.extra.aliases as string[] | undefined) ?? []), before?.citekey])].filter(
      (key) => key && key !== citekey,
    );
    const record: DocumentSummary = {
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
        identity: identityMark(identity),
        matched: matched?.method ?? null,
        tags,
        ...(identity.bibliography ? { bibliography: identity.bibliography } : {}),
        ...(aliases.length > 0 ? { aliases } : {}),
      },
    };
    const { text, pages, headings, edits } = document;
    await time("store", () =>
      store.replaceDocument(project.id, { ...record, text, pages, headings, edits }, chunks, signal),
    );
    known.add(record);
    if (before) summary.replaced++;
    else summary.read++;
    (before ? summary.changed : summary.added).push(origin);
    summary.chunks += chunks.length;
    summary.pages += pages.length;
    for (const warning of document.warnings) summary.warnings.push({ path: origin, warning });
  }

  async function drop({ project, known }: Run, document: DocumentSummary) {
    await store.removeDocument(project.id, document.id);
    known.remove(document);
  }

  async function ingestPaths(
    projectId: string,
    paths: readonly string[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const found = await walk(paths, options.signal);
    const run = await begin(projectId, options, found.bibliographies);
    const { summary, known, signal, progress } = run;
    summary.skipped.push(...found.skipped);
    summary.ignored = found.ignored;
    const hashes = await hashAll(run, found.files);
    const present = new Set(hashes.values());
    let done = 0;
    for (const file of found.files) {
      const hash = hashes.get(file.path);
      if (!hash) continue;
      signal?.throwIfAborted();
      const show = (share: number) => progress?.(done + share, hashes.size, basename(file.path));
      show(0);
      const same = known.withHash(hash);
      // A file that was renamed is read again under its new path.
      const moved = same && same.origin !== file.path && !(same.origin && existsSync(same.origin));
      if (same && !moved && (await isCurrent(run, same, file.root))) summary.unchanged++;
      else await readOne(run, file, show);
      // The old text goes only once the new one is there, and never while another file still holds it.
      if (known.from(file.path).some((document) => document.sha256 === hash))
        for (const document of known.from(file.path)) if (!present.has(document.sha256)) await drop(run, document);
      done++;
    }
    await prune(run, found, paths, present, options.prune ?? false);
    for (const { origin, citekey, extra } of known.all())
      if (origin && isAbsolute(origin) && citekey && extra.matched === null)
        summary.unmatched.push({ path: origin, citekey });
    progress?.(hashes.size, hashes.size, "done");
    return summary;
  }

  async function hashAll({ summary, signal, time }: Run, files: readonly FoundFile[]): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    for (const { path } of files) {
      try {
        hashes.set(path, await time("hash", () => hashFile(path, signal)));
      } catch (error) {
        // The file system said no to this one file; anything else is not ours to swallow.
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
        summary.skipped.push({ path, reason: "The file may not be read by this user, or is gone." });
      }
    }
    return hashes;
  }

  /** Same bytes, cut by the same recipe, and the bibliography says what it said. */
  async function isCurrent(
    { project, recipe, identifierFor }: Run,
    document: DocumentSummary,
    root: string,
  ): Promise<boolean> {
    if (document.extra.recipe !== recipe || document.origin === null) return false;
    const stored = await store.document(project.id, document.id);
    if (!stored) return false;
    const meta = (document.extra.meta ?? {}) as ReadDocument["meta"];
    const identity = await (await identifierFor(root)).identify(
      { title: document.title, meta, text: stored.text },
      identityPath(document.origin),
    );
    return document.extra.identity === identityMark(settled(identity, document, document));
  }

  async function readOne(run: Run, { path, root, size, mtimeMs }: FoundFile, onEmbedded: (share: number) => void) {
    let read: Awaited<ReturnType<typeof readers.readFile<CutRecipe>>>;
    try {
      read = await run.time("read", () => readers.readFile(path, run.signal, run.cut));
    } catch (error) {
      // A file that cannot be read is part of the answer; what was stored of it before stays.
      if (!(error instanceof ShelfError) || error.code !== "PROCESSING_FAILED") throw error;
      run.summary.skipped.push({ path, reason: error.message });
      return;
    }
    const before = run.known.from(path)[0] ?? run.known.withHash(read.sha256);
    const identity = settled(await (await run.identifierFor(root)).identify(read.document, path), before, {
      sha256: read.sha256,
      title: read.document.title,
    });
    await put(run, read.document, {
      sha256: read.sha256,
      origin: path,
      identity,
      extra: { size, mtime_ms: mtimeMs },
      onEmbedded,
    });
  }

  /** Documents whose files are gone: named in the summary, and dropped where that was asked for. */
  async function prune(
    run: Run,
    { files, complete }: Walk,
    named: readonly string[],
    present: ReadonlySet<string>,
    dropping: boolean,
  ) {
    const there = new Set(files.map(({ path }) => path));
    for (const document of run.known.all()) {
      const { origin, sha256: hash } = document;
      if (origin === null || there.has(origin) || present.has(hash)) continue;
      if (!complete.some((root) => isInside(origin, root)) && !named.includes(origin)) continue;
      run.summary.vanished.push(origin);
      if (!dropping) continue;
      await drop(run, document);
      run.summary.pruned++;
    }
  }

  async function ingestTexts(
    projectId: string,
    texts: readonly GivenText[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const run = await begin(projectId, options);
    const { summary, known, signal, progress } = run;
    for (const [i, given] of texts.entries()) {
      signal?.throwIfAborted();
      const show = (share: number) => progress?.(i + share, texts.length, given.title);
      show(0);
      const origin = given.url ?? `text:${given.title}`;
      const hash = sha256(
        JSON.stringify([given.title, given.text, given.format, given.citekey, given.tags, given.url, given.csl]),
      );
      if (known.withHash(hash)?.extra.recipe === run.recipe) {
        summary.unchanged++;
        continue;
      }
      const { title, text, format } = given;
      const document = await readers.readGiven({ title, text, ...(format ? { format } : {}) }, signal, run.cut);
      const found = await (await run.identifierFor(undefined)).identify(document, identityPath(origin));
      const identity: Identity = {
        ...found,
        ...(given.citekey ? { citekey: given.citekey, matched: { method: "given" } } : {}),
        ...(given.csl ? { csl: { ...found.csl, ...given.csl, id: given.citekey ?? found.citekey } } : {}),
        tags: [...new Set([...found.tags, ...(given.tags ?? [])])],
      };
      await put(run, document, { sha256: hash, origin, url: given.url, identity, extra: {}, onEmbedded: show });
      for (const old of known.from(origin)) if (old.sha256 !== hash) await drop(run, old);
    }
    progress?.(texts.length, texts.length, "done");
    return summary;
  }

  return {
    /** Folders a caller over MCP may name. */
    roots,
    ingestPaths,
    ingestTexts,
    /** For callers who are not the owner at the keyboard: only under the roots the owner allowed. */
    async ingestAllowed(
      projectId: string,
      paths: readonly string[],
      options: IngestOptions = {},
    ): Promise<IngestSummary> {
      return ingestPaths(projectId, await fenced(paths, roots), options);
    },
    ensureProject: projects.ensure,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}

function yearOf(csl: Record<string, unknown> | null): number | null {
  const year = Number((csl?.issued as { "date-parts"?: unknown[][] } | undefined)?.["date-parts"]?.[0]?.[0]);
  return Number.isInteger(year) && year !== 0 ? year : null;
}
