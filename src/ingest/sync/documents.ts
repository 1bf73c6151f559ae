import type { Document } from "../../shelves/readwise/schemas.js";
import { yearOf } from "../meta.js";
import { splitAuthors } from "../names.js";
import type { Readers } from "../reader-pool.js";
import { sha256 } from "../to-chunks.js";
import { webAddress } from "./highlights.js";
import type { Arrival } from "./writing.js";

const CSL_TYPES: Readonly<Record<string, string>> = {
  article: "webpage",
  rss: "post-weblog",
  email: "article",
  pdf: "document",
  epub: "book",
  tweet: "post",
  video: "motion_picture",
  podcast: "broadcast",
};

export const readerDocumentId = (id: string) => `reader_${id}`;

/** Highlights and notes are documents to Reader; they come with the sources they belong to. */
export const isText = ({ category }: Document) => category !== "highlight" && category !== "note";

/** A Reader document with its text, which is parsed only when it has to be written. */
export function documentArrival(document: Document, readers: Readers): Arrival {
  const { id, author, category, site_name, published_date, url, notes } = document;
  const title = document.title || document.source_url || "Untitled document";
  const tags = Object.values(document.tags ?? {}).map(({ name }) => name);
  const address = webAddress(document.source_url);
  const html = document.content ?? "";
  const year = yearOf(published_date);
  return {
    id: readerDocumentId(id),
    kind: "reader",
    title,
    origin: url ?? document.source_url,
    // Location and reading progress change whenever a document is opened, so they are not stored.
    fingerprint: sha256(
      JSON.stringify([id, title, author, category, site_name, published_date, url, address, notes, tags, html]),
    ),
    meta: {
      title,
      authors: splitAuthors(author),
      type: CSL_TYPES[category ?? ""] ?? "document",
      ...(year === undefined ? {} : { year }),
    },
    csl: {
      ...(address ? { URL: address } : {}),
      ...(site_name && category !== "epub" ? { "container-title": site_name } : {}),
      ...dateField("issued", published_date),
      ...(address ? dateField("accessed", document.saved_at) : {}),
    },
    readerId: id,
    extra: { document_id: id, category },
    notes: notes?.trim()
      ? [
          {
            id: `${readerDocumentId(id)}_note`,
            text: notes,
            url,
            tags,
            metadata: { readwise: { kind: "note", document_id: id } },
          },
        ]
      : [],
    async read(signal, cut) {
      const read = await readers.readBytes(
        new TextEncoder().encode(asPage(html)),
        { contentType: "text/html; charset=utf-8" },
        signal,
        cut,
      );
      return {
        ...read,
        url,
        tags,
        metadata: { readwise: { kind: "document", document_id: id, category, source_url: document.source_url } },
        passages: [],
      };
    },
  };
}

/** Reader returns the body of a page; wrapped as a whole page it is recognised as HTML. */
function asPage(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
}

function dateField(name: "issued" | "accessed", date: string | null) {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(date ?? "") ?? [];
  if (year === undefined) return {};
  return { [name]: { "date-parts": [[year, month, day].filter((part) => part !== undefined).map(Number)] } };
}
