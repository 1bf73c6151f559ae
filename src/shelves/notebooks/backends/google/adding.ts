import { isIP } from "node:net";
import { codePoints } from "../../../../catalog/fields.js";
import { ShelfError } from "../../../../kernel/errors.js";
import type { AddedSource, NewSource } from "../../notebook-backend.js";
import { array, at } from "./codec.js";
import { pause } from "./deadline.js";
import { driveFile, videoId } from "./links.js";
import { type NotebookRow, type SourceRow, sourceRow } from "./mapping.js";
import { addParams, deleteSourceParams, driveParams, registerParams, textSpec, urlSpec } from "./payloads.js";
import { COHORTS, type Rpc, type WriteOutcome } from "./rpc.js";

const MAX_TEXT = 500_000;

export interface AddingOptions {
  rpc: Rpc;
  /** The notebook as it is now. */
  look(notebookId: string, signal: AbortSignal): Promise<NotebookRow>;
  /** Limits one write, leaving the caller's deadline time to find out what became of it. */
  writeSignal(signal: AbortSignal): AbortSignal;
  /** Pauses between checks for a source whose creation was not confirmed. */
  confirmDelaysMs: readonly number[];
}

/** Refuses what cannot become a source, before anything is sent. */
function checkNewSource(source: NewSource): void {
  if (source.source_type === "text") {
    if (codePoints(source.text) > MAX_TEXT)
      throw new ShelfError(
        "CONTENT_TOO_LARGE",
        `The text has more than ${MAX_TEXT} characters. Split it into several sources.`,
        {
          details: { characters: codePoints(source.text), limit: MAX_TEXT },
        },
      );
    if (!source.text.trim())
      throw new ShelfError("INVALID_INPUT", "The text is empty.", { details: { fields: ["text"] } });
    return;
  }
  if (source.source_type === "file") {
    if (mimeOf(source.name) === null)
      throw new ShelfError("PROCESSING_FAILED", `NotebookLM does not take files such as '${source.name}'.`, {
        details: { reason: "unknown_kind", taken: Object.keys(FILE_KINDS) },
      });
    return;
  }
  const url = URL.canParse(source.url) ? new URL(source.url) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ShelfError("INVALID_URL", "Give a whole http or https address.", { details: { url: source.url } });
  if (isPrivate(url.hostname))
    throw new ShelfError(
      "INVALID_URL",
      "Google cannot reach an address on a private network. Paste the text instead.",
      {
        details: { url: source.url },
      },
    );
}

/**
 * Adds one source and never a second one. The existing sources are noted first; after an unclear reply it
 * checks for a new source, and tries another form only if there is none.
 */
export async function addSource(
  notebookId: string,
  source: NewSource,
  signal: AbortSignal,
  options: AddingOptions,
): Promise<AddedSource> {
  checkNewSource(source);
  const before = await options.look(notebookId, signal);
  const known = new Set(before.sources.map(({ id }) => id));
  if (before.sourceLimit !== null && known.size >= before.sourceLimit)
    throw new ShelfError(
      "PROCESSING_FAILED",
      `The notebook already holds ${known.size} sources, as many as this account may have.`,
      {
        details: { reason: "notebook_full", limit: before.sourceLimit },
      },
    );

  if (source.source_type === "file") return upload(notebookId, source, known, signal, options);

  let refusal: WriteOutcome & { kind: "refused" } = { kind: "refused", error: rejected(source), status: 0 };
  for (const attempt of attempts(notebookId, source, options.rpc)) {
    if (attempt.onlyAfter !== undefined && attempt.onlyAfter !== refusal.status) continue;
    const outcome = await options.rpc.write("addSource", attempt.params, {
      path: `/notebook/${notebookId}`,
      signal: options.writeSignal(signal),
    });
    const rows = outcome.kind === "done" ? array(at(outcome.value, 0)).flatMap((each) => sourceRow(each) ?? []) : [];
    const fresh = rows.filter(({ id }) => !known.has(id));
    const stated = fresh.find(({ hasStatus }) => hasStatus);
    if (stated) return settle(notebookId, stated, source, known, signal, options);
    const claimed = new Set(fresh.map(({ id }) => id));
    const found = await findNew(notebookId, source, { known, claimed }, signal, options).catch((error) => {
      if (outcome.kind === "lost" && error instanceof ShelfError) throw unconfirmed(outcome.error);
      throw error;
    });
    if (found) return settle(notebookId, found, source, known, signal, options);
    if (outcome.kind === "done")
      throw new ShelfError(
        "PARSE_ERROR",
        "NotebookLM took the source and shows none. Check with list_notebook_sources before adding it again.",
      );
    if (outcome.kind === "lost") throw unconfirmed(outcome.error);
    refusal = outcome;
  }
  throw rejected(source, refusal);
}

