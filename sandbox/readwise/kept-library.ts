import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Library } from "./library.js";

/** A library that a file carries from one run to the next. A file that cannot be read is left aside and made again. */
export function openKeptLibrary(file: string, make: () => Library): { library: Library; keep(): void } {
  const library = restored(file) ?? make();
  let kept = -1;
  return {
    library,
    keep() {
      if (library.version === kept) return;
      kept = library.version;
      writeFileSync(`${file}.new`, library.snapshot(), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

function restored(file: string): Library | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return Library.restore(readFileSync(file));
  } catch {
    renameSync(file, `${file}.unreadable`); // made by another version of Node or of the sandbox
    return undefined;
  }
}
