import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import type { BibliographyMemory } from "./bibliography-memory.js";
import { uncorrected } from "./corrections.js";
import type { CutRecipe } from "./cutting.js";
import { createDocumentWriting } from "./document-writing.js";
import { type OpenIdentifier, settled } from "./identity.js";
import { createRuns, type IngestOptions, type Run } from "./ingest-run.js";
import type { Ocr } from "./ocr.js";
import type { Readers } from "./reader-pool.js";
import type { IngestSummary } from "./summary.js";
import { createTextsAndPages } from "./texts-and-pages.js";
import { type FoundFile, fenced, hashFile, isInside, type Walk, walk } from "./walk.js";
import { createFetcher, type Fetcher } from "./web/safe-fetch.js";

/** Estimated share of reading in a file's time; embedding takes the rest. */
const READ_SHARE = 0.2;
/** How far a file is, in [0,1], and in words. */
type ShowFile = (share: number, detail?: string) => void;

interface IngestionDeps {
  store: ChunkStore;
  projects?: Projects;
  embedders: Pick<Embedders, "get" | "preferred" | "unavailable">;
  readers: Readers;
  openIdentifier: OpenIdentifier;
  memory?: BibliographyMemory;
  /** Text recognition, where the readers have it. */
  ocr?: Ocr | undefined;
  /** Folders a caller over MCP may name. */
  roots?: readonly string[];
  fetcher?: Fetcher;
}

export type Ingestion = ReturnType<typeof createIngestion>;

