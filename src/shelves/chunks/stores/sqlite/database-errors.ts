import { ShelfError } from "../../../../kernel/errors.js";

export const SQLITE = { busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 };

/** The driver's `all` throws without a code, but SQLite's message for each code is fixed. */
const CODES: ReadonlyMap<string, number> = new Map([
  ["database is locked", SQLITE.busy],
  ["database table is locked", SQLITE.locked],
  ["attempt to write a readonly database", SQLITE.readonly],
  ["disk I/O error", SQLITE.ioerr],
  ["database disk image is malformed", SQLITE.corrupt],
  ["database or disk is full", SQLITE.full],
  ["unable to open database file", SQLITE.cantopen],
  ["file is not a database", SQLITE.notadb],
]);

export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  return "errcode" in error ? Number(error.errcode) & 0xff : CODES.get(error.message);
}
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE.busy || code === SQLITE.locked;
}

export function unavailable(file: string, what: string, remedy: string, cause?: unknown): ShelfError {
  return new ShelfError("INDEX_UNAVAILABLE", `The store ${file} ${what}. ${remedy}`, { details: { file }, cause });
}

export function asShelfError(error: unknown, file: string): unknown {
  const unreadable = "Restore a backup of it, or move it away and store the documents again.";
  switch (codeOf(error)) {
    case SQLITE.corrupt:
      return unavailable(file, "is damaged", unreadable, error);
    case SQLITE.notadb:
      return unavailable(file, "is not a database", unreadable, error);
    case SQLITE.full:
      return unavailable(
        file,
        "has no room left on its disk",
        "Free some space; nothing of this call was written.",
        error,
      );
    case SQLITE.readonly:
    case SQLITE.cantopen:
      return unavailable(
        file,
        "cannot be opened for writing",
        "Check the permissions of its folder, or set BOOKWHEEL_HOME.",
        error,
      );
    case SQLITE.ioerr:
      return unavailable(
        file,
        "cannot be read or written",
        "Check the disk or the network folder it is on, then start Bookwheel again.",
        error,
      );
    case SQLITE.busy:
    case SQLITE.locked:
      return unavailable(file, "is being written by another process", "Call again.", error);
    default:
      return error;
  }
}
