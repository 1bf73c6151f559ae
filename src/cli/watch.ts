import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type WatchingDeps, watchFolders } from "../ingest/watching.js";

/** `bookwheel watch PROJECT PATH…`: runs until it is stopped. */
export async function watchCommand(
  [project, ...paths]: readonly string[],
  { print, complain, ...deps }: Omit<WatchingDeps, "say"> & { print(line: string): void; complain(line: string): void },
): Promise<number> {
  if (!project || paths.length === 0) {
    complain("Which project, and which folders? For example: bookwheel watch thesis ~/papers");
    return 2;
  }
  for (const path of paths)
    if (!(await stat(path).catch(() => undefined))) {
      complain(`There is no ${path}. Nothing is watched.`);
      return 2;
    }
  print(
    `Watching ${paths.map((path) => resolve(path)).join(", ")} for ${project}. Ctrl+C stops; what was read is kept.`,
  );
  await watchFolders([{ project, paths }], {
    ...deps,
    say: (_project, line) => print(`${new Date().toTimeString().slice(0, 8)} ${line}`),
  });
  return 0;
}
