import { ShelfError } from "../../../kernel/errors.js";
import { BOOKS, EXPORT } from "../cache/cache.js";
import { exportByIds, type NewHighlight, type TouchedSource } from "../readwise-api.js";
import type { Highlight, Warning } from "../schemas.js";
import type { HighlightsPart } from "./highlights.js";
import type { Shared } from "./shared.js";
import { withWarnings } from "./showing.js";

/** A highlight found in the export, with its source. */
interface Placed {
  highlight: Highlight;
  title: string | null;
}

/** The exported highlights of these sources. */
async function exportedUnder({ api }: Shared, touched: readonly TouchedSource[], signal: AbortSignal) {
  const ids = touched.map(({ id }) => String(id));
  const exported = await exportByIds(ids, (query) => api.exported(query, signal));
  return exported.flatMap(({ source, highlights }): Placed[] =>
    highlights.filter(({ is_deleted }) => !is_deleted).map(({ highlight }) => ({ highlight, title: source.title })),
  );
}

const sameText = (a: string, b: string) => a === b || a.trim() === b.trim();

/** Finds the highlight that an item became: the same text, and with several matches the one whose source has the title. */
function placeOf(item: NewHighlight, placed: readonly Placed[]): Highlight | undefined {
  const same = placed.filter(({ highlight }) => sameText(highlight.text, item.text));
  return (same.find(({ title }) => title === item.title) ?? same[0])?.highlight;
}

/**
 * After a successful write, a failure to read it back must not look like a failed write: the answer says what is
 * known, with a warning.
 */
export async function lookBack<T>(look: () => Promise<T>, warnings: Warning[]): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ShelfError) || error.code === "not_found") throw error;
    const wait = error.retry_after === undefined ? "" : ` Look again in ${error.retry_after} s.`;
    warnings.push({
      code: "not_read_back",
      message: `It was written, but Readwise could not be asked how it stands now (${error.code}).${wait}`,
      ...(error.retry_after === undefined ? {} : { details: { retry_after: error.retry_after } }),
    });
    return undefined;
  }
}

export async function createOne(
  shared: Shared,
  { completed }: Pick<HighlightsPart, "completed">,
  item: NewHighlight,
  signal: AbortSignal,
) {
  const { api, written } = shared;
  const touched = await api.createHighlights([item], signal);
  await written([EXPORT, BOOKS]);
  const warnings: Warning[] = [];
  const source = touched[0]?.id ?? null;
  const id = touched.flatMap(({ modified_highlights }) => modified_highlights)[0];
  const highlight = await lookBack(
    async () =>
      id === undefined
        ? placeOf(item, await exportedUnder(shared, touched, signal))
        : api.highlight(String(id), signal),
    warnings,
  );
  const duplicate = id === undefined;
  if (duplicate)
    warnings.push({
      code: "duplicate",
      message:
        "Readwise already had this text in this source and changed nothing: a new note, location or date was not applied. Use update_highlight.",
    });
  if (!highlight && id === undefined)
    throw new ShelfError(
      "upstream_error",
      "Readwise took the highlight as a duplicate, and the one it has could not be found. Look for it with search_highlights.",
      { details: { source_id: source } },
    );
  const [shown] = await completed([highlight ?? asSent(item, id!, source)], signal);
  return { ...shown!, duplicate, ...withWarnings(warnings) };
}

function asSent(item: NewHighlight, id: number, source: number | null): Highlight {
  return {
    id,
    text: item.text,
    note: item.note ?? null,
    location: item.location ?? null,
    location_type: item.location_type ?? null,
    color: null,
    highlighted_at: item.highlighted_at ?? null,
    created_at: null,
    updated_at: null,
    book_id: source,
    url: item.highlight_url ?? null,
    readwise_url: null,
    tags: [],
    is_favorite: null,
    is_discard: null,
    external_id: null,
  };
}

export interface Created {
  index: number;
  id: number | null;
  duplicate: boolean;
}

/** Sends one batch and finds the id of each item: upstream answers by source, without duplicates and unordered. */
export async function createBatch(
  shared: Shared,
  items: readonly NewHighlight[],
  offset: number,
  signal: AbortSignal,
  warnings: Warning[],
): Promise<Created[]> {
  const touched: TouchedSource[] = await shared.api.createHighlights([...items], signal);
  await shared.written([EXPORT, BOOKS]);
  const fresh = new Set(touched.flatMap(({ modified_highlights }) => modified_highlights));
  const placed = (await lookBack(() => exportedUnder(shared, touched, signal), warnings)) ?? [];
  const taken = new Set<number>();
  return items.map((item, i) => {
    const id = placeOf(item, placed)?.id ?? null;
    const duplicate = id !== null && (!fresh.has(id) || taken.has(id));
    if (id !== null) taken.add(id);
    return { index: offset + i, id, duplicate };
  });
}
