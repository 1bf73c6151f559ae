import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { ShelfError } from "../../kernel/errors.js";
import { type CitationJs, citationJs } from "../citation-js.js";
import type { CslItem } from "../csl.js";
import { fromZoteroItem, type ZoteroItemData } from "./zotero-item.js";

/** A work the owner knows by a key. */
export interface Entry {
  /** Undefined where the bibliography gives none: one is made when the entry is used. */
  citekey: string | undefined;
  csl: CslItem;
  tags: string[];
  /** Files the bibliography says belong to it, as written there. */
  files: string[];
  /** The file the entry stands in. */
  bibliography?: string;
}

export interface Bibliography {
  entries: Entry[];
  /** What could not be read, in words for the owner. */
  problems: string[];
}

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

function readBibtex(citation: CitationJs, text: string, name: string): Bibliography {
  const read = (source: string): Entry[] => {
    const files = new Map(citation.rawBibtex(source).map(({ label, properties }) => [label, properties.file]));
    return citation.parse(source, "@biblatex/text").map((item) => {
      const entry = fromCsl(tidyGenre(item));
      const file = files.get(item.id);
      return { ...entry, files: typeof file === "string" ? bibtexFiles(file) : [] };
    });
  };
  return entryByEntry(text, read, bibtexPieces, name);
}

/** All at once, or, where that fails, piece by piece: one broken entry must not hide the others. */
function entryByEntry(
  text: string,
  read: (text: string) => Entry[],
  pieces: (text: string) => string[],
  name: string,
): Bibliography {
  try {
    return { entries: read(text), problems: [] };
  } catch {
    const entries: Entry[] = [];
    const problems: string[] = [];
    for (const piece of pieces(text)) {
      try {
        entries.push(...read(piece));
      } catch (cause) {
        const label =
          /@\w+\s*[{(]\s*([^,\s]+)/.exec(piece.slice(piece.lastIndexOf("\n@") + 1))?.[1] ?? piece.trim().slice(0, 40);
        problems.push(
          `${name}: the entry '${label}' is skipped: ${cause instanceof Error ? cause.message.split("\n")[0] : "unreadable"}`,
        );
      }
    }
    return { entries, problems };
  }
}

/** Each entry by itself, with the abbreviations the file defines in front of it. */
function bibtexPieces(text: string): string[] {
  const pieces = text.split(/^(?=[ \t]*@\w+\s*[{(])/m);
  const definitions = pieces.filter((piece) => /^\s*@string/i.test(piece)).join("\n");
  return pieces
    .filter((piece) => /^\s*@(?!string|comment|preamble)\w/i.test(piece))
    .map((piece) => `${definitions}\n${piece}`);
}

/** Better BibTeX and JabRef write `name:path:type`, parted by semicolons; others write the path alone. */
function bibtexFiles(field: string): string[] {
  return field
    .split(/(?<!\\);/)
    .map((part) => {
      const fields = part.split(/(?<!\\):(?![\\/]{1,2}[^:]*$)/);
      const path = fields.length >= 3 ? fields.slice(1, -1).join(":") : part;
      return path.replace(/\\([:;\\_&%#$ ])/g, "$1").trim();
    })
    .filter(Boolean);
}

/** biblatex's names of theses and reports are for machines. */
const GENRES: Record<string, string> = {
  phdthesis: "PhD thesis",
  mastersthesis: "Master’s thesis",
  mathesis: "Master’s thesis",
  techreport: "",
};
function tidyGenre(item: CslItem): CslItem {
  const genre = typeof item.genre === "string" ? GENRES[item.genre] : undefined;
  if (genre === undefined) return item;
  const { genre: _machine, ...rest } = item;
  return { ...rest, id: item.id, type: item.type, ...(genre ? { genre } : {}) };
}

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
        ...fromCsl(item),
        files: fields.filter((field) => /\.(pdf|epub|html?|docx|md|txt)$/i.test(field) && !/^https?:/.test(field)),
      };
    });
  };
  const normal = text.replaceAll("\r\n", "\n");
  return entryByEntry(normal, read, (whole) => whole.split(/(?<=^ER\s{2}-.*$)/m).filter((piece) => piece.trim()), name);
}

function readJson(citation: CitationJs, text: string, name: string): Bibliography {
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
    : isRecord(parsed)
      ? (parsed.items ?? parsed.references)
      : undefined;
  if (!Array.isArray(list))
    throw new ShelfError(
      "INVALID_INPUT",
      `'${name}' holds no list of works. Export it as CSL-JSON or Better BibTeX JSON.`,
    );
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const item of list) {
    if (!isRecord(item)) problems.push(`${name}: an entry that is not an object is skipped`);
    else if (typeof item.itemType === "string") {
      const entry = fromZoteroItem(item as unknown as ZoteroItemData);
      if (entry) entries.push(entry);
    } else {
      const [read] = citation.parse([item], "@csl/list+object");
      if (read) entries.push(fromCsl(read));
    }
  }
  return { entries, problems };
}

function fromCsl(item: CslItem): Entry {
  const named = item["citation-key"] ?? item.id;
  const key = named === undefined || named === null ? undefined : String(named);
  return { citekey: key && isCitekey(key) ? key : undefined, csl: item, tags: splitKeywords(item.keyword), files: [] };
}

/** Ids such as addresses and the numbers a parser invents are no keys anyone could cite. */
export function isCitekey(key: string): boolean {
  return !/^https?:|^temp_id_|\s|[{},]/.test(key) && key.length > 0;
}

export function splitKeywords(keyword: unknown): string[] {
  if (typeof keyword !== "string") return [];
  return [
    ...new Set(
      keyword
        .split(/[,;]/)
        .map((word) => word.trim())
        .filter(Boolean),
    ),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
