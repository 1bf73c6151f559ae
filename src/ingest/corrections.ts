import type { DocumentSummary, StoredChunk } from "../shelves/chunks/chunk-store.js";

/** What the owner corrected about a document. It wins over its file and over bibliographies, also when it is read again. */
export interface Corrections {
  citekey?: string;
  title?: string;
  /** CSL-JSON of the fields that were corrected. */
  csl: Record<string, unknown>;
}

/** A document as its file or bibliography has it. */
export function uncorrected<D extends DocumentSummary>(document: D): D {
  return { ...document, ...(document.extra.uncorrected as Partial<DocumentSummary> | undefined) };
}

export const correctionsIn = (document: DocumentSummary | undefined) =>
  document?.extra.corrections as Corrections | undefined;

/** The corrections to carry over where `before` is the same work. */
export function correctionsOf(
  before: DocumentSummary | undefined,
  now: { sha256: string; title: string },
): Corrections | undefined {
  if (!before) return undefined;
  const same = before.sha256 === now.sha256 || uncorrected(before).title === now.title;
  return same ? correctionsIn(before) : undefined;
}

/** The record and its chunks with what the owner corrected. */
export function corrected<D extends DocumentSummary, C extends StoredChunk>(
  file: D,
  chunks: readonly C[],
  corrections: Corrections | undefined,
): { document: D; chunks: C[] } {
  if (!corrections) return { document: file, chunks: [...chunks] };
  const citekey = corrections.citekey ?? file.citekey;
  const title = corrections.title ?? file.title;
  const csl = { ...file.csl, ...corrections.csl, ...(citekey === null ? {} : { id: citekey }) };
  const aliases = new Set([...((file.extra.aliases as string[] | undefined) ?? []), file.citekey]);
  aliases.delete(citekey);
  aliases.delete(null);
  return {
    document: {
      ...file,
      citekey,
      title,
      csl,
      extra: {
        ...file.extra,
        corrections,
        uncorrected: { title: file.title, citekey: file.citekey, csl: file.csl },
        ...(aliases.size > 0 && { aliases: [...aliases] }),
      },
    },
    chunks: chunks.map((chunk) => ({
      ...chunk,
      // Notes on a work carry no key: they are not to be cited as the work.
      citekey: chunk.citekey === null ? null : citekey,
      title: corrections.title ?? chunk.title,
      year: "issued" in corrections.csl ? (yearIn(csl) ?? chunk.year) : chunk.year,
    })),
  };
}

export function yearIn(csl: Record<string, unknown> | null): number | null {
  const year = Number((csl?.issued as { "date-parts"?: unknown[][] } | undefined)?.["date-parts"]?.[0]?.[0]);
  return Number.isInteger(year) && year !== 0 ? year : null;
}
