import { constants, existsSync } from "node:fs";
import { access, rm } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import type { BibliographyMemory } from "./bibliography-memory.js";
import { CHUNK_POLICY } from "./chunking.js";
import { corrected, correctionsIn, correctionsOf, uncorrected, yearIn } from "./corrections.js";
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
import type { Ocr } from "./ocr.js";
import type { Readers } from "./reader-pool.js";
import { pagesFolder } from "./readers/recognise.js";
import { emptySummary, type IngestSummary, stopwatch } from "./summary.js";
import { documentId, embedInto, sha256, toChunks } from "./to-chunks.js";
import { type FoundFile, fenced, hashFile, isInside, type Walk, walk } from "./walk.js";
import { askedAddress, readPage, type WebPage } from "./web/read-page.js";
import { createFetcher, type Fetcher } from "./web/safe-fetch.js";

/** Estimated share of reading in a file's time; embedding takes the rest. */
const READ_SHARE = 0.2;
/** How far a file is, in [0,1], and in words. */
type ShowFile = (share: number, detail?: string) => void;

/** Increase it when readers produce a different text from the same bytes. */
const READER_VERSION = 4;

export interface IngestOptions {
  /** Drop documents under the given folders whose files are gone. */
  prune?: boolean;
  /** Keep lists of references searchable. */
  references?: boolean;
  /** Files with unchanged size and modification time: hashed all the same (the default), or assumed unchanged. */
  untouched?: "compare" | "skip";
  /** Filled as the run goes on, for callers that want to know what was done when it was stopped. */
  summary?: IngestSummary;
  signal?: AbortSignal;
  progress?: (done: number, total?: number, message?: string) => void;
}

