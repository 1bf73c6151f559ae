import { isCorporate } from "../ingest/names.js";
import { isObject, textOrNull } from "../kernel/json.js";

/** The fields we read of a CSL-JSON name. */
export interface CslName {
  family?: string;
  given?: string;
  literal?: string;
  "non-dropping-particle"?: string;
  "dropping-particle"?: string;
}

/** A CSL-JSON item. Fields we do not read are kept unchanged. */
export interface CslItem {
  id: string;
  type: string;
  title?: string;
  "title-short"?: string;
  author?: CslName[];
  editor?: CslName[];
  issued?: { "date-parts"?: (number | string)[][]; literal?: string; raw?: string };
  "container-title"?: string;
  DOI?: string;
  ISBN?: string;
  URL?: string;
  keyword?: string;
  note?: string;
  [field: string]: unknown;
}

export function yearOf(item: CslItem): number | undefined {
  const part = item.issued?.["date-parts"]?.[0]?.[0];
  if (part !== undefined && Number.isFinite(Number(part))) return Number(part);
  const written = item.issued?.literal ?? item.issued?.raw;
  const found = written === undefined ? undefined : /\b\d{4}\b/.exec(written)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** The name a work is filed under: the first author's, or the first editor's. */
export function firstName(item: CslItem): string | undefined {
  const name = item.author?.[0] ?? item.editor?.[0];
  return name?.family ?? name?.literal ?? name?.given;
}

/** A name as a person writes it, "Ada Lovelace" or "Lovelace, Ada". */
export function parseName(written: string): CslName {
  const name = written.replace(/\s+/g, " ").trim();
  if (isCorporate(name)) return { literal: name };
  const comma = name.indexOf(",");
  if (comma > 0) return { family: name.slice(0, comma).trim(), given: name.slice(comma + 1).trim() };
  const words = name.split(" ");
  if (words.length === 1) return { literal: name };
  // A particle in small letters belongs to the family name: Simone de Beauvoir.
  const particle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && /^\p{Ll}/u.test(word));
  const from = particle > 0 ? particle : words.length - 1;
  return { family: words.slice(from).join(" "), given: words.slice(0, from).join(" ") };
}

/** Drops fields that CSL-JSON does not allow: the formatter fails on them. */
export function cleanCsl(item: Record<string, unknown>): CslItem {
  const clean: CslItem = { id: String(item.id ?? ""), type: typeof item.type === "string" ? item.type : "document" };
  for (const [field, value] of Object.entries(item)) {
    if (field === "id" || field === "type" || field.startsWith("_")) continue;
    if (typeof value === "string" && value !== "") clean[field] = value;
    else if (typeof value === "number") clean[field] = String(value);
    else if (Array.isArray(value)) {
      const names = value.filter(isName);
      if (names.length > 0) clean[field] = names;
    } else if (isDate(value)) clean[field] = value;
  }
  return clean;
}

function isName(value: unknown): value is CslName {
  return isObject(value) && [value.family, value.given, value.literal].some((part) => textOrNull(part) !== null);
}

function isDate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { "date-parts": parts, literal, raw } = value;
  const numeric = (part: unknown) =>
    (typeof part === "number" || typeof part === "string") && Number.isFinite(Number(part));
  if (Array.isArray(parts)) return parts.every((date) => Array.isArray(date) && date.length > 0 && date.every(numeric));
  return typeof literal === "string" || typeof raw === "string";
}

/** What a citation needs and the record lacks. */
export function missingFields({ author, editor, issued, title }: CslItem): string[] {
  return [...((author ?? editor) ? [] : ["author"]), ...(issued ? [] : ["year"]), ...(title ? [] : ["title"])];
}
