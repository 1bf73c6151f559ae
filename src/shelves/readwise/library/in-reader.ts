import { ShelfError } from "../../../kernel/errors.js";
import { BOOKS, EXPORT, LIST, READER_TAGS } from "../cache/cache.js";
import { tagNames } from "../kinds.js";
import type { Document, Highlight, ShownHighlight, Warning } from "../schemas.js";
import type { DocumentsPart } from "./documents.js";
import type { HighlightsPart } from "./highlights.js";
import type { Shared } from "./shared.js";
import { locate, nearestWording } from "./wording.js";

/** How many of the newest highlights are searched for one just created in Reader. */
const NEWEST = 20;

interface InReader {
  text: string;
  note?: string | undefined;
  tags?: string[] | undefined;
}

/** Highlights inside Reader documents: created, noted and tagged through API v3. */
export function inReader(shared: Shared, { fetchDocument }: DocumentsPart, { completed }: HighlightsPart) {
  const { api, written } = shared;

  /** The v2 highlight of a Reader highlight; it may appear later. */
  async function twinOf(id: string, signal: AbortSignal): Promise<Highlight | undefined> {
    const { results } = await api.highlights({ page: 1, pageSize: NEWEST }, signal);
    return results.find(({ external_id }) => external_id === id);
  }

  return {
    /**
     * Creates a highlight inside the document, or warns why it is created only in Readwise: the text is not
     * in the document, or Reader refuses.
     */
    async make(document: Document, { text, note, tags }: InReader, signal: AbortSignal) {
      const warnings: Warning[] = [];
      const whole = document.content ? await shared.htmlText(document.content, signal) : "";
      const plain = whole.replace(/^\[[\d:]{4,9}\] /gm, "");
      const found = locate(text, plain);
      if (!found) {
        warnings.push(notInDocument(text, plain));
        return { made: undefined, whole, found, warnings };
      }
      const request = { parent_id: document.id, content: found.exact, notes: note, tags };
      const saved = await orRefused(api.createReaderHighlight(request, signal));
      if (saved instanceof ShelfError) {
        warnings.push({
          code: "reader_refused",
          message: `Reader did not take the highlight (${saved.message}) It is in Readwise instead, and does not show inside the document.`,
        });
        return { made: undefined, whole, found, warnings };
      }
      await written([EXPORT, BOOKS, LIST]);
      if (tags?.length) await written([READER_TAGS]);
      const twin = await orRefused(twinOf(saved.id, signal));
      const made: Partial<ShownHighlight> & { reader_highlight_id: string } = {
        text: found.exact,
        ...(note ? { note } : {}),
        external_id: saved.id,
        url: saved.url,
        document_id: document.id,
        ...(twin && !(twin instanceof ShelfError) ? (await completed([twin], signal))[0] : {}),
        reader_highlight_id: saved.id,
      };
      if (made.id === undefined)
        warnings.push({
          code: "v2_lag",
          message: "It is in Reader. Readwise shows it after a while; until then it has no Readwise id.",
        });
      if (!saved.created)
        warnings.push({ code: "duplicate", message: "Reader already had this highlight and changed nothing." });
      return { made: { ...made, duplicate: !saved.created }, whole, found, warnings };
    },

    /** Sets note and tags of a Reader highlight; false if Reader refuses, and then v2 is used. */
    async change(highlight: Highlight, changes: { notes?: string; tags?: string[] }, signal: AbortSignal) {
      if (!isInReader(highlight)) return false;
      const outcome = await orRefused(api.updateDocument(highlight.external_id!, changes, signal));
      if (outcome instanceof ShelfError) return false;
      await written([EXPORT, LIST]);
      if (changes.tags) await written([READER_TAGS]);
      return true;
    },

    /** The tag names of a Reader highlight. */
    async tagsOf(highlight: Highlight, signal: AbortSignal): Promise<string[]> {
      return tagNames(await fetchDocument(highlight.external_id!, signal));
    },
  };
}

export type InReaderPart = ReturnType<typeof inReader>;

/** Whether it was created in Reader: v2 has its Reader id. */
export const isInReader = ({ external_id, url }: Highlight) =>
  external_id !== null && (url === null || url.includes("//read.readwise.io/"));

export const v2Lag = (what: string): Warning => ({
  code: "v2_lag",
  message: `${what} changed in Reader, where the highlight lives. Readwise still shows the old state and follows after a while.`,
});

function notInDocument(text: string, whole: string): Warning {
  if (whole === "")
    return {
      code: "no_text",
      message:
        "Reader has no text of this document, so the highlight is in Readwise alone and does not show inside it.",
    };
  const nearest = nearestWording(text, whole);
  return {
    code: "not_in_document",
    message: nearest
      ? `The text does not stand in the document like this; nearest is: "${nearest}". The highlight is in Readwise alone: for one inside the document, delete it and give that wording.`
      : "The text does not stand in the document. The highlight is in Readwise alone and does not show inside it.",
    ...(nearest ? { details: { nearest } } : {}),
  };
}

/** A refusal by Reader is a result here; any other error is thrown. */
async function orRefused<T>(work: Promise<T>): Promise<T | ShelfError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ShelfError && ["upstream_rejected", "not_found"].includes(error.code)) return error;
    throw error;
  }
}
