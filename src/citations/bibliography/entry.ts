import type { CslItem } from "../csl.js";

/** A work the owner knows by a key. */
export interface Entry {
  /** Undefined where the bibliography gives none: one is made when the entry is used. */
  citekey: string | undefined;
  csl: CslItem;
  tags: string[];
  /** Files the bibliography says belong to it, as written there. */
  files: string[];
  /** Keys it had before or elsewhere. */
  aliases?: string[];
  arxiv?: string;
  /** The file the entry stands in. */
  bibliography?: string;
}

export interface Bibliography {
  entries: Entry[];
  /** What could not be read, in words for the owner. */
  problems: string[];
}

export function entryOfCsl(item: CslItem): Entry {
  const named = item["citation-key"] ?? item.id;
  const key = named === undefined || named === null ? undefined : String(named);
  return { citekey: key && isCitekey(key) ? key : undefined, csl: item, tags: splitKeywords(item.keyword), files: [] };
}

/** Ids such as addresses and the numbers a parser invents are no keys anyone could cite. */
export function isCitekey(key: string): boolean {
  return !/^https?:|^temp_id_|\s|[{},]/.test(key) && key.length > 0;
}

function splitKeywords(keyword: unknown): string[] {
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
