import { fold } from "../../../text/fold.js";
import type { Opened, View } from "../cache/datasets.js";
import type { DocumentSet } from "../cache/document-set.js";
import { type Facts, timeOf } from "../cache/facts.js";
import type { HighlightSet } from "../cache/highlight-set.js";
import { documentList, exportList } from "../cache/upstream-lists.js";
import type { Document, Highlight, Source } from "../schemas.js";
import { type Counted, countDocuments, countHighlights, type DocumentCount, type HighlightCount } from "./counting.js";
import { filterOf } from "./filter.js";
import type { Shared } from "./shared.js";
import { skippedWarning, withWarnings } from "./showing.js";

// Lists by filters that Readwise's API does not have, answered from the cached export and document list.

export interface HighlightFilters {
  source_id?: string | undefined;
  updated_after?: string | undefined;
  filter?: string | undefined;
  sort?: "newest" | "oldest" | undefined;
  count_by?: HighlightCount | undefined;
}
export interface SourceFilters {
  category?: string | undefined;
  updated_after?: string | undefined;
  filter?: string | undefined;
  sort?: "newest" | "oldest" | "most_highlighted" | undefined;
}
export interface DocumentFilters {
  location?: string | undefined;
  category?: string | undefined;
  updated_after?: string | undefined;
  filter?: string | undefined;
  sort?: "newest" | "oldest" | undefined;
  count_by?: DocumentCount | undefined;
  include_children?: boolean | undefined;
}
interface Bounds {
  offset: number;
  limit: number;
}
/** The most rows of counts; the tail of a long list says little. */
const MOST_COUNTS = 200;

/** The requested highlights, as a predicate over the items of a view. */
export function highlightTest(
  view: HighlightSet,
  { source_id, updated_after, filter }: HighlightFilters,
  now: number,
): (item: number) => boolean {
  const test = filterOf(filter ?? "", view.facts, "highlights", now);
  const source = source_id === undefined ? undefined : Number(source_id);
  const since = updated_after === undefined ? undefined : Date.parse(updated_after);
  return (item) =>
    (source === undefined || view.sourceIdOf(item) === source) &&
    (since === undefined || view.facts.updated(item) > since) &&
    test(item);
}

/** The requested documents. Reader lists highlights and notes as documents; here they are included only on request. */
export function documentTest(
  view: DocumentSet,
  { location, category, updated_after, filter, include_children }: DocumentFilters,
  now: number,
): (item: number) => boolean {
  const test = filterOf(filter ?? "", view.facts, "documents", now);
  const since = updated_after === undefined ? undefined : Date.parse(updated_after);
  const children = include_children || category === "highlight" || category === "note";
  return (item) =>
    (children || !view.isChild(item)) &&
    (category === undefined || view.facts.category(item) === category) &&
    (location === undefined || view.facts.location?.(item) === location) &&
    (since === undefined || view.facts.updated(item) > since) &&
    test(item);
}

export async function highlightListing(
  { api, keyHash, datasets, now }: Shared,
  query: HighlightFilters,
  bounds: Bounds,
  signal: AbortSignal,
) {
  const opened = await datasets.open(exportList(api, keyHash), signal);
  const { view } = opened;
  const items = view.itemsWhere(highlightTest(view, query, now()));
  const order = inOrder(query.sort, view.facts, (a, b) => view.highlightIdOf(b) - view.highlightIdOf(a));
  return listing(opened, "highlights", items, order, bounds, {
    counted: query.count_by && countHighlights(view, items, query.count_by),
    row(item): { highlight: Highlight; title: string; author: string; documentId: string | null } {
      return view.item(item);
    },
  });
}

export async function documentListing(shared: Shared, query: DocumentFilters, bounds: Bounds, signal: AbortSignal) {
  const opened = await shared.datasets.open(documentsFor(shared, query), signal);
  const { view } = opened;
  const items = view.itemsWhere(documentTest(view, query, shared.now()));
  const byUpdate = (a: number, b: number) =>
    later(view.facts.updated(a), view.facts.updated(b)) || (view.idOf(a) < view.idOf(b) ? 1 : -1);
  return listing(opened, "documents", items, inOrder(query.sort, view.facts, byUpdate), bounds, {
    counted: query.count_by && { counts: countDocuments(view, items, query.count_by) },
    row: (item): Document => view.item(item).document,
  });
}

