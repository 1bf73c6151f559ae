import { basename } from "node:path";
import { ShelfError } from "../errors.js";
import type { ChunkStore, DocumentSummary, Project } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import { CHUNK_POLICY } from "./chunking.js";
import type { ReadDocument } from "./document.js";
import { generatedIdentity, type Identify, type Identity, uniqueKey } from "./identity.js";
import { type Readers, readText } from "./reader-pool.js";
import { cutToChunks, documentId, embedInto, sha256 } from "./to-chunks.js";
import { fenced, hashFile, isInside, walk } from "./walk.js";

/** Raised whenever readers give another text for the same bytes. */
const READER_VERSION = 1;

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
  tags?: string[];
}

export const STAGES = ["hash", "read", "chunk", "embed", "store"] as const;
export type Stage = (typeof STAGES)[number];

export interface IngestSummary {
  read: number;
  unchanged: number;
  replaced: number;
  pruned: number;
  /** Files in folders that are no documents. */
  ignored: number;
  chunks: number;
  pages: number;
  skipped: { path: string; reason: string }[];
  /** Read, but not found in the owner's bibliography: the key was made up. */
  unmatched: { path: string; citekey: string }[];
  warnings: { path: string; warning: string }[];
  ms: Record<Stage, number>;
}

export interface IngestionDeps {
  store: ChunkStore;
  embedders: Pick<Embedders, "get" | "preferred" | "unavailable">;
  readers: Readers;
  identify?: Identify;
  /** Folders a caller over MCP may name. */
  roots?: readonly string[];
}

export type Ingestion = ReturnType<typeof createIngestion>;

