import { createHash } from "node:crypto";
import { createReadStream, type Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { ShelfError } from "../kernel/errors.js";
import { isImage, kindByName } from "./file-name.js";

export interface FoundFile {
  /** The real path, symbolic links resolved, so that a file found twice is read once. */
  path: string;
  /** The folder it was found through. */
  root: string;
  size: number;
  mtimeMs: number;
}

export interface Walk {
  files: FoundFile[];
  /** Paths that will not be read, with the reason. */
  skipped: { path: string; reason: string }[];
  /** Files in folders that are not documents, by their names. */
  ignored: string[];
  /** Bibliographies beside the documents. */
  bibliographies: string[];
  /** Folders that were listed completely: a document below one of them that was not found is gone. */
  complete: string[];
}

/** Lists documents under the given paths, in a stable order. Symbolic links are followed only inside their own root. */
export async function walk(
  paths: readonly string[],
  { signal, images = false }: { signal?: AbortSignal | undefined; images?: boolean } = {},
): Promise<Walk> {
  const result: Walk = { files: [], skipped: [], ignored: [], bibliographies: [], complete: [] };
  const seen = new Set<string>();
  for (const given of paths) {
    const root = await realpath(resolve(given)).catch(() => undefined);
    if (root === undefined) {
      result.skipped.push({ path: resolve(given), reason: "There is no such file or folder." });
      continue;
    }
    const failed = result.skipped.length;
    await visit(root, root, true);
    if (result.skipped.length === failed || !result.skipped.slice(failed).some(({ reason }) => reason === UNLISTED))
      result.complete.push(root);
  }
  return result;

  async function visit(path: string, root: string, named: boolean): Promise<void> {
    signal?.throwIfAborted();
    if (seen.has(path)) return;
    seen.add(path);
    const info = await stat(path).catch(() => undefined);
    if (!info) return void result.skipped.push({ path, reason: "The file is not there any more." });
    if (info.isDirectory()) {
      const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
      if (!entries) return void result.skipped.push({ path, reason: UNLISTED });
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) await visitEntry(entry, path, root);
    } else if (!info.isFile()) result.skipped.push({ path, reason: "It is neither a file nor a folder." });
    else if (/\.(?:bib|bibtex|biblatex|ris|csljson|csl\.json)$/i.test(path)) result.bibliographies.push(path);
    else if (!named && !kindByName(path) && !(images && isImage(path))) result.ignored.push(path);
    else
      result.files.push({
        path,
        root: named ? dirname(path) : root,
        size: info.size,
        mtimeMs: Math.round(info.mtimeMs),
      });
  }

  async function visitEntry(entry: Dirent, folder: string, root: string) {
    if (entry.name.startsWith(".")) return;
    const path = join(folder, entry.name);
    if (!entry.isSymbolicLink()) return visit(path, root, false);
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined) result.skipped.push({ path, reason: "The link leads nowhere." });
    else if (!isInside(target, root))
      result.skipped.push({ path, reason: "The link leads out of the folder and was not followed." });
    else await visit(target, root, false);
  }
}

const UNLISTED = "The folder may not be listed by this user.";

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The given paths without links, each under a root the owner allowed; anything else is refused before it is touched. */
export async function fenced(paths: readonly string[], roots: readonly string[]): Promise<string[]> {
  const open = (await Promise.all(roots.map((root) => realpath(resolve(root)).catch(() => undefined)))).filter(
    (root) => root !== undefined,
  );
  return Promise.all(
    paths.map(async (given) => {
      const path = await realpath(resolve(given)).catch(() => undefined);
      // A path that does not exist is refused with the same words, so that nothing outside the roots can be probed.
      if (path !== undefined && open.some((root) => isInside(path, root))) return path;
      const lexical = resolve(given);
      if (path === undefined && open.some((root) => isInside(lexical, root))) return lexical;
      throw new ShelfError(
        "INVALID_INPUT",
        `'${given}' is not under a folder this server may read. ${open.length ? `Allowed: ${open.join(", ")}.` : "None is allowed yet."} The owner adds one with BOOKWHEEL_INGEST_ROOTS, or runs 'bookwheel ingest PROJECT PATH' in a shell.`,
        { details: { fields: [{ field: "paths", problem: "not under an allowed folder" }], allowed_roots: open } },
      );
    }),
  );
}

export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) }))
    hash.update(part as Buffer);
  return hash.digest("hex");
}