interface Attempt {
  params: unknown;
  /** Sent only after this refusal. */
  onlyAfter?: number;
}

const DISLIKED = 9;

function attempts(notebookId: string, source: NewSource, rpc: Rpc): Attempt[] {
  const cohorts = [...new Set([rpc.cohort(), ...COHORTS])];
  if (source.source_type === "file") return []; // files go another way
  const drive = source.source_type === "url" ? driveFile(source.url) : null;
  if (drive) return [{ params: driveParams(notebookId, drive, source.title?.trim() || "Google Drive") }];
  if (source.source_type === "url")
    return cohorts.map((cohort) => ({ params: addParams(notebookId, urlSpec(source.url, cohort), cohort) }));
  const title = source.title?.trim() || titleOf(source.text);
  const form = (text: string, cohort: (typeof cohorts)[number]) =>
    addParams(notebookId, textSpec(title, text, cohort), cohort);
  return [
    ...cohorts.map((cohort) => ({ params: form(source.text, cohort) })),
    { params: form(dedented(source.text), cohorts[0] ?? "C"), onlyAfter: DISLIKED },
  ];
}

/** Looks for a source that was not there and is the one just sent; the web app may have added others meanwhile. */
async function findNew(
  notebookId: string,
  source: NewSource,
  { known, claimed }: { known: Set<string>; claimed: Set<string> },
  signal: AbortSignal,
  { look, confirmDelaysMs }: AddingOptions,
): Promise<SourceRow | undefined> {
  for (const delay of confirmDelaysMs) {
    await pause(delay, signal);
    const { sources } = await look(notebookId, signal);
    const fresh = sources.filter(({ id }) => !known.has(id));
    const match = fresh.find(({ id }) => claimed.has(id)) ?? fresh.find((row) => isSame(row, source));
    if (match) return match;
  }
  return undefined;
}

function isSame(row: SourceRow, source: NewSource): boolean {
  if (source.source_type === "file") return row.title === source.name;
  if (source.source_type === "text")
    return row.url === null && row.title === (source.title?.trim() || titleOf(source.text));
  if (row.url === null || !URL.canParse(row.url)) return false;
  const drive = driveFile(source.url);
  if (drive) return driveFile(row.url)?.id === drive.id;
  const video = videoId(source.url);
  return video ? videoId(row.url) === video : new URL(row.url).href === new URL(source.url).href;
}

/**
 * The source as the notebook shows it. Some show as failed for a moment while they are read: a failure counts at the
 * second look. A browser whose connection breaks may send a request twice by itself: a second copy is reported.
 */
async function settle(
  notebookId: string,
  row: SourceRow,
  source: NewSource,
  known: Set<string>,
  signal: AbortSignal,
  { look, confirmDelaysMs }: AddingOptions,
): Promise<AddedSource> {
  if (row.processing_status === "failed") await pause(confirmDelaysMs.at(-1) ?? 0, signal);
  const { sources } = await look(notebookId, signal);
  const { id, title, processing_status } = sources.find((each) => each.id === row.id) ?? row;
  if (processing_status === "failed")
    throw new ShelfError(
      "PROCESSING_FAILED",
      "NotebookLM could not read the source. Check that the page is public, or paste its text.",
      {
        details: { source_id: id, title },
      },
    );
  const copies = sources.filter((each) => each.id !== id && !known.has(each.id) && isSame(each, source));
  const notes = [
    processing_status === "processing" ? "Source added. NotebookLM is processing the content." : "",
    source.source_type !== "text" && source.title && source.title !== title
      ? "NotebookLM names this kind of source itself; the given title was not used."
      : "",
    copies.length
      ? `The notebook also shows a second copy (${copies.map((each) => each.id).join(", ")}); remove it if you did not add it.`
      : "",
  ].filter(Boolean);
  return { source_id: id, title, processing_status, message: notes.join(" ") || null };
}

