import type { ReadDocument } from "../../ingest/document.js";
import { type CslItem, parseName } from "../csl.js";
import { normalDoi } from "./identifiers.js";

export type Described = Pick<ReadDocument, "title" | "meta" | "text">;

/** The document's own metadata as a CSL item. */
export function itemOfDocument({ title, meta }: Omit<Described, "text">): CslItem {
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
