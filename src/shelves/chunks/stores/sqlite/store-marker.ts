import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { jsonOrUndefined } from "../../../../kernel/json.js";

/**
 * A small file beside the store that remembers what the store itself cannot say once it is gone: that it held projects,
 * and that it was in use when the program last ended. It distinguishes an emptied or replaced store from a new one.
 */
export interface StoreMarker {
  /** The store has held at least one project and was not emptied by a call since. */
  held: boolean;
  /** A process had the store open and has not closed it. */
  open: boolean;
}

export const markerFile = (file: string) => `${file}.marker`;

export function readMarker(file: string): StoreMarker {
  const path = markerFile(file);
  const read = existsSync(path) ? jsonOrUndefined(readFileSync(path, "utf8")) : undefined;
  const { held = false, open = false } =
    typeof read === "object" && read !== null ? (read as Partial<StoreMarker>) : {};
  return { held: held === true, open: open === true };
}

/** Ignores errors: a full disk must not turn a successful commit into a failure. */
export function writeMarker(file: string, marker: StoreMarker): void {
  const path = markerFile(file);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(marker)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // the next change of the marker tries again
  }
}

/** Identity of the file with this name; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  const info = statSync(file, { throwIfNoEntry: false });
  return info && `${info.dev}:${info.ino}`;
}
