import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { ShelfError } from "../../kernel/errors.js";
import { isObject } from "../../kernel/json.js";
import { type CitationJs, citationJs } from "../citation-js.js";
import { readBibtex } from "./bibtex.js";
import { type Bibliography, type Entry, entryOfCsl } from "./entry.js";
import { annotationsOfExport } from "./zotero-annotations.js";
import { fromZoteroItem, type ZoteroItemData } from "./zotero-item.js";

type Format = "bibtex" | "json" | "ris";
const FORMATS: Record<string, Format> = {
  ".bib": "bibtex",
  ".bibtex": "bibtex",
  ".biblatex": "bibtex",
  ".json": "json",
  ".csljson": "json",
  ".ris": "ris",
};

export async function readBibliographyFile(path: string): Promise<Bibliography> {
  const format = FORMATS[extname(path).toLowerCase()];
  if (!format)
    throw new ShelfError(
      "INVALID_INPUT",
      `'${path}' is not a bibliography this reads. Give a .bib, .json (CSL or Better BibTeX) or .ris file.`,
    );
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new ShelfError("INVALID_INPUT", `The bibliography '${path}' cannot be opened. Check the path.`, { cause });
  }
  const { entries, problems } = await readBibliography(text.replace(/^\ufeff/, ""), format, path);
  return { entries: entries.map((entry) => ({ ...entry, bibliography: path })), problems };
}

export async function readBibliography(text: string, format: Format, name: string): Promise<Bibliography> {
  const citation = await citationJs();
  if (format === "bibtex") return readBibtex(citation, text, name);
  if (format === "ris") return readRis(citation, text, name);
  return readJson(citation, text, name);
}

/** Parses all at once, or entry by entry if that fails: one broken entry must not hide the others. */
function readRis(citation: CitationJs, text: string, name: string): Bibliography {
  const read = (source: string): Entry[] => {
    const records = source.split(/^ER\s{2}-.*$/m).filter((record) => /^TY\s{2}-/m.test(record));
    const items = citation.parse(source, "@ris/file");
    return items.map((item, i) => {
      const fields =
        items.length === records.length
          ? [...records[i]!.matchAll(/^(?:L1|L4|UR)\s{2}-(.+)$/gm)].map((match) => match[1]!.trim())
          : [];
      return {
        ...entryOfCsl(item),
        files: fields.filter((field) => /\.(pdf|epub|html?|docx|md|txt)$/i.test(field) && !/^https?:/.test(field)),
      };
    });
  };
  const normal = text.replaceAll("\r\n", "\n");
  try {
    return { entries: read(normal), problems: [] };
  } catch {
    const problems: string[] = [];
    const entries = normal.split(/(?<=^ER\s{2}-.*$)/m).flatMap((piece) => {
      try {
        return piece.trim() ? read(piece) : [];
      } catch (cause) {
        const why = cause instanceof Error ? cause.message.split("\n")[0] : "unreadable";
        problems.push(`${name}: the entry '${piece.trim().slice(0, 40)}' is skipped: ${why}`);
        return [];
      }
    });
    return { entries, problems };
  }
}

async function readJson(citation: CitationJs, text: string, name: string): Promise<Bibliography> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new ShelfError(
      "INVALID_INPUT",
      `'${name}' is not valid JSON. Export it again as CSL-JSON or Better BibTeX JSON.`,
      { cause },
    );
  }
  const list: unknown = Array.isArray(parsed)
    ? parsed
    : isObject(parsed)
      ? (parsed.items ?? parsed.references)
      : undefined;
  if (!Array.isArray(list))
    throw new ShelfError(
      "INVALID_INPUT",
      `'${name}' holds no list of works. Export it as CSL-JSON or Better BibTeX JSON.`,
    );
  const entries: Entry[] = [];
  const problems: string[] = [];
  const collectionsOf = collectionsByItem(isObject(parsed) ? parsed.collections : undefined);
  const annotationsOf = await annotationsOfExport(list);
  for (const item of list) {
    if (!isObject(item)) problems.push(`${name}: an entry that is not an object is skipped`);
    else if (typeof item.itemType === "string") {
      const entry = fromZoteroItem(item as unknown as ZoteroItemData);
      const collections = collectionsOf.get(item.itemID);
      const annotated = annotationsOf.get(item);
      if (entry)
        entries.push({ ...entry, ...(collections ? { collections } : {}), ...(annotated ? { annotated } : {}) });
    } else {
      const [read] = citation.parse([item], "@csl/list+object");
      if (read) entries.push(entryOfCsl(read));
    }
  }
  return { entries, problems };
}

/** Better BibTeX JSON lists collections beside the items: a work is in a collection's own and in all those above it. */
function collectionsByItem(collections: unknown): Map<unknown, string[]> {
  const found = new Map<unknown, string[]>();
  if (!isObject(collections)) return found;
  for (const collection of Object.values(collections)) {
    if (!isObject(collection) || !Array.isArray(collection.items)) continue;
    const names = new Set<string>();
    const passed = new Set<unknown>();
    for (let each: unknown = collection; isObject(each) && !passed.has(each); each = collections[String(each.parent)]) {
      passed.add(each);
      for (const name of [each.name, each.key]) if (typeof name === "string") names.add(name);
    }
    for (const id of collection.items) found.set(id, [...new Set([...(found.get(id) ?? []), ...names])]);
  }
  return found;
}
