import { fileStem, type ReadDocument } from "./document.js";

export interface Identity {
  citekey: string;
  /** CSL-JSON of the work, as far as known. */
  csl: Record<string, unknown> | null;
  tags: string[];
  /** How the work was found in the owner's bibliography; null where the key was made up from the file. */
  matched: string | null;
}

/** What a file says about itself; no text, so that a file already stored can be asked again without being read. */
export type Described = Pick<ReadDocument, "title" | "kind" | "meta" | "language">;
export type Identify = (document: Described, path: string | null) => Promise<Identity>;

const SMALL_WORDS = new Set(
  "a an the of and or in on to for with by from der die das ein eine und von zu im le la les un une des du et de el los las una y del lo il i gli e".split(
    " ",
  ),
);

/** A key a person can read and type: author, year and the title's first telling word, as far as the file knows them. */
export const generatedIdentity: Identify = async ({ title, meta, kind }, path) => {
  const name = meta.title ?? title ?? fileStem(path ?? undefined) ?? "untitled";
  const family = meta.authors?.[0] ? familyName(meta.authors[0]) : "";
  const words = plain(name)
    .split(" ")
    .filter((word) => word && !SMALL_WORDS.has(word));
  const telling = words.slice(0, family ? 1 : 3).join("");
  const citekey = `${plain(family).replaceAll(" ", "")}${meta.year ?? ""}${telling}`.slice(0, 48) || "untitled";
  return { citekey, csl: toCsl(citekey, name, { title, meta, kind }), tags: [], matched: null };
};

function toCsl(
  id: string,
  title: string,
  { meta, kind }: Pick<Described, "title" | "meta" | "kind">,
): Record<string, unknown> {
  return {
    id,
    type: meta.type ?? (kind === "html" ? "webpage" : kind === "epub" ? "book" : "document"),
    title,
    ...(meta.authors?.length ? { author: meta.authors.map(nameParts) } : {}),
    ...(meta.year ? { issued: { "date-parts": [[meta.year]] } } : {}),
    ...(meta.doi ? { DOI: meta.doi } : {}),
    ...(meta.isbn ? { ISBN: meta.isbn } : {}),
  };
}

function nameParts(name: string): Record<string, string> {
  const [family, given] = name.includes(",")
    ? name.split(/\s*,\s*/, 2)
    : [familyName(name), name.slice(0, -familyName(name).length).trim()];
  return family && given ? { family, given } : { literal: name };
}

function familyName(name: string): string {
  if (name.includes(",")) return name.split(",")[0]!.trim();
  return /(?:(?:van|von|de|der|den|di|da|del|la|le)\s+)*\S+$/i.exec(name.trim())?.[0] ?? name;
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The key itself, or with the first letter behind it that nobody else has. */
export function uniqueKey(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key;
  for (let n = 0; ; n++) {
    const candidate = key + suffix(n);
    if (!taken.has(candidate)) return candidate;
  }
}

function suffix(n: number): string {
  const letter = String.fromCharCode(97 + (n % 26));
  return n < 26 ? letter : suffix(Math.floor(n / 26) - 1) + letter;
}
