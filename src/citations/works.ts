import { splitAuthors } from "../ingest/names.js";
import { nearest } from "../kernel/edit-distance.js";
import type { ChunkStore, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import { CSL_TYPES } from "../shelves/readwise/kinds.js";
import type { Quotable } from "../shelves/readwise/library/quotable.js";
import type { Source } from "../shelves/readwise/schemas.js";
import { fold } from "../text/fold.js";
import { freeKey, readableKey } from "./bibliography/generated-key.js";
import { type CslItem, cleanCsl, parseName } from "./csl.js";

/** A citable work: one key, even if several files hold it. */
export interface Work {
  key: string;
  /** The project or notebook it is kept in; null for the highlights of a Readwise source. */
  project: string | null;
  doc_ids: string[];
  source_id: number | null;
  item: CslItem;
  /** Whether it has a stored text to check against. */
  hasText: boolean;
  language: string | null;
  aliases?: string[];
  /** The key that the bibliography of a draft has for it. */
  draftKey?: string;
  /** Other names it is found by: file names, titles. */
  also: string[];
}

/** The works of a project's or notebook's documents. */
export async function worksIn(store: ChunkStore, project: string): Promise<Work[]> {
  const byKey = new Map<string, Work>();
  const documents = await store.documents(project);
  const taken = new Set(documents.map(({ citekey }) => citekey));
  for (const document of documents) {
    // Sources of notebooks had no key in earlier versions.
    const key = document.citekey ?? freeKey(readableKey(itemOf("", document)), (each) => taken.has(each));
    taken.add(key);
    const known = byKey.get(key);
    if (!known) byKey.set(key, workOf(project, key, document));
    else {
      known.doc_ids.push(document.id);
      known.aliases = [...new Set([...(known.aliases ?? []), ...aliasesOf(document)])];
      known.hasText ||= hasText(document);
      if (document.csl && Object.keys(known.item).length < Object.keys(document.csl).length)
        known.item = itemOf(key, document);
    }
  }
  return [...byKey.values()];
}

function workOf(project: string, key: string, document: DocumentSummary): Work {
  return {
    key,
    project,
    doc_ids: [document.id],
    source_id: sourceIdOf(document),
    item: itemOf(key, document),
    hasText: hasText(document),
    language: document.language,
    aliases: aliasesOf(document),
    also: [document.title],
  };
}

const hasText = ({ char_count, chunk_count }: DocumentSummary) => char_count > 0 || chunk_count > 0;

/** Earlier keys of a document, and its other keys in the bibliography. */
function aliasesOf({ extra }: DocumentSummary): string[] {
  return Array.isArray(extra.aliases) ? extra.aliases.filter((key) => typeof key === "string") : [];
}

/** The Readwise source whose highlights the document holds; the reader's own notes are separate documents. */
export function sourceIdOf({ kind, extra }: Pick<DocumentSummary, "kind" | "extra">): number | null {
  return kind === "highlights" && typeof extra.source_id === "number" ? extra.source_id : null;
}

export function itemOf(key: string, { title, csl }: Pick<DocumentSummary, "title" | "csl">): CslItem {
  return cleanCsl({ title, type: "document", ...csl, id: key });
}

/** Readwise's sources as works. Readwise has no citekeys: each gets a generated one, always the same. */
export function worksOfHighlights(quotable: Quotable): Work[] {
  const taken = new Set<string>();
  return [...quotable.sources()]
    .sort((a, b) => a.id - b.id)
    .map((source) => {
      const item = itemOfSource(source);
      const key = freeKey(readableKey(item), (each) => taken.has(each));
      taken.add(key);
      return {
        key,
        project: null,
        doc_ids: [],
        source_id: source.id,
        item: { ...item, id: key },
        hasText: true,
        language: null,
        also: [source.title, source.readable_title].flatMap((title) => title ?? []),
      };
    });
}

function itemOfSource(source: Source): CslItem {
  return cleanCsl({
    id: "",
    type: CSL_TYPES[source.category ?? ""] ?? "document",
    title: source.readable_title || source.title || "",
    author: splitAuthors(source.author).map(parseName),
    URL: /^https?:/.test(source.source_url ?? "") ? source.source_url : undefined,
  });
}

/** Its title, and the others it is found by. */
export const titlesOf = ({ item, also }: Work): string[] => [item.title ?? "", ...also].filter(Boolean);

/** A key as a person may write it: "@key". */
export const withoutAt = (name: string) => name.trim().replace(/^@/, "");

/** Family names, folded, as citations use them. */
export function familyNames(item: CslItem): string[] {
  return (item.author ?? item.editor ?? []).flatMap((name) => {
    const particle = name["non-dropping-particle"];
    const family = name.family ?? name.literal ?? name.given;
    if (!family) return [];
    return [plainName(particle ? `${particle} ${family}` : family)];
  });
}

/** The authors as a person reads them: "Ada Lovelace and Charles Babbage". */
export function authorsOf(item: CslItem): string | null {
  const names = (item.author ?? item.editor ?? []).flatMap((name) => {
    const whole = [name.given, name["non-dropping-particle"], name.family].filter(Boolean).join(" ");
    return whole || name.literal || [];
  });
  if (names.length === 0) return null;
  return names.length > 3 ? `${names[0]} et al.` : names.join(names.length === 2 ? " and " : ", ");
}

export function linkOf(item: CslItem): string | null {
  return item.URL ?? (item.DOI ? `https://doi.org/${item.DOI}` : null);
}

export const plainName = (text: string) =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A title up to its colon, as people usually cite it. */
export function shortTitle(title: string): string {
  const [first = ""] = title.split(/[:;.—–(]/, 1);
  const short = plainName(first);
  return short.length >= 3 ? short : plainName(title);
}

/** Whether two records are of one work: the same title, and no author that contradicts it. */
export function sameWork(a: CslItem, b: CslItem): boolean {
  if (a.DOI && b.DOI) return a.DOI.toLowerCase() === b.DOI.toLowerCase();
  if (!a.title || !b.title || shortTitle(a.title) !== shortTitle(b.title)) return false;
  const [mine, theirs] = [familyNames(a), familyNames(b)];
  return mine.length === 0 || theirs.length === 0 || mine.some((name) => theirs.some((other) => sameName(name, other)));
}

/** Whether an item may be the work of a passage of which only title and author are known. */
export function isNamedLike(
  { title, author }: { title?: string | null; author?: string | null },
  item: CslItem,
): boolean {
  const named = { ...(title ? { title } : {}), ...(author ? { author: [{ family: author }] } : {}) };
  return sameWork({ id: "", type: "document", ...named }, item);
}

/** "marcus aurelius" and "aurelius" are one name. */
export function sameName(a: string, b: string): boolean {
  return a === b || ` ${a} `.endsWith(` ${b} `) || ` ${b} `.endsWith(` ${a} `);
}

/** Keys of the works whose key, title or author is most like a mistyped name. */
export function nearestKeys(works: readonly Work[], name: string, limit = 3): string[] {
  const plain = plainName(name);
  const keysOf = new Map<string, Set<string>>();
  const add = (called: string, key: string) => {
    if (called) keysOf.set(called, (keysOf.get(called) ?? new Set()).add(key));
  };
  for (const work of works) {
    const { key, item } = work;
    add(key, key);
    for (const title of titlesOf(work)) add(shortTitle(title), key);
    for (const family of familyNames(item)) add(family, key);
  }
  const near = [...nearest(name, [...new Set(works.map(({ key }) => key))]), ...nearest(plain, [...keysOf.keys()])];
  return [...new Set(near.flatMap((called) => [...(keysOf.get(called) ?? [])]))].slice(0, limit);
}

/**
 * The works a person may mean by a name, by the first of these that fits any: key, document or source id, key in
 * another case, title, title without its subtitle, author.
 */
export function worksNamed(works: readonly Work[], name: string): Work[] {
  const wanted = withoutAt(name);
  const plain = plainName(wanted);
  const tests: ((work: Work) => boolean)[] = [
    ({ key }) => key === wanted,
    ({ doc_ids, source_id }) => doc_ids.includes(wanted) || (source_id !== null && String(source_id) === wanted),
    ({ key }) => key.toLowerCase() === wanted.toLowerCase(),
    ...(plain
      ? [
          (work: Work) => titlesOf(work).some((title) => plainName(title) === plain),
          (work: Work) => titlesOf(work).some((title) => shortTitle(title) === plain),
          ({ item }: Work) =>
            familyNames(item).some((family) => sameName(family, plain)) || plainName(authorsOf(item) ?? "") === plain,
        ]
      : []),
  ];
  for (const fits of tests) {
    const found = works.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}