/** Videos by filter. Some have the category of posts, so the category cannot be filtered upstream. */
export async function videoListing(shared: Shared, query: DocumentFilters, bounds: Bounds, signal: AbortSignal) {
  const opened = await shared.datasets.open(documentsFor(shared, { location: query.location }), signal);
  const { view } = opened;
  const test = documentTest(view, query, shared.now());
  const items = view.itemsWhere((item) => view.isVideo(item) && test(item));
  const newest = (a: number, b: number) => later(view.facts.at(a), view.facts.at(b)) || a - b;
  return listing(opened, "videos", items, newest, bounds, { row: (item): Document => view.item(item).document });
}

/** A complete cached list answers every filter; otherwise a filter sent upstream saves pages. */
export function documentsFor(
  { api, keyHash, datasets }: Pick<Shared, "api" | "keyHash" | "datasets">,
  { location, category }: DocumentFilters,
) {
  const whole = documentList(api, keyHash);
  const filtered = location !== undefined || category !== undefined;
  return filtered && !datasets.peek(whole) ? documentList(api, keyHash, { location, category }) : whole;
}

export async function sourceListing(
  { api, keyHash, datasets, now }: Shared,
  { category, updated_after, filter, sort }: SourceFilters,
  bounds: Bounds,
  signal: AbortSignal,
) {
  const opened = await datasets.open(exportList(api, keyHash), signal);
  const sources = opened.view.sourceIds().map((id) => opened.view.source(id)!);
  const facts = sourceFacts(sources);
  const test = filterOf(filter ?? "", facts, "sources", now());
  const since = updated_after === undefined ? undefined : Date.parse(updated_after);
  const items = sources
    .map((_, item) => item)
    .filter(
      (item) =>
        (category === undefined || sources[item]!.category === category) &&
        (since === undefined || facts.updated(item) > since) &&
        test(item),
    );
  const order =
    sort === "most_highlighted"
      ? (a: number, b: number) => sources[b]!.highlight_count! - sources[a]!.highlight_count! || a - b
      : inOrder(sort, facts, (a, b) => a - b);
  return listing(opened, "sources", items, order, bounds, { row: (item): Source => sources[item]! });
}

function sourceFacts(sources: readonly Source[]): Facts {
  return {
    tags: (item) => tagsOf(sources[item]!),
    sourceTags: (item) => tagsOf(sources[item]!),
    author: (item) => fold(sources[item]!.author ?? ""),
    source: (item) => fold(sources[item]!.title ?? ""),
    sourceId: (item) => String(sources[item]!.id),
    document: (item) => sources[item]!.external_id,
    category: (item) => sources[item]!.category,
    hasNote: (item) => Boolean(sources[item]!.document_note?.trim()),
    at: (item) => timeOf(sources[item]!.last_highlight_at),
    updated: (item) => timeOf(sources[item]!.updated_at),
  };
}

const tagsOf = ({ tags }: Source) => tags.map(({ name }) => fold(name));

/** Newest first; items without a date come last in both directions. */
const later = (a: number, b: number) => (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0) || b - a || 0;

function inOrder(
  sort: "newest" | "oldest" | string | undefined,
  { at }: Facts,
  usual: (a: number, b: number) => number,
): (a: number, b: number) => number {
  if (sort === "newest") return (a, b) => later(at(a), at(b)) || usual(a, b);
  if (sort === "oldest")
    return (a, b) => (Number.isNaN(at(a)) || Number.isNaN(at(b)) ? later(at(a), at(b)) : at(a) - at(b)) || usual(a, b);
  return usual;
}

function listing<V extends View, Row>(
  opened: Opened<V>,
  what: string,
  items: number[],
  order: (a: number, b: number) => number,
  { offset, limit }: Bounds,
  { counted, row }: { counted?: Counted | undefined; row: (item: number) => Row },
) {
  const chosen = counted ? [] : items.sort(order).slice(offset, offset + limit);
  return {
    rows: chosen.map(row),
    next_cursor: !counted && offset + limit < items.length ? String(offset + limit) : null,
    answer: {
      count: items.length,
      ...(counted ? { ...counted, counts: counted.counts.slice(0, MOST_COUNTS) } : {}),
      ...stateOf(opened, what),
    },
  };
}

/** Age and completeness of a cached list. */
export function stateOf<V extends View>(
  { complete, retry_after, asOf, skipped }: Pick<Opened<V>, "complete" | "retry_after" | "asOf" | "skipped">,
  what: string,
) {
  return {
    as_of: new Date(asOf).toISOString(),
    ...(complete
      ? {}
      : {
          complete,
          retry_after,
          hint: `Readwise's limit stopped the fetching: these are not all ${what}. Ask again in ${retry_after} s.`,
        }),
    ...withWarnings(skippedWarning(skipped)),
  };
}