/** Kinds that NotebookLM is known to accept; it refuses others, or accepts and never reads them. */
const FILE_KINDS: Record<string, string> = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  epub: "application/epub+zip",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  wav: "audio/wav",
  mp4: "video/mp4",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
};

const mimeOf = (name: string): string | null => FILE_KINDS[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? null;

/** Registers the file, then sends its bytes. A file whose bytes did not arrive is taken out again. */
async function upload(
  notebookId: string,
  source: Extract<NewSource, { source_type: "file" }>,
  known: Set<string>,
  signal: AbortSignal,
  options: AddingOptions,
): Promise<AddedSource> {
  const path = `/notebook/${notebookId}`;
  const { rpc, writeSignal } = options;
  const row = await register(notebookId, source, known, signal, options);
  try {
    const file = {
      notebookId,
      sourceId: row.id,
      name: source.name,
      mime: mimeOf(source.name) ?? "",
      bytes: source.bytes,
    };
    await rpc.upload(file, writeSignal(signal));
  } catch (error) {
    await rpc.write("deleteSource", deleteSourceParams(row.id), { path, signal: writeSignal(signal) });
    throw error;
  }
  return settle(notebookId, row, source, known, signal, options);
}

async function register(
  notebookId: string,
  source: Extract<NewSource, { source_type: "file" }>,
  known: Set<string>,
  signal: AbortSignal,
  options: AddingOptions,
): Promise<SourceRow> {
  let refusal: WriteOutcome & { kind: "refused" } = { kind: "refused", error: rejected(source), status: 0 };
  for (const cohort of new Set([options.rpc.cohort(), ...COHORTS])) {
    const outcome = await options.rpc.write("registerFile", registerParams(notebookId, source.name, cohort), {
      path: `/notebook/${notebookId}`,
      signal: options.writeSignal(signal),
    });
    const row = outcome.kind === "done" ? sourceRow(at(outcome.value, 0, 0)) : null;
    if (row && !known.has(row.id)) return row;
    const found = await findNew(notebookId, source, { known, claimed: new Set() }, signal, options);
    if (found) return found;
    if (outcome.kind === "lost") throw unconfirmed(outcome.error);
    if (outcome.kind === "refused") refusal = outcome;
  }
  throw rejected(source, refusal);
}

function rejected(source: NewSource, refusal?: WriteOutcome & { kind: "refused" }): ShelfError {
  const extras = refusal ? { cause: refusal.error, details: { status: refusal.status } } : {};
  return source.source_type === "url"
    ? new ShelfError(
        "UNSUPPORTED_URL",
        "NotebookLM does not take this address. Use another one, or paste the text.",
        extras,
      )
    : new ShelfError(
        "PROCESSING_FAILED",
        `NotebookLM does not take this ${source.source_type}. Check its content, or split it.`,
        extras,
      );
}

function unconfirmed({ code, details, cause }: ShelfError): ShelfError {
  return new ShelfError(
    code === "PARSE_ERROR" ? "PARSE_ERROR" : code === "TIMEOUT" ? "TIMEOUT" : "NETWORK_ERROR",
    "NotebookLM did not confirm the source, and it is not in the notebook yet. It may still appear: check with list_notebook_sources before adding it again.",
    { details: { ...details, confirmed: false }, cause },
  );
}

const TITLE_LENGTH = 80;

/** The first line with text, as a title. */
function titleOf(text: string): string {
  const line =
    text
      .split("\n")
      .map((each) => each.replace(/^[#>*\-\s]+/, "").trim())
      .find(Boolean) ?? "Pasted text";
  const points = [...line];
  return points.length > TITLE_LENGTH
    ? `${points
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`
    : line;
}

function dedented(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimStart())
    .join("\n")
    .trim();
}

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const mapped = host.startsWith("::ffff:") ? host.slice(7) : host;
  if (isIP(mapped) === 4)
    return /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(mapped);
  if (isIP(host) === 6)
    return host === "::" || host === "::1" || host.startsWith("::ffff:") || /^f[cd]|^fe[89ab]/.test(host);
  return !host.includes(".") || /(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(host);
}
