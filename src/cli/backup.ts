import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";

export interface BackupDeps {
  /** The store of this machine; nothing where the data lives elsewhere. */
  store: Pick<ChunkStore, "backup">;
  print(line: string): void;
  complain(line: string): void;
}

/** Copies the embedded store while it is in use. The copy has its name only once it is whole. */
export async function backupCommand(positionals: readonly string[], { store, print, complain }: BackupDeps) {
  const [file, ...rest] = positionals;
  if (!file || rest.length) {
    complain("Where to? 'bookwheel backup FILE' copies the embedded store into a new file.");
    return 2;
  }
  if (existsSync(file)) {
    complain(`${file} is there already. Name a new file, such as one with today's date.`);
    return 2;
  }
  if (!store.backup) {
    complain("This store has no file to copy. For Qdrant, make a snapshot there.");
    return 1;
  }
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    await store.backup(unfinished);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  print(
    `${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB. To restore it, stop Bookwheel and put it in place of bookwheel.db in BOOKWHEEL_HOME.`,
  );
  return 0;
}
