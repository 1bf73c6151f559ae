import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type WatchingDeps, watchFolders } from "../ingest/watching.js";
import { type Console, misused } from "./console.js";

/** `bookwheel watch PROJECT PATH…`: runs until it is stopped. */
export async function watchCommand(
  [project, ...paths]: readonly string[],
  deps: Omit<WatchingDeps, "say"> & Pick<Console, "print" | "complain">,
): Promise<number> {
  const { print } = deps;
  if (!project || paths.length === 0)
    return misused(deps, "Which project, and which folders? For example: bookwheel watch thesis ~/papers");
  for (const path of paths)
    if (!(await stat(path).catch(() => undefined))) return misused(deps, `There is no ${path}. Nothing is watched.`);
  print(
    `Watching ${paths.map((path) => resolve(path)).join(", ")} for ${project}. Ctrl+C stops; what was read is kept.`,
  );
  await watchFolders([{ project, paths }], {
    ...deps,
    say: (_project, line) => print(`${new Date().toTimeString().slice(0, 8)} ${line}`),
  });
  return 0;
}
