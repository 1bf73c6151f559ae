import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { itemOfChunk } from "./chunk-item.js";
import { citationJs } from "./citation-js.js";
import { type CitedLog, memoryCitedLog } from "./cited-log.js";
import type { CslItem } from "./csl.js";
import { missingFields } from "./csl.js";
import { asLatex, asPandoc, type Cited, parseCited } from "./locator.js";
import type { Highlights } from "./quote-session.js";
import { type Locale, type StyleName, withStyle } from "./style.js";
import { OPENING_CHARS, type Suspicion, suspicionsOf } from "./suspicious.js";
import { nearestKeys, sameWork, type Work, worksIn, worksNamed, worksOfHighlights } from "./works.js";

export interface CiteOptions {
  /** "key" or "key, pp. 45-46"; a title or author that names exactly one work. */
  sources?: readonly string[] | undefined;
  /** Adds everything cited since then. */
  since?: Date | undefined;
  style?: "pandoc" | "latex" | StyleName | undefined;
  /** Return one citation per source, in their order. */
  each?: boolean | undefined;
  format?: "text" | "html" | undefined;
  locale?: Locale | undefined;
  bibliography?: "none" | "formatted" | "bibtex" | "csl-json" | "ris" | undefined;
  readwise?: Highlights | undefined;
  signal?: AbortSignal | undefined;
}
interface CitationAnswer {
  citation: string;
  /** With `each`: one per source. */
  citations?: { source: string; citation: string }[];
  bibliography: string | null;
  /** Sources whose records are incomplete, with the missing fields. */
  incomplete: { citekey: string; missing: string[] }[];
  suspicious: Suspicion[];
  not_found: { source: string; near: string[] }[];
}

export type Citations = ReturnType<typeof createCitations>;

/** Formats citations and bibliographies of works in projects, notebooks and highlights. */
export function createCitations({
  store,
  projects = createProjects({ store }),
  log = memoryCitedLog(),
}: {
  store: ChunkStore;
  projects?: Projects;
  log?: CitedLog;
}) {
  return {
    async cite(project: string | readonly string[] | undefined, options: CiteOptions): Promise<CitationAnswer> {
      const signal = options.signal ?? new AbortController().signal;
      const ids = typeof project === "string" ? [project] : project;
      const opened = ids
        ? await Promise.all(ids.map((id) => projects.open(id, { notebooks: true })))
        : await store.projects();
      const known = (await Promise.all(opened.map(({ id }) => worksIn(store, id)))).flat();
      const highlighted = ids ? [] : await highlightWorks(options.readwise, signal);
      const find = createFinder(store, opened, [...known, ...highlighted]);
      const wanted = [...(options.sources ?? []), ...(await keysSince(log, options.since))];
      const cited: (Cited & { source: string; work: Work })[] = [];
      const notFound: CitationAnswer["not_found"] = [];
      for (const source of wanted) {
        const parsed = await find(source);
        if (parsed.work) cited.push({ ...parsed, citekey: parsed.work.key, source, work: parsed.work });
        else notFound.push({ source, near: parsed.near });
      }
      if (cited.length === 0 && notFound.length > 0) throw noneFound(notFound, ids);
      const works = [...new Map(cited.map(({ work }) => [work.key, work])).values()];
      if (options.sources?.length) await log.add(works.map(({ key, project: from }) => ({ key, project: from })));
      return {
        ...(await written(cited, options)),
        bibliography: await bibliographyAs(
          works.map(({ item }) => item),
          options,
        ),
        incomplete: works.flatMap(({ key, item }) => {
          const missing = missingFields(item);
          return missing.length > 0 ? [{ citekey: key, missing }] : [];
        }),
        suspicious: (await Promise.all(works.map((work) => suspectedIn(store, work)))).flat(),
        not_found: notFound,
      };
    },
  };
}

async function highlightWorks(readwise: Highlights | undefined, signal: AbortSignal): Promise<Work[]> {
  if (!readwise) return [];
  try {
    return worksOfHighlights(await readwise.quotable(signal));
  } catch (error) {
    // Without a Readwise key, or while Readwise is down, the other works can still be cited.
    if (error instanceof ShelfError) return [];
    throw error;
  }
}

async function keysSince(log: CitedLog, since: Date | undefined): Promise<string[]> {
  return since ? (await log.since(since)).map(({ key }) => key) : [];
}

function createFinder(store: ChunkStore, opened: readonly Project[], works: readonly Work[]) {
  return async (source: string): Promise<Cited & { work?: Work; near: string[] }> => {
    const parsed = parseCited(source);
    const keyed = exactly(works, parsed.citekey) ?? (await looseWork(store, opened, parsed.citekey));
    if (keyed) return { ...parsed, work: keyed, near: [] };
    // A title or author may contain spaces: the locator follows the last comma.
    const comma = source.lastIndexOf(",");
    const names = [source, ...(comma > 0 ? [source.slice(0, comma)] : [])];
    for (const name of names) {
      const named = worksNamed(works, name);
      const [first, ...others] = named;
      if (first && others.every((work) => work.key === first.key || sameWork(work.item, first.item))) {
        const { locator } = name === source ? { locator: undefined } : parseCited(`x, ${source.slice(comma + 1)}`);
        return { citekey: first.key, locator, work: first, near: [] };
      }
      if (first) return { ...parsed, near: [...new Set(named.map(({ key }) => key))].slice(0, 5) };
    }
    return { ...parsed, near: nearestKeys(works, names.at(-1)!) };
  };
}

