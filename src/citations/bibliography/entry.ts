import { partsOf } from "../../text/parts-of.js";
import type { CslItem } from "../csl.js";
import type { AnnotatedFile } from "./zotero-annotations.js";

export interface Entry {
  /** Undefined if the bibliography gives none; one is then generated when the entry is used. */
  citekey: string | undefined;
  csl: CslItem;
  tags: string[];
  /** Attached files, as the bibliography names them. */
  files: string[];
  /** Earlier or alternative keys. */
  aliases?: string[];
  arxiv?: string;
  /** Names and keys of the collections it is in, and of those above them, where the bibliography lists any. */
  collections?: string[];
  /** Annotations of its files, where the bibliography has any. */
  annotated?: AnnotatedFile[];
  /** The bibliography file that holds the entry. */
  bibliography?: string;
}

export interface Bibliography {
  entries: Entry[];
  /** Messages for the owner about what could not be read. */
  problems: string[];
}

export function entryOfCsl(item: CslItem): Entry {
  const named = item["citation-key"] ?? item.id;
  const key = named === undefined || named === null ? undefined : String(named);
  return { citekey: key && isCitekey(key) ? key : undefined, csl: item, tags: splitKeywords(item.keyword), files: [] };
}

/** Ids such as URLs and numbers made up by a parser cannot be used as citekeys. */
export function isCitekey(key: string): boolean {
  return !/^https?:|^temp_id_|\s|[{},]/.test(key) && key.length > 0;
}

function splitKeywords(keyword: unknown): string[] {
  return typeof keyword === "string" ? [...new Set(partsOf(keyword, /[,;]/))] : [];
}
