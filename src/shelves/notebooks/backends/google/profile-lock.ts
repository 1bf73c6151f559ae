import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { ShelfError } from "../../../../kernel/errors.js";
import { makeFolder } from "../../../../kernel/make-folder.js";

const FILE = "bookwheel.lock";

/**
 * One process at a time owns a browser profile: two browsers on one profile corrupt it. Returns the release. The lock
 * of a process that died is taken over.
 */
export function lockProfile(profileDir: string): () => void {
  makeFolder(profileDir);
  const file = join(profileDir, FILE);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(file)) return () => release(file);
    const owner = readOwner(file);
    if (owner && (owner.host !== hostname() || isAlive(owner.pid))) throw inUse(file, owner);
    takeAway(file);
  }
  throw inUse(file, readOwner(file));
}

interface Owner {
  pid: number;
  host: string;
}

/** Written to a temporary file and linked into place, so that no process reads a lock without its owner. */
function create(file: string): boolean {
  const aside = `${file}.${process.pid}.new`;
  writeFileSync(aside, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readOwner(file: string): Owner | null {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, "utf8"));
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : null;
  } catch {
    return null; // gone meanwhile, or not ours
  }
}

/** Renamed first, so that of two processes that find a dead lock only one removes it. */
function takeAway(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  rmSync(aside, { force: true });
}

function release(file: string): void {
  const owner = readOwner(file);
  if (owner?.pid === process.pid && owner.host === hostname()) rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/** Dead and not yet taken note of by its parent, which in a container may never happen. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false; // no such folder on this system
  }
}

function inUse(file: string, owner: Owner | null): ShelfError {
  const who = owner ? `process ${owner.pid} on ${owner.host}` : "another process";
  return new ShelfError(
    "BROWSER_LAUNCH_FAILED",
    `The notebook browser profile is in use by ${who}. Stop that process, or give this one a profile of its own (NOTEBOOKLM_PROFILE_PATH).`,
    { details: { reason: "profile_in_use", lock: file, owner } },
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