/** Files become documents and chunks of a project, one at a time and each in one write: a kill leaves whole documents. */
export function createIngestion({
  store,
  embedders,
  projects = createProjects({ store, embedders }),
  readers,
  openIdentifier,
  memory,
  ocr,
  roots = [],
  fetcher = createFetcher(),
}: IngestionDeps) {
  const openRun = createRuns({ store, projects, embedders, openIdentifier, memory });
  const writing = createDocumentWriting({ store, ocr });
  const { put, rename, drop, isCurrent, isUnrecognised } = writing;

  async function ingestPaths(
    projectId: string,
    paths: readonly string[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const found = await walk(paths, { signal: options.signal, images: ocr !== undefined });
    const run = await openRun(projectId, options, found.bibliographies);
    const { summary, known, signal, progress } = run;
    summary.skipped.push(...found.skipped);
    summary.ignored = found.ignored;
    const hashes = await hashAll(run, found.files);
    const present = new Set([...hashes.values()].filter((hash) => hash !== undefined));
    let done = 0;
    for (const file of found.files) {
      if (!hashes.has(file.path)) continue;
      let hash = hashes.get(file.path);
      signal?.throwIfAborted();
      const show: ShowFile = (share, detail) =>
        progress?.(done + share, hashes.size, detail ? `${basename(file.path)}, ${detail}` : basename(file.path));
      show(0);
      const same = hash === undefined ? undefined : known.withHash(hash);
      const moved = same && same.origin !== file.path && !(same.origin && existsSync(same.origin));
      if (same && !moved && (untouchedOne(run, file) || (await isCurrent(run, same, file.root)))) summary.unchanged++;
      else if (!same || !(await rename(run, same, moved ? file : { ...file, path: same.origin ?? file.path })))
        hash = (await readOne(run, file, show)) ?? hash;
      if (hash !== undefined) present.add(hash);
      // The old text goes only once the new one is there, and never while another file still holds it.
      if (known.from(file.path).some((document) => document.sha256 === hash))
        for (const document of known.from(file.path)) if (!present.has(document.sha256)) await drop(run, document);
      done++;
    }
    await prune(run, found, paths, present, options.prune ?? false);
    if (found.bibliographies.length > 0) await describeOthers(run, found.files);
    for (const { origin, citekey, extra } of known.all())
      if (origin && isAbsolute(origin) && citekey && extra.matched === null && !extra.corrections)
        summary.unmatched.push({ path: origin, citekey });
    progress?.(hashes.size, hashes.size, "done");
    return summary;
  }

  /** A bibliography that comes after its documents names them too: those of the project that no record fits yet. */
  async function describeOthers(run: Run, files: readonly FoundFile[]) {
    await run.identifierFor(undefined); // remembers the bibliography, also for documents still to come
    const looked = new Set(files.map(({ path }) => path));
    for (const document of run.known.all()) {
      const { origin, extra } = document;
      if (!origin || !isAbsolute(origin) || looked.has(origin) || extra.matched !== null) continue;
      run.signal?.throwIfAborted();
      if (await isCurrent(run, document, undefined)) continue;
      const { size, mtime_ms: mtimeMs } = extra as { size: number; mtime_ms: number };
      await rename(run, document, { path: origin, root: undefined, size, mtimeMs });
    }
  }

  /** The document of a file that need not be opened: read before, with the same size and time. */
  function untouchedOne({ untouched, known, recipe }: Run, { path, size, mtimeMs }: FoundFile) {
    if (untouched === "compare") return undefined;
    return known
      .from(path)
      .find(
        (document) =>
          document.extra.size === size &&
          document.extra.mtime_ms === mtimeMs &&
          document.extra.recipe === recipe &&
          !isUnrecognised(document),
      );
  }

  /**
   * Hashes of the files that can be opened. Undefined for a file that cannot hold known bytes, because no document and no
   * other file has its size: it is read once, and its reader hashes it.
   */
  async function hashAll(run: Run, files: readonly FoundFile[]): Promise<Map<string, string | undefined>> {
    const { summary, signal, time, known } = run;
    const hashes = new Map<string, string | undefined>();
    const stored = new Set(known.all().map(({ extra }) => extra.size));
    const timesSeen = new Map<number, number>();
    for (const { size } of files) timesSeen.set(size, (timesSeen.get(size) ?? 0) + 1);
    const mayBeKnown = ({ size }: FoundFile) =>
      stored.has(size) || stored.has(undefined) || (timesSeen.get(size) ?? 0) > 1;
    for (const file of files) {
      const { path } = file;
      try {
        const untouched = untouchedOne(run, file)?.sha256;
        if (untouched === undefined && !mayBeKnown(file)) await access(path, constants.R_OK);
        else if (untouched === undefined) hashes.set(path, await time("hash", () => hashFile(path, signal)));
        if (!hashes.has(path)) hashes.set(path, untouched);
      } catch (error) {
        // Only file system errors of this one file are expected here; any other error is rethrown.
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
        summary.skipped.push({ path, reason: "The file may not be read by this user, or is gone." });
      }
    }
    return hashes;
  }

  /** The hash of the bytes that were read and stored; undefined where the file could not be read. */
  async function readOne(
    run: Run,
    { path, root, size, mtimeMs }: FoundFile,
    show: ShowFile,
  ): Promise<string | undefined> {
    let read: Awaited<ReturnType<typeof readers.readFile<CutRecipe>>>;
    try {
      read = await run.time("read", () =>
        readers.readFile(path, run.signal, run.cut, (page, pages) =>
          show((READ_SHARE * page) / pages, `page ${page} of ${pages}`),
        ),
      );
    } catch (error) {
      // A file that cannot be read is part of the answer; what was stored of it before stays.
      if (!(error instanceof ShelfError) || error.code !== "PROCESSING_FAILED") throw error;
      run.summary.skipped.push({ path, reason: error.message });
      return undefined;
    }
    const before = run.known.from(path)[0] ?? run.known.withHash(read.sha256);
    const now = { sha256: read.sha256, title: read.document.title };
    const identity = settled(await run.identify(root, read.document, path), before && uncorrected(before), now);
    const started = performance.now();
    await put(run, read.document, {
      sha256: read.sha256,
      origin: path,
      identity,
      extra: { size, mtime_ms: mtimeMs },
      onEmbedded: (done, total) => {
        const perSecond = (done * 1000) / (performance.now() - started);
        show(
          READ_SHARE + ((1 - READ_SHARE) * done) / total,
          `passage ${done} of ${total}, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)} per second`,
        );
      },
    });
    return read.sha256;
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

  return {
    /** Folders a caller over MCP may name. */
    roots: async () => roots,
    ingestPaths,
    ...createTextsAndPages({ openRun, writing, readers, fetcher }),
    /** For callers who are not the owner at the keyboard: only under the roots the owner allowed. */
    allowed: (paths: readonly string[]) => fenced(paths, roots),
    ensureProject: projects.ensure,
  };
}
