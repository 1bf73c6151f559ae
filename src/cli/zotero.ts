import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { readBibliographyFile } from "../citations/bibliography/bibliography.js";
import type { Entry } from "../citations/bibliography/entry.js";
import { readZoteroLibrary, type ZoteroOptions, zoteroName } from "../citations/bibliography/zotero.js";
import { keyInPath, openingLink } from "../citations/bibliography/zotero-annotations.js";
import type { ZoteroAttachment, ZoteroImport, ZoteroPart } from "../ingest/zotero-import.js";
import { plural } from "../kernel/plural.js";
import { type Console, misused, progressBar } from "./console.js";

interface ZoteroRequest {
  project: string | undefined;
  url: string | undefined;
  library: string | undefined;
  collection: string | undefined;
  tags: readonly string[];
  /** A Better BibTeX export, instead of a running Zotero. */
  from: string | undefined;
  storage: string;
  json: boolean;
}

interface ZoteroDeps extends Console {
  zotero: ZoteroImport;
  signal: AbortSignal;
}

/** `bookwheel zotero PROJECT`: works, files and marks of a Zotero library in a project. */
export async function zoteroCommand(request: ZoteroRequest, deps: ZoteroDeps): Promise<number> {
  const { zotero, print, terminal, signal } = deps;
  const { project, from } = request;
  if (!project) return misused(deps, "Which project? For example: bookwheel zotero thesis --collection Thesis");
  const part = from ? await exported(from, request) : await running(request, signal);
  if (!part)
    return misused(
      deps,
      `'${from}' has no collection '${request.collection}'. Only Better BibTeX JSON lists collections: export as that, export the collection itself, or leave --from out and let Zotero run.`,
    );
  const bar = progressBar(terminal);
  const done = await zotero.bring(project, part, { signal, progress: bar.show }).finally(bar.clear);
  const { files } = done;
  if (request.json) print(JSON.stringify(done, null, 2));
  else {
    print(
      `${project}: ${plural(done.works, "work")}; ${plural(files.read, "file")} read, ${files.replaced} replaced, ${files.unchanged} unchanged; ${plural(done.annotations, "annotation")} (${done.written} written, ${plural(done.removed, "work")} without any now).`,
    );
    for (const { path, reason } of files.skipped) print(`  skipped   ${path}: ${reason}`);
    for (const name of done.missing) print(`  missing   ${name}: the file is not on this machine`);
    for (const problem of done.problems) print(`  note      ${problem}`);
  }
  return files.skipped.length > 0 ? 1 : 0;
}

async function running(request: ZoteroRequest, signal: AbortSignal): Promise<ZoteroPart> {
  const { url, library, collection, tags, storage } = request;
  const options: ZoteroOptions = { url, library, collection, tags, signal };
  return { name: zoteroName(options), ...(await readZoteroLibrary({ ...options, storage })) };
}

/**
 * Files at the paths of the export, or in the storage folder if the export was written on another machine. Undefined if the
 * export does not have the collection.
 */
async function exported(
  from: string,
  { collection, tags, storage }: Pick<ZoteroRequest, "collection" | "tags" | "storage">,
): Promise<ZoteroPart | undefined> {
  const { entries, problems } = await readBibliographyFile(from);
  const inCollection = collection
    ? entries.filter(({ collections }) => collections?.some((name) => name.toLowerCase() === collection.toLowerCase()))
    : entries;
  if (collection && inCollection.length === 0) return undefined;
  const wanted = inCollection.filter((entry) => tags.every((tag) => entry.tags.includes(tag)));
  return {
    name: from,
    problems,
    works: wanted.map((entry) => ({
      key: entry.citekey ?? "",
      entry,
      attachments: attachmentsOf(entry, storage),
    })),
  };
}

function attachmentsOf({ files, annotated = [] }: Entry, storage: string): ZoteroAttachment[] {
  const listed = files.map((file) => {
    const marked = annotated.find((each) => each.file === file);
    const key = marked?.key ?? keyInPath(file) ?? "";
    const name = file.split(/[\\/]/).at(-1) ?? file;
    const places = [...(isAbsolute(file) ? [file] : []), ...(key ? [join(storage, "storage", key, name)] : [])];
    return {
      key,
      name,
      path: places.find((place) => existsSync(place)),
      url: marked?.url ?? openingLink(undefined, key),
      annotations: marked?.annotations ?? [],
    };
  });
  // A note can hold annotations of a file that the export does not list.
  const others = annotated.filter(({ file }) => file === undefined || !files.includes(file));
  return [
    ...listed,
    ...others.map(({ key, url, annotations }) => ({ key, ...stored(storage, key), url, annotations })),
  ];
}

/** The file in an attachment's storage folder. */
function stored(storage: string, key: string): { name: string; path: string | undefined } {
  const folder = join(storage, "storage", key);
  const name = existsSync(folder) ? readdirSync(folder).find((each) => !each.startsWith(".")) : undefined;
  return name === undefined ? { name: key, path: undefined } : { name, path: join(folder, name) };
}
