import { ShelfError } from "../kernel/errors.js";
import { uncorrected } from "./corrections.js";
import type { CutDocument } from "./cutting.js";
import type { Source, Writing } from "./document-writing.js";
import { type Identity, identityPath, settled } from "./identity.js";
import type { IngestOptions, OpenRun, Run } from "./ingest-run.js";
import type { Readers } from "./reader-pool.js";
import type { IngestSummary } from "./summary.js";
import { sha256 } from "./to-chunks.js";
import { askedAddress, readPage, type WebPage } from "./web/read-page.js";
import type { Fetcher } from "./web/safe-fetch.js";

/** Estimated share of reading in the time of a page; embedding takes the rest. */
const READ_SHARE = 0.2;
/** What can be wrong with one address and says nothing about the others. */
const UNREAD_PAGES: ReadonlySet<string> = new Set([
  "INVALID_URL",
  "UNSUPPORTED_URL",
  "CONTENT_TOO_LARGE",
  "PROCESSING_FAILED",
]);

interface CallersText {
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

interface TextsAndPagesDeps {
  openRun: OpenRun;
  writing: Writing;
  readers: Readers;
  fetcher: Fetcher;
}

/** Documents that are not files of this machine: texts that callers send, and pages of the web. */
export function createTextsAndPages({ openRun, writing: { put, drop }, readers, fetcher }: TextsAndPagesDeps) {
  async function ingestTexts(
    projectId: string,
    texts: readonly CallersText[],
    options: IngestOptions = {},
  ): Promise<IngestSummary> {
    const run = await openRun(projectId, options);
    const { summary, signal, progress } = run;
    for (const [i, given] of texts.entries()) {
      signal?.throwIfAborted();
      const show = (share: number) => progress?.(i + share, texts.length, given.title);
      show(0);
      const origin = given.url ?? `text:${given.title}`;
      const { title, text, format, authors, year } = given;
      const hash = sha256(
        JSON.stringify([
          ...[title, text, format, given.citekey, given.tags, given.url, given.csl],
          // Only where they are given: texts stored before these fields existed keep their hashes.
          ...(authors?.length || year !== undefined ? [authors, year] : []),
        ]),
      );
      if (isStored(run, hash)) continue;
      const document = await readers.readGiven({ title, text, ...(format ? { format } : {}) }, signal, run.cut);
      if (authors?.length) document.meta.authors = authors;
      if (year !== undefined) document.meta.year = year;
      const found = await run.identify(undefined, document, identityPath(origin));
      const identity: Identity = {
        ...found,
        ...(given.citekey ? { citekey: given.citekey, matched: { method: "given" } } : {}),
        ...(given.csl ? { csl: { ...found.csl, ...given.csl, id: given.citekey ?? found.citekey } } : {}),
        tags: [...new Set([...found.tags, ...(given.tags ?? [])])],
      };
      await replace(run, document, {
        sha256: hash,
        origin,
        url: given.url,
        identity,
        extra: {},
        onEmbedded: (embedded, all) => show(embedded / all),
      });
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
    const run = await openRun(projectId, options);
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
    // With its address, so that a file of the same words stays a document of its own.
    const hash = sha256(JSON.stringify([origin, document.title, document.text]));
    if (isStored(run, hash)) return;
    const before = run.known.from(origin)[0];
    const found = await run.identify(undefined, document, identityPath(origin));
    const identity = settled(
      { ...found, csl: { ...(found.matched === null ? { URL: origin } : {}), ...found.csl } },
      before && uncorrected(before),
      { sha256: hash, title: document.title },
    );
    await replace(run, document, { sha256: hash, origin, url: origin, identity, extra: { addresses }, onEmbedded });
  }

  /** Whether the project has this text already, cut as it is now. */
  function isStored({ known, recipe, summary }: Run, hash: string): boolean {
    const isThere = known.withHash(hash)?.extra.recipe === recipe;
    if (isThere) summary.unchanged++;
    return isThere;
  }

  /** Writes a document, then drops what was stored from its origin before. */
  async function replace(run: Run, document: CutDocument, source: Source) {
    await put(run, document, source);
    for (const old of run.known.from(source.origin)) if (old.sha256 !== source.sha256) await drop(run, old);
  }

  return { ingestTexts, ingestPages };
}
