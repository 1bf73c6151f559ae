import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Wanted } from "./model-choice.js";
import { HubError, type HubFile, type ModelHub } from "./model-hub.js";

export interface Download {
  hub: ModelHub;
  folder: string;
  signal: AbortSignal;
  /** Bytes that were added, or taken back where a file has to be read again. */
  progress(bytes: number): void;
  /** How long to wait before the first attempt that follows a broken connection. */
  retryMs?: number;
  /** How long a connection may be silent. */
  silenceMs?: number;
}

/** Attempts in a row that bring nothing. */
const ATTEMPTS = 5;

/** Fetches a file into a folder, and resumes an earlier download. Only a file with the listed size and hash is kept. */
export async function downloadFile(wanted: Wanted, download: Download): Promise<void> {
  const { file } = wanted;
  const target = join(download.folder, file.path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const left = await sizeOf(target);
  if (await fetched(wanted, target, Math.min(left, file.size), download)) return;
  // The partial file may be damaged: start again from the beginning.
  if (left > 0 && (await fetched(wanted, target, 0, download))) return;
  await rm(target, { force: true });
  throw new HubError(
    `${file.path} of ${wanted.name} does not have the hash of the hub's listing, so it was deleted. Run the command again; if it stays so, somebody between you and the hub changes files.`,
  );
}

/** Whether the file has its hash at the end. */
async function fetched(wanted: Wanted, target: string, kept: number, download: Download): Promise<boolean> {
  const { hub, signal, progress, retryMs = 1000, silenceMs = 60_000 } = download;
  const { file } = wanted;
  let hash = await hashOf(file, target, kept);
  progress(kept);
  await using output = await open(target, kept > 0 ? "r+" : "w", 0o600);
  await output.truncate(kept);
  let have = kept;
  let failures = 0;
  while (have < file.size) {
    const before = have;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new HubError("The hub fell silent.", true)), silenceMs);
    const stop = AbortSignal.any([signal, silence.signal]);
    try {
      const { from, body } = await hub.read(wanted, have, stop);
      if (from !== have) {
        progress(-have);
        have = 0;
        hash = newHash(file);
        await output.truncate(0);
      }
      for await (const part of body) {
        timer.refresh();
        if (have + part.length > file.size) return refused();
        await output.write(part, 0, part.length, have);
        hash.update(part);
        have += part.length;
        progress(part.length);
      }
      if (have < file.size) throw new HubError(`The connection ended in the middle of ${file.path}.`, true);
    } catch (error) {
      signal.throwIfAborted();
      const known = silence.signal.aborted ? (silence.signal.reason as HubError) : error;
      failures = have > before ? 1 : failures + 1;
      if (!isPassing(known) || failures >= ATTEMPTS) throw asHubError(known, file);
      await delay(retryMs * 2 ** (failures - 1), undefined, { signal });
    } finally {
      clearTimeout(timer);
    }
  }
  return hash.digest("hex") === file.hash.value || refused();

  function refused(): false {
    progress(-have);
    return false;
  }
}

/** A connection that breaks while a body is read is a TypeError of fetch. */
const isPassing = (error: unknown) =>
  error instanceof HubError ? error.passing : error instanceof TypeError || isReset(error);
const isReset = (error: unknown) =>
  error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE|UND_ERR_)/.test(String(error.code));

function asHubError(error: unknown, file: HubFile): unknown {
  if (error instanceof HubError || !isPassing(error)) return error;
  return new HubError(
    `The connection broke again and again in ${file.path}. Run the command again: it goes on there.`,
    false,
    {
      cause: error,
    },
  );
}

const newHash = ({ hash, size }: HubFile): Hash =>
  hash.by === "sha256" ? createHash("sha256") : createHash("sha1").update(`blob ${size}\0`);

async function hashOf(file: HubFile, target: string, bytes: number): Promise<Hash> {
  const hash = newHash(file);
  if (bytes > 0) for await (const part of createReadStream(target, { end: bytes - 1 })) hash.update(part as Buffer);
  return hash;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
