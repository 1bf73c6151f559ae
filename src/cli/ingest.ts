import type { Ingestion } from "../ingest/ingestion.js";
import { emptySummary, type IngestSummary } from "../ingest/summary.js";
import { isAddress } from "../ingest/web/read-page.js";
import { plural } from "../kernel/plural.js";
import { type Console, INTERRUPTED, misused, progressBar, shellWord } from "./console.js";

export interface IngestDeps extends Console {
  ingestion: Pick<Ingestion, "ensureProject" | "ingestPaths" | "ingestPages">;
}

/** `bookwheel ingest PROJECT PATH…`: exit code 0, 1 if files could not be read, 2 for wrong usage. */
export async function ingestCommand(
  {
    positionals: [project, ...paths],
    prune = false,
    json = false,
  }: { positionals: readonly string[]; prune?: boolean; json?: boolean },
  deps: IngestDeps,
): Promise<number> {
  const { ingestion, print, complain, terminal, signal } = deps;
  if (!project || !paths.length)
    return misused(
      deps,
      "Which project, and which files, folders or web addresses? For example: bookwheel ingest thesis ~/papers",
    );
  await ingestion.ensureProject(project);
  const bar = progressBar(terminal);
  const started = performance.now();
  const soFar = emptySummary();
  const options = { summary: soFar, progress: bar.show, ...(signal ? { signal } : {}) };
  const addresses = paths.filter(isAddress);
  const files = paths.filter((path) => !isAddress(path));
  const read = async () => {
    const fromFiles = files.length ? await ingestion.ingestPaths(project, files, { ...options, prune }) : soFar;
    return addresses.length ? await ingestion.ingestPages(project, addresses, options) : fromFiles;
  };
  try {
    const summary = await read().finally(bar.clear);
    if (json) print(JSON.stringify(summary, null, 2));
    else report(summary, project, paths, (performance.now() - started) / 1000, print);
    return summary.skipped.length ? 1 : 0;
  } catch (error) {
    if (!signal?.aborted) throw error;
    const { read, replaced, unchanged, chunks } = soFar;
    complain(
      `Stopped. Kept: ${plural(read, "document")} read, ${replaced} replaced, ${unchanged} unchanged; ${plural(chunks, "chunk")}. The document in work is not stored. Go on with: ${commandOf(project, paths)}`,
    );
    return INTERRUPTED;
  }
}

const commandOf = (project: string, paths: readonly string[]) =>
  `bookwheel ingest ${[project, ...paths].map(shellWord).join(" ")}`;

function report(
  summary: IngestSummary,
  project: string,
  paths: readonly string[],
  seconds: number,
  print: (line: string) => void,
) {
  const { read, replaced, unchanged, pruned, ignored, chunks, pages, skipped, unmatched, warnings, vanished } = summary;
  const counts = [
    `${read} read`,
    replaced ? `${replaced} replaced` : "",
    `${unchanged} unchanged`,
    pruned ? `${pruned} dropped` : "",
    skipped.length ? `${skipped.length} skipped` : "",
    ignored.length ? plural(ignored.length, "other file") : "",
  ];
  print(
    `${project}: ${counts.filter(Boolean).join(", ")}; ${plural(chunks, "chunk")}${pages ? ` from ${plural(pages, "page")}` : ""} in ${seconds.toFixed(1)} s.`,
  );
  for (const { path, reason } of skipped) print(`  skipped   ${path}: ${reason}`);
  for (const { path, warning } of warnings) print(`  note      ${path}: ${warning}`);
  for (const file of summary.bibliographies) print(`  used      ${file}`);
  for (const { from, to } of summary.moved) print(`  moved     ${from} to ${to}`);
  if (!pruned) for (const path of vanished) print(`  gone      ${path}`);
  if (vanished.length && !pruned)
    print(`Passages of files that are gone stay until: ${commandOf(project, paths)} --prune`);
  for (const { path, citekey } of unmatched) print(`  made up   @${citekey} for ${path}`);
  if (unmatched.length)
    print(
      "Keys that were made up come from the files themselves: put a .bib file beside them, or name one with BOOKWHEEL_BIBLIOGRAPHY.",
    );
}
