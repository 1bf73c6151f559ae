import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { jsonOrUndefined } from "../../../../kernel/json.js";
import { ADDED_FILE, checkModelFiles } from "../model-folder.js";
import { chooseFiles, lacksPooling, type Machine, type Wanted } from "./model-choice.js";
import { type Download, downloadFile } from "./model-download.js";
import { HubError, type Listing, type ModelHub } from "./model-hub.js";

/** Written next to a model's files when all of them are complete. */
const Added = z.object({
  id: z.string(),
  revision: z.string(),
  graph: z.string(),
  files: z.array(z.object({ path: z.string(), size: z.int(), hash: z.string() })),
});
export type AddedModel = z.infer<typeof Added> & { folder: string; bytes: number };

interface AddOptions {
  hub: ModelHub;
  machine: Machine;
  file?: string | undefined;
  revision?: string | undefined;
  signal: AbortSignal;
  /** Called with the files before they are fetched. */
  begin(plan: { graph: string; bytes: number; files: number }): void;
  progress(done: number, total: number, path: string): void;
  retryMs?: number;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
/** No organisation begins with a dot. */
const UNFINISHED = ".unfinished";
/** The disk is not filled to the last byte. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** Models fetched from a hub, each in a folder below `home`. A folder has its place only once all of it is there. */
export function modelShelf(home: string) {
  const folderOf = (name: string) => join(home, checked(name));
  const unfinishedOf = (name: string) => join(home, UNFINISHED, checked(name));

  return {
    async add(name: string, options: AddOptions): Promise<AddedModel & { fetched: boolean }> {
      const { hub, signal } = options;
      const [folder, unfinished] = [folderOf(name), unfinishedOf(name)];
      const listing = await hub.listing(name, options.revision);
      const original = lacksPooling(listing) ? await originalOf(listing, hub) : undefined;
      const { graph, wanted } = chooseFiles(listing, { ...options, original });
      const files = wanted.map(({ file: { path, size, hash } }) => ({ path, size, hash: hash.value }));
      const added = { id: name, revision: listing.revision, graph, files };
      const total = files.reduce((sum, { size }) => sum + size, 0);

      const known = readAdded(folder);
      if (known && isWhole(known) && JSON.stringify(known.files) === JSON.stringify(files))
        return { ...known, fetched: false };
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      options.begin({ graph, bytes: total, files: files.length });
      await refuseFullDisk(home, total - bytesBelow(unfinished));
      await fetchAll(wanted, unfinished, total, options);
      signal.throwIfAborted();
      await writeFile(join(unfinished, ADDED_FILE), JSON.stringify(added, undefined, 2), { mode: 0o600 });
      await removeOthers(unfinished, new Set([ADDED_FILE, ...files.map(({ path }) => path)]));
      await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
      await rm(folder, { recursive: true, force: true });
      await rename(unfinished, folder);
      return { ...added, folder, bytes: total, fetched: true };
    },

    list: (): AddedModel[] =>
      namesBelow(home).flatMap((name) => {
        const model = readAdded(join(home, name));
        return model ? [model] : [];
      }),
    /** Models whose download was cut short, with the bytes that are there. */
    unfinished: () =>
      namesBelow(join(home, UNFINISHED)).map((id) => ({ id, bytes: bytesBelow(join(home, UNFINISHED, id)) })),

    /** The folder that is gone, or undefined where there was none. */
    async remove(name: string): Promise<string | undefined> {
      const [folder, unfinished] = [folderOf(name), unfinishedOf(name)];
      const there = [folder, unfinished].filter((path) => existsSync(path));
      for (const path of there) await rm(path, { recursive: true, force: true });
      return there.length > 0 ? folder : undefined;
    },
  };

  /** A configuration that cannot be used is found out before the weights are fetched. */
  async function fetchAll(wanted: readonly Wanted[], unfinished: string, total: number, options: AddOptions) {
    const { hub, signal, retryMs } = options;
    const isLarge = ({ file }: Wanted) => file.path.includes(".onnx") || file.path.includes("Constant_");
    const small = wanted.filter((each) => !isLarge(each));
    let done = 0;
    for (const each of [...small, ...wanted.filter(isLarge)]) {
      const download: Download = {
        hub,
        folder: unfinished,
        signal,
        progress(bytes) {
          done += bytes;
          options.progress(done, total, each.file.path);
        },
        ...(retryMs === undefined ? {} : { retryMs }),
      };
      try {
        await downloadFile(each, download);
      } catch (error) {
        throw noRoom(error, home) ?? error;
      }
      if (each === small.at(-1)) checkModelFiles(unfinished);
    }
  }
}

/** Only names that stay within the folder of models. */
function checked(name: string): string {
  if (!NAME.test(name) || name.includes(".."))
    throw new HubError(`'${name}' is no model's name. It is written ORG/NAME, such as intfloat/multilingual-e5-small.`);
  return name;
}

/** A converted model often has only the graph; the pooling is configured in the model it was converted from. */
async function originalOf({ base }: Listing, hub: ModelHub): Promise<Listing | undefined> {
  if (base === undefined || !NAME.test(base)) return undefined;
  try {
    return await hub.listing(base);
  } catch (error) {
    if (error instanceof HubError) return undefined; // the folder is checked for what it lacks
    throw error;
  }
}

function readAdded(folder: string): AddedModel | undefined {
  const file = join(folder, ADDED_FILE);
  const { data } = Added.safeParse(existsSync(file) ? jsonOrUndefined(readFileSync(file, "utf8")) : undefined);
  return data && { ...data, folder, bytes: data.files.reduce((sum, { size }) => sum + size, 0) };
}

const isWhole = ({ folder, files }: AddedModel) =>
  files.every(({ path, size }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === size);

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map(({ name }) => name)
    : [];
const namesBelow = (home: string): string[] =>
  foldersIn(home).flatMap((org) => foldersIn(join(home, org)).map((name) => `${org}/${name}`));

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
const bytesBelow = (folder: string): number => filesBelow(folder).reduce((sum, file) => sum + statSync(file).size, 0);

async function removeOthers(folder: string, kept: ReadonlySet<string>): Promise<void> {
  const keep = new Set([...kept].map((path) => join(folder, path)));
  for (const file of filesBelow(folder)) if (!keep.has(file)) await rm(file, { force: true });
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

async function refuseFullDisk(home: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(home);
  const free = Math.max(0, bavail * bsize - SPARE_BYTES);
  if (bytes > free)
    throw new HubError(
      `${megabytes(bytes)} are needed in ${home}, and ${megabytes(free)} are free. Nothing was fetched.`,
    );
}

function noRoom(error: unknown, home: string): HubError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return undefined;
  return new HubError(`The disk of ${home} is full. Make room and run the command again: it goes on where it stopped.`);
}
