import type { Ingestion } from "../ingest/ingestion.js";
import type { SyncCounts, SyncPart, SyncSummary } from "../ingest/sync/summary.js";
import type { LibrarySync } from "../ingest/sync/sync.js";
import { plural } from "../kernel/plural.js";
import type { SyncingPart } from "../shelves/readwise/library/sync-pages.js";
import { type Console, misused, progressBar } from "./console.js";

export interface SyncDeps extends Console {
  ingestion: Pick<Ingestion, "ensureProject">;
  librarySync: LibrarySync;
  /** The library of the holder of the key. */
  readwise: SyncingPart;
}

const PARTS = ["highlights", "documents", "both"] as const;

/** `bookwheel sync PROJECT`: exit code 0 if everything was synced, 1 if something is left, 2 for wrong usage. */
export async function syncCommand(
  {
    positionals: [project, ...rest],
    include = "both",
    json = false,
  }: { positionals: readonly string[]; include?: string | undefined; json?: boolean },
  deps: SyncDeps,
): Promise<number> {
  const { ingestion, librarySync, readwise, print, complain, terminal, signal } = deps;
  const part = PARTS.find((name) => name === include);
  if (!part) return misused(deps, `--include must be one of ${PARTS.join(", ")} (it is '${include}')`);
  if (!project || rest.length > 0) return misused(deps, "Into which project? For example: bookwheel sync reading");
  await ingestion.ensureProject(project);
  const bar = progressBar(terminal);
  const started = performance.now();
  try {
    const summary = await librarySync
      .sync(project, readwise, { include: part, progress: bar.show, ...(signal ? { signal } : {}) })
      .finally(bar.clear);
    if (json) print(JSON.stringify(summary, null, 2));
    else report(summary, part, (performance.now() - started) / 1000, print);
    return summary.complete ? 0 : 1;
  } catch (error) {
    if (!signal?.aborted) throw error;
    complain("Stopped. What was written stays; run it again to go on from here.");
    return 1;
  }
}

function report(summary: SyncSummary, part: SyncPart | "both", seconds: number, print: (line: string) => void) {
  const { project, highlights, documents, chunks, skipped, warnings, complete, stopped, left, retry_after } = summary;
  print(`${project}: ${plural(chunks, "chunk")} written in ${seconds.toFixed(1)} s.`);
  if (part !== "documents") print(`  highlights  ${counts(highlights, "source")}`);
  if (part !== "highlights") print(`  documents   ${counts(documents, "document")}`);
  for (const { title, reason } of skipped) print(`  skipped     ${title}: ${reason}`);
  for (const warning of warnings) print(`  note        ${warning}`);
  if (complete) return;
  const when = retry_after === undefined ? "" : ` in ${retry_after} s`;
  print(`${stopped} Left: ${left.join(", ")}. Run it again${when} to go on from here.`);
}

function counts({ added, updated, unchanged, removed }: SyncCounts, what: string): string {
  if (added + updated + removed === 0) return `nothing new${unchanged ? `, ${plural(unchanged, what)} as before` : ""}`;
  const parts = [
    { count: added, state: "new" },
    { count: updated, state: "changed" },
    { count: unchanged, state: "unchanged" },
    { count: removed, state: "gone" },
  ].filter(({ count }) => count > 0);
  // What is counted stands once: "3 new sources, 1 gone".
  return parts
    .map(({ count, state }, i) => (i === 0 ? plural(count, `${state} ${what}`) : `${count} ${state}`))
    .join(", ");
}
