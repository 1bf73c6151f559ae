import { type FSWatcher, watch } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Ingestion } from "./ingestion.js";
import type { IngestSummary } from "./summary.js";

interface WatchedFolders {
  project: string;
  paths: readonly string[];
}

export interface WatchingDeps {
  ingestion: Pick<Ingestion, "ensureProject" | "ingestPaths">;
  /** One line per thing that happened. */
  say(project: string, line: string): void;
  signal: AbortSignal;
  /** Pause without changes before reading begins, so that a copy in progress can finish. */
  quietMs?: number;
  /** Interval of full scans, for systems that do not report every change. */
  againMs?: number;
}

const QUIET_MS = 1500;
const AGAIN_MS = 5 * 60_000;
const SKIPPED = "skipped ";
const BIBLIOGRAPHY = /\.(?:bib|bibtex|biblatex|ris|json|csljson)$/i;

/** Keeps projects in sync with their folders until the signal; one run at a time. */
export async function watchFolders(
  watched: readonly WatchedFolders[],
  { ingestion, say, signal, quietMs = QUIET_MS, againMs = AGAIN_MS }: WatchingDeps,
): Promise<void> {
  const due = new Map<WatchedFolders, { whole: boolean }>(watched.map((each) => [each, { whole: true }]));
  let changedAt = 0;
  let wake = () => {};
  const mark = (each: WatchedFolders, whole: boolean) => {
    due.set(each, { whole: whole || (due.get(each)?.whole ?? false) });
    changedAt = Date.now();
    wake();
  };
  // A file that cannot be read is reported once, not at every scan of its folder.
  const skipped = new Set<string>();
  const sayOnce: WatchingDeps["say"] = (project, line) => {
    if (line.startsWith(SKIPPED) && skipped.has(line)) return;
    if (line.startsWith(SKIPPED)) skipped.add(line);
    say(project, line);
  };
  const watchers: FSWatcher[] = [];
  for (const each of watched)
    for (const path of each.paths)
      try {
        const watcher = watch(resolve(path), { recursive: true, signal }, (_event, name) =>
          mark(each, name === null || BIBLIOGRAPHY.test(String(name))),
        );
        watcher.on("error", () =>
          say(each.project, `changes in ${path} are not reported by the system: looked at every few minutes`),
        );
        watchers.push(watcher);
      } catch {
        say(each.project, `${path} cannot be watched yet: looked at every few minutes`);
      }
  const again = setInterval(() => {
    for (const each of watched) mark(each, false);
  }, againMs);
  try {
    while (!signal.aborted) {
      const [next] = due.keys();
      if (!next) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        continue;
      }
      const wait = changedAt + quietMs - Date.now();
      if (wait > 0) {
        await pause(wait, undefined, { signal }).catch(() => {});
        continue;
      }
      const { whole } = due.get(next)!;
      due.delete(next);
      await runOnce(next, { ingestion, say: sayOnce, signal }, whole);
    }
  } finally {
    clearInterval(again);
    for (const watcher of watchers) watcher.close();
  }
}

async function runOnce(
  { project, paths }: WatchedFolders,
  { ingestion, say, signal }: Pick<WatchingDeps, "ingestion" | "say" | "signal">,
  whole: boolean,
) {
  try {
    await ingestion.ensureProject(project);
    const options = { signal, untouched: whole ? ("compare" as const) : ("skip" as const) };
    const summary = await ingestion.ingestPaths(project, paths, options);
    report(project, summary, say);
    if (summary.vanished.length === 0) return;
    // An empty folder may be an unmounted disk: its documents stay.
    if (summary.read + summary.replaced + summary.unchanged === 0)
      return say(
        project,
        `nothing is left in ${paths.join(", ")}: the documents stay until 'bookwheel ingest ${project} PATH --prune'`,
      );
    await ingestion.ingestPaths(project, paths, { ...options, untouched: "skip", prune: true });
    for (const path of summary.vanished) say(project, `removed ${path}`);
  } catch (error) {
    // The store may be unavailable for a while; the next change or scan tries again.
    if (!signal.aborted) say(project, `not read: ${error instanceof Error ? error.message : "unknown error"}`);
  }
}

function report(project: string, summary: IngestSummary, say: WatchingDeps["say"]) {
  const moved = new Map(summary.moved.map(({ from, to }) => [to, from]));
  for (const path of summary.added) say(project, `added ${path}`);
  for (const path of summary.changed)
    say(project, moved.has(path) ? `moved ${moved.get(path)} to ${path}` : `changed ${path}`);
  for (const { path, reason } of summary.skipped) say(project, `${SKIPPED}${path}: ${reason}`);
}