/** Files become documents and chunks of a project, one at a time and each in one write: a kill leaves whole documents. */
export function createIngestion({
  store,
  embedders,
  readers,
  identify = generatedIdentity,
  roots = [],
}: IngestionDeps) {
  async function begin(projectId: string, { references = false, signal, progress }: IngestOptions) {
    const project = await openProject(store, projectId);
    const embedder = embedders.get(project.model);
    const documents = await store.documents(project.id);
    const summary: IngestSummary = {
      read: 0,
      unchanged: 0,
      replaced: 0,
      pruned: 0,
      ignored: 0,
      chunks: 0,
      pages: 0,
      skipped: [],
      unmatched: [],
      warnings: [],
      ms: { hash: 0, read: 0, chunk: 0, embed: 0, store: 0 },
    };
    if (!embedder)
      summary.warnings.push({
        path: project.id,
        warning:
          `Stored for search by words only: the model '${project.model.id}' is not here. ${embedders.unavailable ?? ""}`.trim(),
      });
    const recipe = `${READER_VERSION}/${CHUNK_POLICY}/${references ? "references" : "text"}/${embedder ? "vectors" : "words"}`;
    return {
      project,
      embedder,
      recipe,
      references,
      signal,
      progress,
      summary,
      shelf: createShelf(documents),
      time: stopwatch(summary.ms),
    };
  }
  type Run = Awaited<ReturnType<typeof begin>>;

  /** Writes one document; `origin` is where it came from, and whatever else came from there is replaced by it. */
  async function put(
    run: Run,
    document: ReadDocument,
    source: {
      sha256: string;
      origin: string;
      url?: string | undefined;
      identity: Identity;
      extra: Record<string, unknown>;
      onEmbedded(share: number): void;
    },
  ) {
    const { project, embedder, summary, shelf, time, signal } = run;
    const { identity, origin } = source;
    const id = documentId(source.sha256);
    const before = shelf.at(origin) ?? shelf.withHash(source.sha256);
    const citekey =
      identity.matched === null ? uniqueKey(identity.citekey, shelf.keysOfOthers(origin, id)) : identity.citekey;
    const year = yearOf(identity.csl);
    const options = {
      docId: id,
      embedder,
      modelId: project.model.id,
      citekey,
      doi: text(identity.csl?.DOI),
      url: source.url ?? text(identity.csl?.URL),
      year,
      tags: identity.tags,
      references: run.references,
      ...(signal ? { signal } : {}),
      onEmbedded: (done: number, total: number) => source.onEmbedded(done / total),
    };
    const chunks = await time("chunk", () => cutToChunks(document, options));
    if (embedder) await time("embed", () => embedInto(chunks, document.title, embedder, options));
    signal?.throwIfAborted();
    const now = new Date().toISOString();
    const { text: body, pages, headings, edits, title, kind, language, meta } = document;
    const record: DocumentSummary = {
      id,
      title,
      citekey,
      kind,
      origin,
      sha256: source.sha256,
      chunk_count: chunks.length,
      char_count: body.length,
      language,
      csl: identity.csl && { ...identity.csl, id: citekey },
      added_at: before?.added_at ?? now,
      updated_at: now,
      extra: { ...source.extra, recipe: run.recipe, meta, identity: identityMark(identity), matched: identity.matched },
    };
    await time("store", () =>
      store.replaceDocument(project.id, { ...record, text: body, pages, headings, edits }, chunks, signal),
    );
    shelf.add(record);
    if (before) summary.replaced++;
    else summary.read++;
    summary.chunks += chunks.length;
    summary.pages += pages.length;
    if (identity.matched === null) summary.unmatched.push({ path: origin, citekey });
    for (const warning of document.warnings) summary.warnings.push({ path: origin, warning });
  }

  /** Documents that came from here and hold what nobody has any more. */
  async function dropStale({ project, shelf }: Run, origin: string, keep: (sha256: string) => boolean) {
    for (const old of shelf.allAt(origin)) {
      if (keep(old.sha256)) continue;
      await store.removeDocument(project.id, old.id);
      shelf.remove(old);
    }
  }

  async function ingestPaths(
    projectId: string,
    paths: readonly string[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const run = await begin(projectId, options);
    const { summary, shelf, signal, time } = run;
    const found = await walk(paths, signal);
    summary.skipped.push(...found.skipped);
    summary.ignored = found.ignored;
    const hashes = new Map<string, string>();
    for (const { path } of found.files) {
      const hash = await time("hash", () => hashFile(path, signal)).catch((error: NodeJS.ErrnoException) => {
        if (signal?.aborted || error.syscall === undefined) throw error;
        summary.skipped.push({ path, reason: "The file may not be read by this user, or is gone." });
      });
      if (hash) hashes.set(path, hash);
    }
    const present = new Set(hashes.values());
    const total = hashes.size;
    let done = 0;
    for (const { path, size, mtimeMs } of found.files) {
      const hash = hashes.get(path);
      if (!hash) continue;
      signal?.throwIfAborted();
      run.progress?.(done, total, basename(path));
      const known = shelf.withHash(hash);
      if (known && (await isCurrent(run, known, path))) summary.unchanged++;
      else
        await readOne(run, path, { size, mtime_ms: mtimeMs }, (share) =>
          run.progress?.(done + share, total, basename(path)),
        );
      if (shelf.allAt(path).some((each) => each.sha256 === hash))
        await dropStale(run, path, (sha256) => present.has(sha256));
      done++;
    }
    if (options.prune) await prune(run, found.complete, paths, new Set(found.files.map(({ path }) => path)), present);
    run.progress?.(total, total, "done");
    return summary;
  }

  async function isCurrent({ recipe, shelf }: Run, known: DocumentSummary, path: string): Promise<boolean> {
    if (known.extra.recipe !== recipe) return false;
    const described = {
      title: known.title,
      kind: known.kind as ReadDocument["kind"],
      meta: (known.extra.meta ?? {}) as ReadDocument["meta"],
      language: known.language,
    };
    const origin = shelf.at(path) === known ? path : (known.origin ?? path);
    return known.extra.identity === identityMark(await identify(described, origin));
  }

  async function readOne(run: Run, path: string, extra: Record<string, unknown>, onEmbedded: (share: number) => void) {
    const { summary, time, signal } = run;
    let read: Awaited<ReturnType<Readers["readFile"]>>;
    try {
      read = await time("read", () => readers.readFile(path, signal));
    } catch (error) {
      // A file that cannot be read is part of the answer; what was stored of it before stays.
      if (!(error instanceof ShelfError) || error.code !== "PROCESSING_FAILED") throw error;
      summary.skipped.push({ path, reason: error.message });
      return;
    }
    const identity = await identify(read.document, path);
    await put(run, read.document, { sha256: read.sha256, origin: path, identity, extra, onEmbedded });
  }

  async function prune(
    { project, shelf, summary }: Run,
    complete: readonly string[],
    named: readonly string[],
    found: ReadonlySet<string>,
    present: ReadonlySet<string>,
  ) {
    for (const document of shelf.all()) {
      const { origin, sha256: hash } = document;
      if (origin === null || found.has(origin) || present.has(hash)) continue;
      if (!complete.some((root) => isInside(origin, root)) && !named.includes(origin)) continue;
      await store.removeDocument(project.id, document.id);
      shelf.remove(document);
      summary.pruned++;
    }
  }

  async function ingestTexts(
    projectId: string,
    texts: readonly GivenText[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const run = await begin(projectId, options);
    for (const [i, given] of texts.entries()) {
      run.signal?.throwIfAborted();
      run.progress?.(i, texts.length, given.title);
      const origin = given.url ?? `text:${given.title}`;
      const hash = sha256(
        JSON.stringify([given.title, given.text, given.format, given.citekey, given.tags, given.url]),
      );
      const known = run.shelf.withHash(hash);
      if (known?.extra.recipe === run.recipe) {
        run.summary.unchanged++;
        continue;
      }
      const document = readText(given);
      const base = await identify(document, null);
      const identity = {
        ...base,
        ...(given.citekey ? { citekey: given.citekey, matched: "given" } : {}),
        tags: [...new Set([...base.tags, ...(given.tags ?? [])])],
      };
      await put(run, document, {
        sha256: hash,
        origin,
        url: given.url,
        identity,
        extra: {},
        onEmbedded: (share) => run.progress?.(i + share, texts.length, given.title),
      });
      await dropStale(run, origin, (sha) => sha === hash);
    }
    return run.summary;
  }

  return {
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
    async ensureProject(id: string): Promise<Project> {
      const project = await store.project(id);
      if (project) return project;
      if (!embedders.preferred)
        throw new ShelfError(
          "INDEX_UNAVAILABLE",
          `There is no embedding model to bind '${id}' to. ${embedders.unavailable ?? "Run doctor."}`,
        );
      return store.createProject({
        id,
        kind: "project",
        name: id,
        description: null,
        model: embedders.preferred,
        hybrid_enabled: true,
      });
    },
  };
}

async function openProject(store: ChunkStore, id: string): Promise<Project> {
  const project = await store.project(id);
  if (project?.kind === "project") return project;
  const available = (await store.projects()).filter(({ kind }) => kind === "project").map((each) => each.id);
  throw new ShelfError(
    "INVALID_PROJECT",
    `Project '${id}' not found. Available projects: [${available.map((name) => `'${name}'`).join(", ")}]. create_project makes one.`,
    { details: { available_projects: available } },
  );
}

/** The project's documents as this run knows them. */
function createShelf(documents: readonly DocumentSummary[]) {
  const byId = new Map<string, DocumentSummary>();
  const byHash = new Map<string, DocumentSummary>();
  const byOrigin = new Map<string | null, Set<DocumentSummary>>();
  const shelf = {
    all: () => [...byId.values()],
    withHash: (hash: string) => byHash.get(hash),
    allAt: (origin: string) => [...(byOrigin.get(origin) ?? [])],
    at: (origin: string) => shelf.allAt(origin)[0],
    keysOfOthers: (origin: string, id: string) =>
      new Set(
        [...byId.values()].flatMap((other) =>
          other.citekey && other.id !== id && other.origin !== origin ? [other.citekey] : [],
        ),
      ),
    add(document: DocumentSummary) {
      const before = byId.get(document.id);
      if (before) shelf.remove(before);
      byId.set(document.id, document);
      byHash.set(document.sha256, document);
      byOrigin.set(document.origin, (byOrigin.get(document.origin) ?? new Set()).add(document));
    },
    remove(document: DocumentSummary) {
      byId.delete(document.id);
      byHash.delete(document.sha256);
      byOrigin.get(document.origin)?.delete(document);
    },
  };
  for (const document of documents) shelf.add(document);
  return shelf;
}

function stopwatch(ms: Record<Stage, number>) {
  return async <T>(stage: Stage, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      ms[stage] += performance.now() - start;
    }
  };
}

/** Changes when the bibliography says something else about a file than it did. */
function identityMark({ citekey, csl, tags, matched }: Identity): string {
  return sha256(JSON.stringify([citekey, csl, tags, matched])).slice(0, 16);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}

function yearOf(csl: Record<string, unknown> | null): number | null {
  const parts = (csl?.issued as { "date-parts"?: unknown[][] } | undefined)?.["date-parts"]?.[0]?.[0];
  const year = Number(parts);
  return Number.isInteger(year) && year !== 0 ? year : null;
}
