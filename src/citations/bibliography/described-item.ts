import { type CslItem, parseName } from "../csl.js";
import { normalDoi } from "./identifiers.js";

export interface Described {
  title: string;
  meta: {
    title?: string | undefined;
    authors?: readonly string[] | undefined;
    year?: number | undefined;
    doi?: string | undefined;
    isbn?: string | undefined;
    publisher?: string | undefined;
    translators?: readonly string[] | undefined;
    /** CSL type, if the file format says it. */
    type?: string | undefined;
  };
  text: string;
}

/** The document's own metadata as a CSL item. */
export function itemOfDocument({ title, meta }: Described): CslItem {
  const doi = normalDoi(meta.doi);
  return {
    id: "",
    type: meta.type ?? (meta.isbn ? "book" : "document"),
    title: meta.title ?? title,
    ...(meta.authors?.length ? { author: meta.authors.map(parseName) } : {}),
    ...(meta.translators?.length ? { translator: meta.translators.map(parseName) } : {}),
    ...(meta.publisher ? { publisher: meta.publisher } : {}),
    ...(meta.year === undefined ? {} : { issued: { "date-parts": [[meta.year]] } }),
    ...(doi ? { DOI: doi } : {}),
    ...(meta.isbn ? { ISBN: meta.isbn } : {}),
  };
}