export interface GivenText {
  title: string;
  text: string;
  format?: "text" | "markdown";
  url?: string;
  citekey?: string;
  authors?: string[];
  year?: number;
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
  async function begin(
    projectId: string,
    { references = false, signal, progress, untouched = "compare", summary = emptySummary() }: IngestOptions,
    found: readonly string[] = [],
  ) {
    const project = await projects.open(projectId);
    const embedder = embedders.get(project.model);
    const known = knownDocuments(await store.documents(project.id));
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
    const earlier = new Set([...remembered, ...((await memory?.of(project.id)) ?? [])]);
    const isGone = (source: string) => isAbsolute(source) && !existsSync(source);
    for (const source of earlier)
      if (isGone(source))
        summary.warnings.push({
          path: source,
          warning: "This bibliography is gone. The keys it gave stay as they are.",
        });
    const bibliographies = [...new Set([...found, ...earlier])].filter((source) => !isGone(source));
    const identifiers = new Map<string | undefined, Promise<Identifier>>();
    const identifierFor = (root: string | undefined) => {
      let opened = identifiers.get(root);
      if (!opened) {
        const assigned = known
          .all()
          .flatMap(({ origin, citekey }) => (origin === null ? [] : [{ path: identityPath(origin), citekey }]));
        opened = openIdentifier({ root, assigned, bibliographies, signal }).then(async (identifier) => {
          const used = identifier.bibliographies ?? bibliographies;
          for (const warning of identifier.problems ?? [])
            if (!summary.warnings.some((each) => each.warning === warning))
              summary.warnings.push({ path: root ?? project.id, warning });
          for (const source of used) if (!summary.bibliographies.includes(source)) summary.bibliographies.push(source);
          await memory?.add(project.id, used);
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
      untouched,
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
    onEmbedded(done: number, total: number): void;
  }

  /** Embeds and writes one document. */
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
  async function rename(run: Run, document: DocumentSummary, { path, root, size, mtimeMs }: FoundFile) {
    const { project, embedder, summary, known, signal } = run;
    if (document.extra.recipe !== run.recipe || isUnrecognised(document)) return false;
    const stored = await store.document(project.id, document.id);
    const chunks = stored ? await store.chunks(project.id, { doc_id: document.id }) : [];
    const vectors = await store.vectors?.(
      project.id,
      chunks.map(({ id }) => id),
    );
    if (!stored || !vectors || (embedder && chunks.some(({ id }) => !vectors.has(id)))) return false;
    const meta = (document.extra.meta ?? {}) as ReadDocument["meta"];
    const file = uncorrected(document);
    const identity = settled(
      await (await run.identifierFor(root)).identify({ title: file.title, meta, text: stored.text }, path),
      file,
      file,
    );
    const { citekey, csl, tags } = identity;
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

  async function ingestPaths(
    projectId: string,
    paths: readonly string[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const found = await walk(paths, { signal: options.signal, images: ocr !== undefined });
    const run = await begin(projectId, options, found.bibliographies);
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
    for (const { origin, citekey, extra } of known.all())
      if (origin && isAbsolute(origin) && citekey && extra.matched === null && !extra.corrections)
        summary.unmatched.push({ path: origin, citekey });
    progress?.(hashes.size, hashes.size, "done");
    return summary;
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

  /** Same bytes, same way of cutting, same record in the bibliography. */
  async function isCurrent(
    { project, recipe, identifierFor }: Run,
    document: DocumentSummary,
    root: string,
  ): Promise<boolean> {
    if (document.extra.recipe !== recipe || document.origin === null) return false;
    if (isUnrecognised(document)) return false;
    const file = uncorrected(document);
    const stored = await store.document(project.id, document.id);
    if (!stored) return false;
    const meta = (document.extra.meta ?? {}) as ReadDocument["meta"];
    const identity = await (await identifierFor(root)).identify(
      { title: file.title, meta, text: stored.text },
      identityPath(document.origin),
    );
    return document.extra.identity === identityMark(settled(identity, file, file));
  }

  /** It has pages without text that this run could read and no run has tried. */
  const isUnrecognised = ({ extra }: DocumentSummary) =>
    ocr !== undefined && extra.pages_without_text !== undefined && extra.ocr !== ocr.language;

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
    const identity = settled(
      await (await run.identifierFor(root)).identify(read.document, path),
      before && uncorrected(before),
      {
        sha256: read.sha256,
        title: read.document.title,
      },
    );
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
      const { title, text, format, authors, year } = given;
      const hash = sha256(
        JSON.stringify([title, text, format, given.citekey, given.tags, given.url, given.csl, authors, year]),
      );
      if (known.withHash(hash)?.extra.recipe === run.recipe) {
        summary.unchanged++;
        continue;
      }
      const document = await readers.readGiven({ title, text, ...(format ? { format } : {}) }, signal, run.cut);
      if (authors?.length) document.meta.authors = authors;
      if (year !== undefined) document.meta.year = year;
      const found = await (await run.identifierFor(undefined)).identify(document, identityPath(origin));
      const identity: Identity = {
        ...found,
        ...(given.citekey ? { citekey: given.citekey, matched: { method: "given" } } : {}),
        ...(given.csl ? { csl: { ...found.csl, ...given.csl, id: given.citekey ?? found.citekey } } : {}),
        tags: [...new Set([...found.tags, ...(given.tags ?? [])])],
      };
      await put(run, document, {
        sha256: hash,
        origin,
        url: given.url,
        identity,
        extra: {},
        onEmbedded: (embedded, all) => show(embedded / all),
      });
      for (const old of known.from(origin)) if (old.sha256 !== hash) await drop(run, old);
    }
    progress?.(texts.length, texts.length, "done");
    return summary;
  }

  /** Pages and files of the web. One that cannot be read is part of the answer; the others are read. */
  async function ingestPages(
    projectId: string,
    addresses: readonly string[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const run = await begin(projectId, options);
    const { summary, progress } = run;
    const signal = run.signal ?? new AbortController().signal;
    for (const [i, address] of addresses.entries()) {
      signal.throwIfAborted();
      const show = (share: number) => progress?.(i + share, addresses.length, address);
      show(0);
      const page = await run
        .time("read", () => readPage({ fetcher, readers }, askedAddress(address), run.cut, signal))
        .catch((error: unknown) => {
          if (!(error instanceof ShelfError) || !UNREAD_PAGES.has(error.code)) throw error;
          summary.skipped.push({ path: address, reason: error.message });
        });
      if (page) await keepPage(run, page, (done, total) => show(READ_SHARE + ((1 - READ_SHARE) * done) / total));
    }
    progress?.(addresses.length, addresses.length, "done");
    return summary;
  }

  async function keepPage(run: Run, { document, origin, addresses }: WebPage, onEmbedded: Source["onEmbedded"]) {
    const { summary, known } = run;
    // With its address, so that a file of the same words stays a document of its own.
    const hash = sha256(JSON.stringify([origin, document.title, document.text]));
    if (known.withHash(hash)?.extra.recipe === run.recipe) {
      summary.unchanged++;
      return;
    }
    const before = known.from(origin)[0];
    const found = await (await run.identifierFor(undefined)).identify(document, identityPath(origin));
    const identity = settled(
      { ...found, csl: { ...(found.matched === null ? { URL: origin } : {}), ...found.csl } },
      before && uncorrected(before),
      { sha256: hash, title: document.title },
    );
    await put(run, document, { sha256: hash, origin, url: origin, identity, extra: { addresses }, onEmbedded });
    for (const old of known.from(origin)) if (old.sha256 !== hash) await drop(run, old);
  }

  return {
    /** Folders a caller over MCP may name. */
    roots,
    ingestPaths,
    ingestPages,
    ingestTexts,
    /** For callers who are not the owner at the keyboard: only under the roots the owner allowed. */
    allowed: (paths: readonly string[]) => fenced(paths, roots),
    ensureProject: projects.ensure,
  };
}

/** What can be wrong with one address and says nothing about the others. */
const UNREAD_PAGES: ReadonlySet<string> = new Set([
  "INVALID_URL",
  "UNSUPPORTED_URL",
  "CONTENT_TOO_LARGE",
  "PROCESSING_FAILED",
]);

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

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}
