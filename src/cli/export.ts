import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { plural } from "../kernel/plural.js";
import type { SyncingPart } from "../shelves/readwise/library/sync-pages.js";
import { type Console, misused } from "./console.js";
import { type Exported, fileName, fileOf, nameEnding } from "./export-markdown.js";

interface ExportDeps extends Console {
  readwise: Pick<SyncingPart, "exportPage">;
  signal: AbortSignal;
}

const FORMATS = ["markdown", "json", "csv"] as const;

/** `bookwheel export highlights --to DIR`: exit code 0 if everything was exported, 2 for wrong usage. */
export async function exportCommand(
  {
    positionals,
    to,
    format = "markdown",
  }: { positionals: readonly string[]; to?: string | undefined; format?: string | undefined },
  deps: ExportDeps,
): Promise<number> {
  const { readwise, print, signal } = deps;
  if (positionals.length !== 1 || positionals[0] !== "highlights" || !to)
    return misused(deps, "What, and where to? For example: bookwheel export highlights --to ~/notes/reading");
  if (!FORMATS.some((one) => one === format))
    return misused(deps, `--format must be one of ${FORMATS.join(", ")} (it is '${format}')`);
  const exported: Exported[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<SyncingPart["exportPage"]>> = await readwise.exportPage({ cursor }, signal);
    for (const { source, highlights, is_deleted } of page.sources) {
      const live = highlights.filter((one) => !one.is_deleted).map(({ highlight }) => highlight);
      if (!is_deleted && live.length > 0) exported.push({ source, highlights: live.sort(inReadingOrder) });
    }
    cursor = page.next;
  } while (cursor !== null);
  exported.sort((a, b) => a.source.id - b.source.id);

  await mkdir(to, { recursive: true });
  const changed = format === "markdown" ? await writeMarkdown(to, exported) : await writeOne(to, exported, format);
  const count = exported.reduce((sum, { highlights }) => sum + highlights.length, 0);
  print(
    `${plural(count, "highlight")} of ${plural(exported.length, "source")} in ${to}; ${plural(changed, "file")} changed.`,
  );
  return 0;
}

const inReadingOrder = (a: Exported["highlights"][number], b: Exported["highlights"][number]) =>
  (a.location ?? Number.POSITIVE_INFINITY) - (b.location ?? Number.POSITIVE_INFINITY) || a.id - b.id;

/** One file per source; a file that is there keeps its name. */
async function writeMarkdown(folder: string, exported: readonly Exported[]): Promise<number> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  let changed = 0;
  for (const one of exported) {
    const known = names.find((name) => name.endsWith(nameEnding(one.source.id)));
    const path = join(folder, known ?? fileName(one.source));
    const before = known === undefined ? undefined : await readFile(path, "utf8");
    if (await writeIfChanged(path, before, fileOf(one, before))) changed++;
  }
  return changed;
}

async function writeOne(folder: string, exported: readonly Exported[], format: string): Promise<number> {
  const path = join(folder, `highlights.${format}`);
  const before = await readFile(path, "utf8").catch(() => undefined);
  const text = format === "json" ? asJson(exported) : asCsv(exported);
  return (await writeIfChanged(path, before, text)) ? 1 : 0;
}

const asJson = (exported: readonly Exported[]) =>
  `${JSON.stringify(
    exported.map(({ source, highlights }) => ({ ...source, highlights })),
    null,
    2,
  )}\n`;

const COLUMNS = ["Highlight", "Title", "Author", "URL", "Note", "Location", "Location type", "Date", "Tags", "Color"];

function asCsv(exported: readonly Exported[]): string {
  const rows = exported.flatMap(({ source, highlights }) =>
    highlights.map((one) => [
      one.text,
      source.title,
      source.author,
      one.url ?? source.source_url,
      one.note,
      one.location,
      one.location_type,
      one.highlighted_at,
      one.tags.map(({ name }) => name).join(", "),
      one.color,
    ]),
  );
  const cell = (value: unknown) => {
    const text = withoutFormula(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[COLUMNS, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Spreadsheets execute a cell that begins like a formula, and these texts are untrusted: an apostrophe makes it text. */
function withoutFormula(value: unknown): string {
  const text = String(value ?? "");
  return typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Whole or not at all: a file that is being written is never half there. */
async function writeIfChanged(path: string, before: string | undefined, text: string): Promise<boolean> {
  if (before === text) return false;
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return true;
}
