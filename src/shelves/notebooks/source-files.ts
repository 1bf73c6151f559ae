import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fenced } from "../../ingest/walk.js";
import { badParameter, ShelfError } from "../../kernel/errors.js";

const MAX_BYTES = 32 * 1024 ** 2;

/** The files that may become sources: those in the folders the owner allows. */
export function sourceFiles(roots: readonly string[]) {
  return async (given: string, signal: AbortSignal): Promise<{ name: string; bytes: Uint8Array }> => {
    const [path = given] = await fenced([given], roots);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw badParameter("INVALID_INPUT", "path", "no such file", `There is no file '${given}'.`);
    if (found.size > MAX_BYTES)
      throw new ShelfError("CONTENT_TOO_LARGE", `The file has more than ${MAX_BYTES / 1024 ** 2} MiB. Split it.`, {
        details: { bytes: found.size, limit: MAX_BYTES },
      });
    return { name: basename(path), bytes: await readFile(path, { signal }) };
  };
}
