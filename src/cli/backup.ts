import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { type Console, misused } from "./console.js";

interface BackupDeps extends Pick<Console, "print" | "complain"> {
  /** The store of this machine; nothing where the data lives elsewhere. */
  store: Pick<ChunkStore, "backup">;
  /** The file of declared projects, if there is one; copied next to the store. */
  projectsFile?: string | undefined;
}

/** Copies the embedded store while it is in use. The copy has its name only once it is whole. */
export async function backupCommand([file, ...rest]: readonly string[], deps: BackupDeps): Promise<number> {
  const { store, projectsFile, print, complain } = deps;
  if (!file || rest.length)
    return misused(deps, "Where to? 'bookwheel backup FILE' copies the embedded store into a new file.");
  if (existsSync(file))
    return misused(deps, `${file} is there already. Name a new file, such as one with today's date.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder))
    return misused(deps, `There is no folder ${folder}. Make it, or name a file in another one.`);
  if (!store.backup) {
    complain("This store has no file to copy. For Qdrant, make a snapshot there.");
    return 1;
  }
  const unfinished = `${file}.unfinished`;
  const declared = projectsFile && existsSync(projectsFile) ? `${file}.projects.json` : undefined;
  try {
    rmSync(unfinished, { force: true });
    await store.backup(unfinished);
    if (declared) copyFileSync(projectsFile!, declared);
    renameSync(unfinished, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code || !/^(ENOTDIR|ENOENT|EACCES|EPERM|EROFS|EEXIST|EISDIR|ENOSPC|ENAMETOOLONG)$/.test(code)) throw error;
    complain(`${file} cannot be written (${code}). Name a file in a folder you may write to.`);
    return 1;
  } finally {
    discard(unfinished);
  }
  print(
    `${file}: ${(statSync(file).size / 1024 / 1024).toFixed(1)} MiB${declared ? `, and the declared projects in ${declared}` : ""}. To restore it, stop Bookwheel, delete bookwheel.db-wal and bookwheel.db-shm in BOOKWHEEL_HOME, and put the copy in place of bookwheel.db.`,
  );
  return 0;
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // below a file there is nothing to remove
  }
}
