import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ZoteroAnnotation, ZoteroAttachment } from "../../ingest/zotero-import.js";
import { boundedText } from "../../kernel/bounded-text.js";
import { addTo } from "../../kernel/collections.js";
import { ShelfError } from "../../kernel/errors.js";
import { jsonOrUndefined } from "../../kernel/json.js";
import { trimEndOf } from "../../kernel/trim-end.js";
import type { CslItem } from "../csl.js";
import type { Bibliography, Entry } from "./entry.js";
import { asAnnotation, openingLink } from "./zotero-annotations.js";
import { fromZoteroItem, type ZoteroItemData } from "./zotero-item.js";

export interface ZoteroOptions {
  /** Base URL of Zotero's local API. */
  url?: string | undefined;
  /** "users/0" is the owner's own library; a group is "groups/<id>". */
  library?: string | undefined;
  /** Key or name of a collection; its sub-collections are included. */
  collection?: string | undefined;
  /** Only items that have all of these tags. */
  tags?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

export const ZOTERO_URL = "http://127.0.0.1:23119";
const PAGE = 100;
const TIMEOUT_MS = 30_000;

const Item = z.looseObject({
  key: z.string(),
  data: z.looseObject({ itemType: z.string() }),
  csljson: z.looseObject({}).optional(),
});
const Collection = z.looseObject({
  key: z.string(),
  data: z.looseObject({ name: z.string(), parentCollection: z.union([z.string(), z.literal(false)]).optional() }),
});
const RpcAnswer = z.looseObject({
  result: z.record(z.string(), z.string().nullable()).optional(),
  error: z.looseObject({ message: z.string().optional() }).optional(),
});

const NAME = "zotero:";

/** A Zotero library as one string, so that it can be stored like the path of a bibliography. */
export function zoteroName({ url = ZOTERO_URL, library, collection, tags }: ZoteroOptions): string {
  const name = new URL(url);
  if (library) name.searchParams.set("library", library);
  if (collection) name.searchParams.set("collection", collection);
  for (const tag of tags ?? []) name.searchParams.append("tag", tag);
  return NAME + name.href;
}

/** The inverse of `zoteroName`; undefined for anything else, such as a path. */
export function zoteroNamed(name: string): ZoteroOptions | undefined {
  const address = name.startsWith(NAME) ? name.slice(NAME.length) : "";
  if (!URL.canParse(address)) return undefined;
  const { origin, searchParams } = new URL(address);
  return {
    url: origin,
    library: searchParams.get("library") ?? undefined,
    collection: searchParams.get("collection") ?? undefined,
    tags: searchParams.getAll("tag"),
  };
}

/** Reads the works of a running Zotero through its local API. */
export async function readZotero(options: ZoteroOptions = {}): Promise<Bibliography> {
  const { works, problems } = await readWorks(options);
  return { entries: works.map(({ entry }) => entry), problems };
}

/** An item of Zotero with the files that belong to it. */
interface ZoteroWork {
  key: string;
  entry: Entry;
  attachments: { key: string; file: string }[];
}

async function readWorks(options: ZoteroOptions): Promise<{ works: ZoteroWork[]; problems: string[] }> {
  const base = trimEndOf(options.url ?? ZOTERO_URL, /\//);
  const library = libraryAddress(options);
  const signal = options.signal;
  const problems: string[] = [];

  const paths =
    options.collection === undefined
      ? ["/items/top"]
      : (await collectionKeys(library, options.collection, signal)).map((key) => `/collections/${key}/items/top`);
  const items = new Map<string, z.infer<typeof Item>>();
  const tagged = (options.tags ?? []).map((tag) => `&tag=${encodeURIComponent(tag.replace(/^-/, "\\-"))}`).join("");
  for (const path of paths)
    for (const item of await everyPage(`${library}${path}?include=data,csljson${tagged}`, Item, signal))
      items.set(item.key, item);

  const files = new Map<string, { key: string; file: string }[]>();
  for (const { key, data } of await everyPage(`${library}/items?itemType=attachment&include=data`, Item, signal)) {
    const file = attachmentPath(key, data);
    const parent = data.parentItem;
    if (file && typeof parent === "string") addTo(files, parent, { key, file });
  }

  const found: { key: string; entry: Entry; keyInExtra: string | undefined }[] = [];
  for (const { key, data, csljson } of items.values()) {
    // The API returns the item's data unchanged; only known fields are read.
    const entry = fromZoteroItem({ ...(data as unknown as ZoteroItemData), key });
    if (!entry) continue;
    const csl = csljson ? ({ type: entry.csl.type, ...csljson, id: entry.citekey ?? key } as CslItem) : entry.csl;
    const native = typeof data.citationKey === "string" && data.citationKey ? data.citationKey : undefined;
    found.push({
      key,
      keyInExtra: entry.citekey,
      entry: { citekey: native, csl, tags: entry.tags, files: (files.get(key) ?? []).map(({ file }) => file) },
    });
  }
  await addBetterBibtexKeys(base, found, problems, signal);
  // Better BibTeX's own key wins over the one in the extra field.
  for (const { entry, keyInExtra } of found) entry.citekey ??= keyInExtra;
  const works = found.map(({ key, entry }) => ({
    key,
    attachments: files.get(key) ?? [],
    entry: {
      ...entry,
      bibliography: zoteroName(options),
      csl: entry.citekey ? { ...entry.csl, id: entry.citekey } : entry.csl,
    },
  }));
  return { works, problems };
}

const libraryAddress = ({ url, library }: ZoteroOptions) =>
  `${trimEndOf(url ?? ZOTERO_URL, /\//)}/api/${trimEndOf((library ?? "users/0").replace(/^\/+/, ""), /\//)}`;

const Annotation = z.looseObject({
  key: z.string(),
  data: z.looseObject({
    parentItem: z.string(),
    annotationType: z.string(),
    annotationText: z.string().nullish(),
    annotationComment: z.string().nullish(),
    annotationColor: z.string().nullish(),
    annotationPageLabel: z.string().nullish(),
    annotationSortIndex: z.string().nullish(),
    annotationPosition: z.string().nullish(),
    tags: z.array(z.looseObject({ tag: z.string() })).default([]),
  }),
});

/** Works with their files on this machine and the annotations in them. `storage` is Zotero's data folder. */
export async function readZoteroLibrary(
  options: ZoteroOptions & { storage?: string | undefined },
): Promise<{ works: (Omit<ZoteroWork, "attachments"> & { attachments: ZoteroAttachment[] })[]; problems: string[] }> {
  const { works, problems } = await readWorks(options);
  const library = libraryAddress(options);
  const link = (key: string) => openingLink(options.library, key);
  const marked = new Map<string, z.infer<typeof Annotation>[]>();
  for (const annotation of await everyPage(
    `${library}/items?itemType=annotation&include=data`,
    Annotation,
    options.signal,
  ))
    addTo(marked, annotation.data.parentItem, annotation);
  const bySortIndex = (a: z.infer<typeof Annotation>, b: z.infer<typeof Annotation>) =>
    (a.data.annotationSortIndex ?? "").localeCompare(b.data.annotationSortIndex ?? "");
  const found: Awaited<ReturnType<typeof readZoteroLibrary>>["works"] = [];
  for (const { key, entry, attachments } of works) {
    const files: ZoteroAttachment[] = [];
    for (const { key: own, file } of attachments)
      files.push({
        key: own,
        name: file.split(/[\\/]/).at(-1) ?? file,
        path: await fileOf(library, own, file, options),
        url: link(own),
        annotations: (marked.get(own) ?? []).sort(bySortIndex).map((each) => annotationOf(each, link(own))),
      });
    found.push({ key, entry, attachments: files });
  }
  return { works: found, problems };
}

/** The path that Zotero gives, or else the file's path in the storage folder. */
async function fileOf(
  library: string,
  key: string,
  file: string,
  { signal, storage }: ZoteroOptions & { storage?: string | undefined },
): Promise<string | undefined> {
  const response = await ask(new URL(`${library}/items/${key}/file/view/url`), {}, signal);
  const answer = response.ok ? (await boundedText(response)).trim() : "";
  const said = answer.startsWith("file:") && URL.canParse(answer) ? fileURLToPath(answer) : undefined;
  const inStorage = storage && file.startsWith("storage/") ? join(storage, file) : undefined;
  return [said, inStorage, isAbsolute(file) ? file : undefined].find((path) => path !== undefined && existsSync(path));
}

function annotationOf({ key, data }: z.infer<typeof Annotation>, link: string): ZoteroAnnotation {
  const stored = {
    key,
    type: data.annotationType,
    text: data.annotationText ?? "",
    comment: data.annotationComment ?? "",
    color: data.annotationColor,
    pageLabel: data.annotationPageLabel,
    position: jsonOrUndefined(data.annotationPosition ?? ""),
    tags: data.tags.map(({ tag }) => tag),
  };
  return asAnnotation(stored, link);
}

function attachmentPath(key: string, data: Record<string, unknown>): string | undefined {
  const { linkMode, path, filename } = data;
  if (linkMode === "linked_file" && typeof path === "string") return path.replace(/^attachments:/, "");
  return typeof filename === "string" ? `storage/${key}/${filename}` : undefined;
}

/** The collection and its sub-collections: the API lists only a collection's own items. */
async function collectionKeys(library: string, wanted: string, signal: AbortSignal | undefined): Promise<string[]> {
  const all = await everyPage(`${library}/collections`, Collection, signal);
  const top =
    all.find(({ key }) => key === wanted) ?? all.find(({ data }) => data.name.toLowerCase() === wanted.toLowerCase());
  if (!top)
    throw new ShelfError(
      "NOT_FOUND",
      `Zotero has no collection '${wanted}'. It has: ${all.map(({ data }) => data.name).join(", ") || "none"}.`,
    );
  const keys = [top.key];
  for (const key of keys)
    keys.push(
      ...all
        .filter(({ data, key: own }) => data.parentCollection === key && !keys.includes(own))
        .map((each) => each.key),
    );
  return keys;
}

async function everyPage<T>(url: string, schema: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const page = new URL(url);
    page.searchParams.set("format", "json");
    page.searchParams.set("start", String(found.length));
    page.searchParams.set("limit", String(PAGE));
    const response = await ask(page, { headers: { "Zotero-API-Version": "3" } }, signal);
    if (!response.ok) throw refused(response.status, page);
    const items = z.array(schema).parse(JSON.parse(await boundedText(response)));
    found.push(...items);
    const total = Number(response.headers.get("Total-Results") ?? Number.NaN);
    if (items.length === 0 || (Number.isNaN(total) ? items.length < PAGE : found.length >= total)) return found;
  }
}

/** Keys from the Better BibTeX plugin; none without the plugin, which is fine. */
async function addBetterBibtexKeys(
  base: string,
  found: { key: string; entry: Entry }[],
  problems: string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing = found.filter(({ entry }) => entry.citekey === undefined);
  for (let at = 0; at < missing.length; at += PAGE) {
    const batch = missing.slice(at, at + PAGE);
    const response = await ask(
      new URL(`${base}/better-bibtex/json-rpc`),
      {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        // The method takes one parameter, which is a list.
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: at,
          method: "item.citationkey",
          params: [batch.map(({ key }) => key)],
        }),
      },
      signal,
    );
    if (!response.ok) return;
    const answer = RpcAnswer.safeParse(JSON.parse(await boundedText(response)));
    if (!answer.success || answer.data.error) {
      problems.push(`Better BibTeX did not give its citation keys: ${answer.data?.error?.message ?? "unknown answer"}`);
      return;
    }
    for (const { key, entry } of batch) entry.citekey = answer.data.result?.[key] ?? undefined;
  }
}

async function ask(url: URL, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(url, {
      ...init,
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ShelfError(
      "PROCESSING_FAILED",
      `Zotero does not answer at ${url.origin}. Start Zotero, or export the library as a .bib or .json file.`,
      { cause },
    );
  }
}

function refused(status: number, url: URL): ShelfError {
  if (status === 403)
    return new ShelfError(
      "PROCESSING_FAILED",
      "Zotero refuses other programs. In Zotero open Settings, Advanced, and tick 'Allow other applications on this computer to communicate with Zotero'.",
    );
  if (status === 404)
    return new ShelfError("NOT_FOUND", `Zotero has no ${url.pathname}. Check the library or group id.`);
  return new ShelfError(
    "PROCESSING_FAILED",
    `Zotero answered with status ${status}. Zotero 7 or newer is needed for its local API.`,
  );
}
