import { partsOf } from "../../text/parts-of.js";
import type { CitationJs, RawBibtexEntry } from "../citation-js.js";
import type { CslItem, CslName } from "../csl.js";
import { languageCode, wordOfKey } from "./biblatex-keys.js";
import { type RawEntry, readBibtexFile } from "./bibtex-syntax.js";
import { type Bibliography, type Entry, entryOfCsl } from "./entry.js";
import { knownTex, plainWords } from "./tex-text.js";

/** Entry types that only hold data for other entries. */
const NO_WORK = new Set(["xdata", "control"]);
/** Fields that are never TeX, even if they contain TeX's special characters. */
const VERBATIM = new Set(["url", "urlraw", "doi", "eprint", "file", "pdf", "verba", "verbb", "verbc"]);
/** The owner's own notes, which no citation prints; they may hold any TeX. */
const LEFT_OUT = new Set(["annotation", "annote", "file", "pdf", "bdsk-file-1", "bdsk-url-1", "xdata", "ids"]);

/** Reads a BibTeX or biblatex file. An error in one entry does not affect the others. */
export function readBibtex(citation: CitationJs, text: string, name: string): Bibliography {
  const file = readBibtexFile(text);
  const problems = file.problems.map((problem) => `${name}: ${problem}`);
  const byKey = new Map<string, RawEntry>();
  for (const entry of file.entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  const works = file.entries.filter(({ type }) => !NO_WORK.has(type));
  const full = works.map((entry) => ({ entry, fields: withParents(entry, byKey) }));
  const tex = (value: string) => knownTex(value, citation.knowsCommand);
  const read = (chosen: typeof full) =>
    citation.parse(
      chosen.map(({ entry, fields }) => forParser(entry, fields, tex)),
      "@biblatex/entries+list",
    );
  const textOf: TextOf = (value, field = "title") =>
    citation.parse([{ type: "book", label: "x", properties: { [field]: tex(value) } }], "@biblatex/entries+list")[0]
      ?.title;

  let items: (CslItem | undefined)[];
  try {
    items = read(full);
  } catch {
    // One entry breaks the parser: parse each alone, and reduce the values that break it to plain words.
    items = full.map((one) => {
      try {
        return read([one])[0];
      } catch {
        return read([{ ...one, fields: readable(one.fields, textOf) }])[0];
      }
    });
  }
  const entries = items.flatMap((item, i) =>
    item ? [workOf(withVolumeTitle(item, full[i]!.fields, textOf), full[i]!)] : [],
  );
  return { entries, problems };
}

type TextOf = (value: string, field?: string) => string | undefined;

function readable(fields: ReadonlyMap<string, string>, textOf: TextOf): Map<string, string> {
  return new Map(
    [...fields].map(([name, value]) => {
      try {
        if (!VERBATIM.has(name) && !LEFT_OUT.has(name)) textOf(value, name);
        return [name, value];
      } catch {
        return [name, plainWords(value)];
      }
    }),
  );
}

/** Fields inherited through `xdata` and `crossref`, as in biber; the entry's own fields win. */
function withParents(entry: RawEntry, byKey: ReadonlyMap<string, RawEntry>, path = new Set<string>()) {
  const fields = new Map(entry.fields);
  const parent = (key: string) => {
    const found = byKey.get(key.trim());
    if (!found || found === entry || path.has(found.key)) return undefined;
    return { type: found.type, fields: withParents(found, byKey, new Set([...path, entry.key])) };
  };
  for (const key of entry.fields.get("xdata")?.split(",") ?? [])
    for (const [name, value] of parent(key)?.fields ?? []) if (!fields.has(name)) fields.set(name, value);
  const crossref = entry.fields.get("crossref");
  const from = crossref === undefined ? undefined : parent(crossref);
  if (from)
    for (const [name, value] of inherited(entry.type, from.type, from.fields))
      if (!fields.has(name)) fields.set(name, value);
  return fields;
}

const PARTS: Readonly<Record<string, RegExp>> = {
  book: /^(?:inbook|bookinbook|suppbook)$/,
  collection: /^(?:incollection|inreference|suppcollection|inbook)$/,
  reference: /^(?:incollection|inreference|suppcollection)$/,
  proceedings: /^(?:inproceedings|conference)$/,
  periodical: /^(?:article|suppperiodical)$/,
};
const OWN = new Set(
  "ids crossref xref xdata entryset entrysubtype execute label options presort related relatedoptions relatedstring relatedtype shorthand shorthandintro sortkey file keywords".split(
    " ",
  ),
);
const TITLES = ["title", "subtitle", "titleaddon"];

/** Fields a part inherits under another name: the whole's `title` is the part's `booktitle`. */
function inherited(type: string, parentType: string, fields: ReadonlyMap<string, string>): Map<string, string> {
  const whole = parentType.replace(/^mv/, "");
  const isMany = parentType !== whole;
  const isPart = PARTS[whole]?.test(type) ?? false;
  const prefix = isMany ? "main" : whole === "periodical" ? "journal" : isPart ? "book" : undefined;
  const taken = new Map([...fields].filter(([name]) => !OWN.has(name)));
  if (prefix && (isPart || isMany)) {
    for (const name of [...TITLES, "shorttitle", "sorttitle", "indextitle"]) taken.delete(name);
    for (const name of TITLES) {
      const value = fields.get(name);
      if (value !== undefined) taken.set(prefix + name, value);
    }
  }
  const author = fields.get("author");
  if (author !== undefined && whole === "book" && isPart) taken.set("bookauthor", author);
  return taken;
}

function forParser(
  { type, key }: RawEntry,
  fields: ReadonlyMap<string, string>,
  clean: (value: string) => string,
): RawBibtexEntry {
  const properties: Record<string, string> = {};
  for (const [name, value] of fields)
    if (!LEFT_OUT.has(name) && name !== "crossref" && value.trim() && name !== "__proto__")
      properties[name] = VERBATIM.has(name) ? unescaped(value) : clean(value);
  return { type, label: key, properties };
}

/** URLs in BibTeX files carry TeX escapes. */
function unescaped(value: string): string {
  return value.replace(/\\([_&%#$~{}])/g, "$1").trim();
}

function workOf(item: CslItem, { entry, fields }: { entry: RawEntry; fields: ReadonlyMap<string, string> }): Entry {
  const arxiv = arxivIdOf(fields);
  const csl = tidy(item, entry.type, fields, arxiv);
  const file = fields.get("file") ?? fields.get("pdf");
  const aliases = partsOf(entry.fields.get("ids") ?? "", ",");
  return {
    ...entryOfCsl(csl),
    files: file ? filesOf(file) : [],
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(arxiv ? { arxiv } : {}),
  };
}

/** For a volume of a larger work the parser keeps only the title of the whole work. */
function withVolumeTitle(item: CslItem, fields: ReadonlyMap<string, string>, textOf: TextOf): CslItem {
  const volume = fields.get("booktitle");
  if (volume === undefined || !fields.has("maintitle") || item["volume-title"] !== undefined) return item;
  return { ...item, "volume-title": textOf(volume) };
}

function arxivIdOf(fields: ReadonlyMap<string, string>): string | undefined {
  const kind = fields.get("eprinttype") ?? fields.get("archiveprefix");
  const id = fields
    .get("eprint")
    ?.replace(/^arxiv:/i, "")
    .trim();
  return id && (kind ?? "").toLowerCase() === "arxiv" ? id : undefined;
}

const EPRINT_ADDRESS: Readonly<Record<string, string>> = {
  jstor: "https://www.jstor.org/stable/",
  hdl: "https://hdl.handle.net/",
  googlebooks: "https://books.google.com/books?id=",
  pubmed: "https://pubmed.ncbi.nlm.nih.gov/",
};

/** CSL has one string where biblatex has lists and keys. */
function tidy(item: CslItem, type: string, fields: ReadonlyMap<string, string>, arxiv: string | undefined): CslItem {
  const csl: CslItem = { ...item };
  for (const [name, value] of Object.entries(csl)) {
    if (Array.isArray(value) && value.every((part) => typeof part === "string"))
      csl[name] = name === "language" ? value[0] : value.map(wordOfKey).join("; ");
    else if (isNames(value)) csl[name] = value.filter((each) => !isOthers(each)).map(wholeName);
  }
  for (const name of ["genre", "publisher-place", "collection-title"])
    if (typeof csl[name] === "string") csl[name] = wordOfKey(csl[name]);
  const language = fields.get("langid") ?? fields.get("hyphenation") ?? csl.language;
  if (typeof language === "string") csl.language = languageCode(language);
  // A collection must not name itself as its container.
  if (csl["container-title"] === csl.title && csl.type === "book") delete csl["container-title"];
  // CSL has no type for manuals; they are printed works with a publisher.
  if (type === "manual") csl.type = "book";
  for (const date of [csl.issued, csl.accessed] as (CslItem["issued"] | undefined)[])
    for (const parts of date?.["date-parts"] ?? []) if (Number(parts[1]) > 12) parts.splice(1);
  if (typeof csl.page === "string") csl.page = csl.page.replace(/[–—]/g, "-");
  if (arxiv) {
    if (csl.type !== "article-journal" && csl.number === undefined) csl.number = `arXiv:${arxiv}`;
    if (csl.URL === undefined && csl.DOI === undefined) csl.URL = `https://arxiv.org/abs/${arxiv}`;
  }
  const address = EPRINT_ADDRESS[(fields.get("eprinttype") ?? "").toLowerCase()];
  const eprint = fields.get("eprint");
  if (address && eprint && csl.URL === undefined) csl.URL = address + eprint.trim();
  return csl;
}

/** "and others" is not a name. */
const isOthers = ({ family, literal, given }: CslName) => (literal ?? family) === "others" && given === undefined;

/** Words in braces are one literal name, such as an institution's. */
function wholeName(name: CslName): CslName {
  const { family, given, "non-dropping-particle": particle } = name;
  return family?.includes(" ") && given === undefined && particle === undefined ? { literal: family } : name;
}

function isNames(value: unknown): value is CslName[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => typeof part === "object" && part !== null && !Array.isArray(part))
  );
}

/** Better BibTeX and JabRef write `name:path:type`, separated by semicolons; others write only the path. */
function filesOf(field: string): string[] {
  return field
    .split(/(?<!\\);/)
    .map((part) => {
      const fields = part.split(/(?<!\\):(?![\\/]{1,2}[^:]*$)/);
      const path = fields.length >= 3 ? fields.slice(1, -1).join(":") : part;
      return path.replace(/\\([:;\\_&%#$ {}])/g, "$1").trim();
    })
    .filter((path) => path && !/^(?:https?|ftp):/i.test(path));
}
