import type { DocumentSummary } from "../shelves/chunks/chunk-store.js";
import { type CslItem, yearOf } from "./csl.js";

/** A field of a record that is likely wrong, and why. */
export interface Suspicion {
  citekey: string;
  field: "author" | "title" | "year";
  value: string;
  why: string;
}

const PROGRAMS =
  /^(?:admin(?:istrator)?|user|owner|unknown|anonymous author|author|microsoft.*|adobe.*|calibre.*|acrobat.*|scanner|pc|hp|dell|\w{0,20}@\w.*)$/i;
const isFileName = (title: string) =>
  /^(?:microsoft word - |untitled)/i.test(title) ||
  /\.(?:docx?|pdf|epub|html?|txt|indd|tex|qxd)$/i.test(title) ||
  (title.includes("_") && !/\s/.test(title));
const REISSUED = /Project Gutenberg|Standard Ebooks|gutenberg\.org|standardebooks\.org|wikisource|Feedbooks|ManyBooks/i;
const FIRST_EBOOKS = 1990;
const isFile = ({ kind }: Pick<DocumentSummary, "kind">) => !["highlights", "reader", "html", "url"].includes(kind);

/** Characters of the text to search: about two pages. */
export const OPENING_CHARS = 4000;

/** Suspicious fields of a work. Values from a bibliography or a correction are trusted. */
export function suspicionsOf(
  item: CslItem,
  document: Pick<DocumentSummary, "origin" | "extra" | "kind"> | undefined,
  opening: string,
): Suspicion[] {
  if (document?.extra.matched) return [];
  const corrections = document?.extra.corrections as { csl?: Record<string, unknown> } | undefined;
  const found: Suspicion[] = [];
  const add = (field: Suspicion["field"], value: string, why: string) => {
    if (!corrections?.csl || !((field === "year" ? "issued" : field) in corrections.csl))
      found.push({ citekey: item.id, field, value, why });
  };
  for (const { family, given, literal } of item.author ?? []) {
    const name = literal ?? ([given, family].filter(Boolean).join(" ") || "");
    if (PROGRAMS.test(name)) add("author", name, "It is the name of a program or an account.");
    else if (document && isFile(document) && !name.includes(" ") && /^\p{Lu}\p{Ll}+$/u.test(name))
      add("author", name, "A single name: the file may name who made it, not who wrote it.");
  }
  if (item.title && isFileName(item.title)) add("title", item.title, "It reads like the name of a file.");
  const year = yearOf(item);
  const named = [item.publisher, item.URL, document?.origin, opening]
    .filter((text) => typeof text === "string")
    .join(" ");
  if (year !== undefined && year >= FIRST_EBOOKS && REISSUED.test(named))
    add("year", String(year), "It may be the year of the e-book, not of the work.");
  if (year !== undefined && year > new Date().getFullYear() + 1) add("year", String(year), "It lies in the future.");
  return found;
}
