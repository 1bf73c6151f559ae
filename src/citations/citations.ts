import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { itemOfChunk } from "./chunk-item.js";
import { citationJs } from "./citation-js.js";
import { type CslItem, cleanCsl } from "./csl.js";
import { asLatex, asPandoc, type Cited, parseCited } from "./locator.js";
import { nearest } from "./near-names.js";
import { type Locale, type StyleName, withStyle } from "./style.js";

export interface CiteOptions {
  /** "key" or "key, pp. 45-46". */
  sources: readonly string[];
  style?: "pandoc" | "latex" | StyleName | undefined;
  format?: "text" | "html" | undefined;
  locale?: Locale | undefined;
  bibliography?: "none" | "formatted" | "bibtex" | "csl-json" | "ris" | undefined;
  signal?: AbortSignal | undefined;
}
export interface CitationAnswer {
  citation: string;
  bibliography: string | null;
  /** Sources of which the bibliography knows too little, with what is missing. */
  incomplete: { citekey: string; missing: string[] }[];
}

export type Citations = ReturnType<typeof createCitations>;

/** Citations and bibliographies of what a project holds. */
export function createCitations({
  store,
  projects = createProjects({ store }),
}: {
  store: ChunkStore;
  projects?: Projects;
}) {
  return {
    async cite(project: string, options: CiteOptions): Promise<CitationAnswer> {
      const { style = "pandoc", format = "text", locale = "en-US", bibliography = "none" } = options;
      const opened = await projects.open(project, { notebooks: true });
      const cited = options.sources.map(parseCited);
      const items = await itemsOf(
        store,
        opened,
        cited.map(({ citekey }) => citekey),
      );
      // A key written in another case is cited as the bibliography has it.
      const exact = cited.map((each) => ({ ...each, citekey: items.get(each.citekey)!.id }));
      const works = [...new Map([...items.values()].map((item) => [item.id, item])).values()];
      return {
        citation: await citationIn(style, exact, works, format, locale),
        bibliography: await bibliographyAs(bibliography, style, works, format, locale),
        incomplete: works.flatMap((item) => {
          const missing = [
            ...((item.author ?? item.editor) ? [] : ["author"]),
            ...(item.issued ? [] : ["year"]),
            ...(item.title ? [] : ["title"]),
          ];
          return missing.length > 0 ? [{ citekey: item.id, missing }] : [];
        }),
      };
    },
  };
}

async function citationIn(
  style: "pandoc" | "latex" | StyleName,
  cited: readonly Cited[],
  works: readonly CslItem[],
  format: "text" | "html",
  locale: Locale,
): Promise<string> {
  if (style === "pandoc") return asPandoc(cited);
  if (style === "latex") return asLatex(cited);
  const { citation, template } = await withStyle(style);
  const entry = cited.map(({ citekey, locator }) => ({
    id: citekey,
    ...(locator ? { locator: locator.value, label: locator.label } : {}),
  }));
  return citation.format("citation", works, { template, lang: locale, format, entry }).trim();
}

async function bibliographyAs(
  kind: NonNullable<CiteOptions["bibliography"]>,
  style: "pandoc" | "latex" | StyleName,
  works: readonly CslItem[],
  format: "text" | "html",
  locale: Locale,
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
  // The formatter leaves a page range in one field, where readers look for first and last page.
  return kind === "ris" ? text.replace(/^SP {2}- ([^\s-–]+)[-–]+([^\s-–]+)$/gm, "SP  - $1\nEP  - $2") : text;
}

/** The work behind each key as asked for; keys the project does not know are all named at once. */
async function itemsOf(store: ChunkStore, project: Project, keys: readonly string[]): Promise<Map<string, CslItem>> {
  const documents = (await store.documents(project.id)).filter(({ citekey }) => citekey !== null);
  const items = new Map<string, CslItem>();
  const unknown: string[] = [];
  for (const key of new Set(keys)) {
    const same = documents.filter(({ citekey, id }) => citekey === key || id === key);
    const alike =
      same.length > 0 ? same : documents.filter(({ citekey }) => citekey?.toLowerCase() === key.toLowerCase());
    const document = alike.find(({ csl }) => csl !== null) ?? alike[0];
    const chunk = document ? undefined : (await store.chunksWhere(project.id, { citekey: key }, 1))[0];
    if (document)
      items.set(
        key,
        cleanCsl({ title: document.title, type: "document", ...document.csl, id: document.citekey ?? key }),
      );
    else if (chunk) items.set(key, itemOfChunk(key, chunk));
    else unknown.push(key);
  }
  if (unknown.length > 0) {
    const known = [...new Set(documents.map(({ citekey }) => citekey!))];
    const near = Object.fromEntries(unknown.map((key) => [key, nearest(key, known)]));
    const hints = unknown.map((key) =>
      near[key]?.length ? `'${key}' (did you mean ${near[key].join(", ")}?)` : `'${key}'`,
    );
    throw new ShelfError(
      "NOT_FOUND",
      `Project '${project.id}' has no source ${hints.join(", ")}. Citekeys come with every search hit.`,
      { details: { unknown, near } },
    );
  }
  return items;
}
