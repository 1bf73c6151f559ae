import { resolve } from "node:path";
import type { Identity } from "../../ingest/identity.js";
import { ShelfError } from "../../kernel/errors.js";
import type { CslItem } from "../csl.js";
import { readBibliographyFile } from "./bibliography.js";
import { type Described, itemOfDocument } from "./described-item.js";
import type { Bibliography, Entry } from "./entry.js";
import { freeKey, readableKey } from "./generated-key.js";
import { arxivIdsIn, doisIn, isbnsIn } from "./identifiers.js";
import { createMatcher, type Match } from "./matching.js";
import { createOverrides } from "./overrides.js";
import { readZotero, type ZoteroOptions, zoteroName, zoteroNamed } from "./zotero.js";

interface IdentifierOptions {
  bibliographyFiles?: readonly string[] | undefined;
  /** Bibliographies that were found, not named by the caller: an unreadable one is reported, not an error. */
  bibliographies?: readonly string[] | undefined;
  zotero?: ZoteroOptions | undefined;
  /** The folder being ingested: `bookwheel.json` is looked for from a document's folder up to here. */
  root?: string | undefined;
  /** Keys of earlier runs, by path, so that a document keeps its generated key. */
  assigned?: Iterable<{ path: string | null; citekey: string | null }> | undefined;
  signal?: AbortSignal | undefined;
}

/** Characters, about two pages: a document names its title and authors there. */
const OPENING_CHARS = 6000;

/** Reads the owner's bibliographies once and matches documents to their entries. */
export async function createIdentifier(options: IdentifierOptions) {
  const read: Bibliography[] = [];
  const named = [
    ...(options.bibliographyFiles ?? []).map((file) => resolve(file)),
    ...(options.zotero ? [zoteroName(options.zotero)] : []),
  ];
  for (const source of named) read.push(await readSource(source, options.signal));
  const others = (options.bibliographies ?? []).filter((source) => !named.includes(source));
  for (const source of others)
    read.push(
      await readSource(source, options.signal).catch((error: unknown) => {
        options.signal?.throwIfAborted();
        const why = error instanceof ShelfError ? error.message : `The bibliography '${source}' cannot be read.`;
        return { entries: [], problems: [why] };
      }),
    );
  const entries = withKeys(read.flatMap((bibliography) => bibliography.entries));
  const byKey = new Map(entries.map((entry) => [entry.citekey, entry]));
  const matcher = createMatcher(entries);
  const overrideOf = createOverrides({ root: options.root });

  const keyOfPath = new Map<string, string>();
  const pathOfKey = new Map<string, string>();
  const assign = (path: string, citekey: string) => {
    keyOfPath.set(path, citekey);
    if (!pathOfKey.has(citekey)) pathOfKey.set(citekey, path);
  };
  for (const { path, citekey } of options.assigned ?? []) if (path !== null && citekey !== null) assign(path, citekey);

  /** The key this document had before if it still fits, else the first free one. */
  const madeKey = (csl: CslItem, path: string) => {
    const wanted = readableKey(csl);
    const before = keyOfPath.get(path);
    if (before?.startsWith(wanted) && /^[a-z]{0,2}$/.test(before.slice(wanted.length)) && !byKey.has(before))
      return before;
    return freeKey(wanted, (key) => byKey.has(key) || (pathOfKey.has(key) && pathOfKey.get(key) !== path));
  };

  return {
    problems: read.flatMap((bibliography) => bibliography.problems),
    /** Paths of files, or Zotero's address. */
    bibliographies: [...named, ...others],
    async identify(document: Described, path: string): Promise<Identity> {
      const override = await overrideOf(path);
      const match = override?.citekey === undefined ? findEntry(matcher, document, path) : undefined;
      const entry = override?.citekey === undefined ? match?.entry : byKey.get(override.citekey);
      const csl: CslItem = { ...(entry?.csl ?? itemOfDocument(document)), ...override?.csl };
      const citekey = override?.citekey ?? entry?.citekey ?? madeKey(csl, path);
      assign(path, citekey);
      return {
        citekey,
        csl: { ...csl, id: citekey },
        tags: override?.tags ?? entry?.tags ?? [],
        matched: override ? { method: "override" } : match ? { method: match.method } : null,
        bibliography: entry?.bibliography,
        aliases: entry?.aliases,
      };
    },
  };
}

function readSource(source: string, signal: AbortSignal | undefined): Promise<Bibliography> {
  const zotero = zoteroNamed(source);
  return zotero ? readZotero({ signal, ...zotero }) : readBibliographyFile(source);
}

/** The first entry with a key keeps it; entries without a key get a readable one. */
function withKeys(entries: readonly Entry[]): (Entry & { citekey: string })[] {
  const taken = new Set(entries.map(({ citekey }) => citekey));
  const seen = new Set<string>();
  const kept: (Entry & { citekey: string })[] = [];
  for (const entry of entries) {
    const citekey = entry.citekey ?? freeKey(readableKey(entry.csl), (key) => taken.has(key));
    taken.add(citekey);
    if (seen.has(citekey)) continue;
    seen.add(citekey);
    kept.push({ ...entry, citekey, csl: { ...entry.csl, id: citekey } });
  }
  return kept;
}

function findEntry(
  matcher: ReturnType<typeof createMatcher>,
  { title, meta, text }: Described,
  path: string,
): Match | undefined {
  const opening = text.slice(0, OPENING_CHARS);
  const clues = { title: meta.title ?? title, authors: meta.authors, year: meta.year, path, opening };
  const byMeta = matcher.match({ ...clues, doi: meta.doi, isbn: meta.isbn });
  if (byMeta && byMeta.method !== "filename") return byMeta;
  // Identifiers in the text may belong to cited works: they count only if the entry's title is in the text too.
  const identifiers = [
    ...doisIn(opening).map((doi) => ({ doi })),
    ...arxivIdsIn(opening).map((arxiv) => ({ arxiv })),
    ...isbnsIn(opening).map((isbn) => ({ isbn })),
  ];
  for (const identifier of identifiers) {
    const found = matcher.match({ title: clues.title, ...identifier });
    if (found && found.method in identifier && matcher.titleStandsIn(found.entry, opening)) return found;
  }
  if (title !== clues.title) {
    const byOther = matcher.match({ ...clues, title });
    if (byOther?.method === "title") return byOther;
  }
  return byMeta;
}
