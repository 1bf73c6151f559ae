import { badParameter } from "../../../kernel/errors.js";
import {
  type Document,
  type Highlight,
  ListedHighlight,
  ShownDocument,
  type ShownHighlight,
  ShownSource,
  type Source,
  type Warning,
} from "../schemas.js";

// A record looks the same from every endpoint: empty fields are left out, and fields that follow from an id are added.

export function showSource(source: Source): ShownSource {
  return filledIn({
    ...source,
    readwise_url: source.readwise_url ?? `https://readwise.io/bookreview/${source.id}`,
    document_id: source.source === "reader" ? source.external_id : null,
  }) as ShownSource;
}

/** `documentId` is the Reader document it was made in, if known. */
export function showHighlight(highlight: Highlight, documentId: string | null = null): ShownHighlight {
  return filledIn({
    ...highlight,
    source_id: highlight.book_id,
    readwise_url: highlight.readwise_url ?? `https://readwise.io/open/${highlight.id}`,
    document_id: documentId,
  }) as ShownHighlight;
}

/** A list item, with the title and author of its source. */
export const listHighlight = (
  highlight: ShownHighlight,
  source: { title: string | null; author: string | null } | undefined,
) => ({
  ...highlight,
  ...(source?.title ? { source_title: source.title } : {}),
  ...(source?.author ? { author: source.author } : {}),
});

export function showDocument(document: Document): ShownDocument {
  return filledIn({
    ...document,
    url: document.url ?? `https://read.readwise.io/read/${document.id}`,
    tags: Object.entries(document.tags ?? {}).map(([key, { name }]) => ({ key, name })),
  }) as ShownDocument;
}

/** Without null and empty text; empty lists stay, because "no tags" is information. */
function filledIn(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}

/** Fields that lists leave out unless requested: pictures, and dates equal to another one. */
const SELDOM = {
  source: ["cover_image_url", "unique_url"],
  highlight: [],
  document: ["image_url", "created_at", "first_opened_at", "last_moved_at"],
} as const;
const KNOWN = {
  source: Object.keys(ShownSource.shape),
  highlight: Object.keys(ListedHighlight.shape),
  document: Object.keys(ShownDocument.shape),
};

/** The fields a list shows: the default ones, `all`, or the named ones, and always the id. */
export function fieldChoice(kind: keyof typeof SELDOM, asked: string | undefined) {
  const names = asked?.split(",").map((name) => name.trim()) ?? [];
  const unknown = names.filter((name) => name !== "all" && name !== "" && !KNOWN[kind].includes(name));
  if (unknown.length > 0) {
    const problem = `${unknown.join(", ")} unknown; there are ${KNOWN[kind].join(", ")}, or all`;
    throw badParameter("invalid_param", "fields", problem);
  }
  const seldom: readonly string[] = SELDOM[kind];
  const keeps = (name: string) =>
    names.length === 0 ? !seldom.includes(name) : name === "id" || names.includes("all") || names.includes(name);
  return <T extends object>(record: T): T => {
    const { highlighted_at } = record as { highlighted_at?: string };
    // Most highlights have the same time of creation, storage and change: it is shown once, unless the field was requested.
    const twin = (name: string, value: unknown) =>
      names.length === 0 && (name === "created_at" || name === "updated_at") && value === highlighted_at;
    return Object.fromEntries(Object.entries(record).filter(([name, value]) => keeps(name) && !twin(name, value))) as T;
  };
}

export const unknownCursor = () =>
  badParameter(
    "invalid_param",
    "cursor",
    "unknown cursor",
    "cursor must be next_cursor of an earlier answer. Leave it out to begin.",
  );

/** The warnings of an answer, where there are any. */
export function withWarnings(...lists: (readonly Warning[] | undefined)[]): { warnings?: Warning[] } {
  const warnings = lists.flatMap((list) => list ?? []);
  return warnings.length > 0 ? { warnings } : {};
}

/** A warning about unreadable records from upstream. */
export function skippedWarning(skipped: number): Warning[] {
  if (skipped === 0) return [];
  const what = skipped === 1 ? "One record" : `${skipped} records`;
  return [
    {
      code: "unreadable_records",
      message: `${what} of Readwise's answer could not be read and ${skipped === 1 ? "is" : "are"} left out; everything else is here.`,
      details: { skipped },
    },
  ];
}