function exactly(works: readonly Work[], key: string): Work | undefined {
  const same = works.filter((work) => work.key === key || work.doc_ids.includes(key) || String(work.source_id) === key);
  const alike =
    [
      same,
      works.filter((work) => work.key.toLowerCase() === key.toLowerCase()),
      works.filter((work) => work.aliases?.includes(key)),
    ].find((found) => found.length > 0) ?? [];
  // Of several records of one work, the one with the most fields.
  return alike.sort((a, b) => Object.keys(b.item).length - Object.keys(a.item).length)[0];
}

/** A work known only by the citekey on its chunks. */
async function looseWork(store: ChunkStore, opened: readonly Project[], key: string): Promise<Work | undefined> {
  for (const { id } of opened) {
    const [chunk] = await store.chunksWhere(id, { citekey: key }, 1);
    if (chunk)
      return {
        key,
        project: id,
        doc_ids: chunk.doc_id === null ? [] : [chunk.doc_id],
        source_id: null,
        item: itemOfChunk(key, chunk),
        hasText: true,
        language: chunk.language,
        also: [],
      };
  }
  return undefined;
}

function noneFound(notFound: CitationAnswer["not_found"], ids: readonly string[] | undefined): ShelfError {
  const hints = notFound.map(({ source, near }) =>
    near.length > 0 ? `'${source}' (did you mean ${near.join(", ")}?)` : `'${source}'`,
  );
  const keys = notFound.map(({ source, near }) => [parseCited(source).citekey, near] as const);
  return new ShelfError(
    "NOT_FOUND",
    `${ids ? `Project '${ids.join("', '")}' has` : "There is"} no source ${hints.join(", ")}. Citekeys come with every search hit.`,
    { details: { unknown: keys.map(([key]) => key), near: Object.fromEntries(keys) } },
  );
}

async function suspectedIn(store: ChunkStore, { item, project, doc_ids: [first] }: Work): Promise<Suspicion[]> {
  const document = project !== null && first !== undefined ? await store.document(project, first) : undefined;
  return suspicionsOf(item, document, document?.text.slice(0, OPENING_CHARS) ?? "");
}

async function written(
  cited: readonly (Cited & { source: string; work: Work })[],
  { style = "pandoc", each = false, format = "text", locale = "en-US" }: CiteOptions,
): Promise<Pick<CitationAnswer, "citation" | "citations">> {
  if (cited.length === 0) return { citation: "" };
  const clusters = each ? cited.map((one) => [one]) : [cited];
  const texts = await clustersIn(style, clusters, format, locale);
  const citations = cited.map(({ source }, i) => ({ source, citation: texts[i] ?? "" }));
  return each ? { citation: texts.join("\n"), citations } : { citation: texts[0] ?? "" };
}

async function clustersIn(
  style: "pandoc" | "latex" | StyleName,
  clusters: readonly (readonly (Cited & { work: Work })[])[],
  format: "text" | "html",
  locale: Locale,
): Promise<string[]> {
  if (style === "pandoc") return clusters.map(asPandoc);
  if (style === "latex") return clusters.map(asLatex);
  const { citation, template } = await withStyle(style);
  const works = [...new Map(clusters.flat().map(({ work }) => [work.key, { ...work.item, id: work.key }])).values()];
  const entries = clusters.map((cluster, i) => ({
    citationItems: cluster.map(({ citekey, locator }) => ({
      id: citekey,
      ...(locator ? { locator: locator.value, label: locator.label } : {}),
    })),
    // With note numbers the formatter shortens later notes of a work.
    properties: { noteIndex: style.endsWith("notes") ? i + 1 : 0 },
  }));
  return entries.map((entry, i) =>
    citation
      .format("citation", works, { template, lang: locale, format, entry, citationsPre: entries.slice(0, i) })
      .trim(),
  );
}

async function bibliographyAs(
  works: readonly CslItem[],
  { bibliography: kind = "none", style = "pandoc", format = "text", locale = "en-US" }: CiteOptions,
): Promise<string | null> {
  if (kind === "none") return null;
  if (kind === "csl-json") return JSON.stringify(works, null, 2);
  if (kind === "formatted") {
    const { citation, template } = await withStyle(style === "pandoc" || style === "latex" ? "apa" : style);
    return citation.format("bibliography", works, { template, lang: locale, format }).trim();
  }
  const citation = await citationJs();
  const keyed = works.map((item) => ({ ...item, "citation-key": item.id }));
  const text = citation.format(kind, keyed).trim();
  // The formatter writes a page range into one field; importers expect first and last page.
  return kind === "ris" ? text.replace(/^SP {2}- ([^\s-–]+)[-–]+([^\s-–]+)$/gm, "SP  - $1\nEP  - $2") : text;
}
