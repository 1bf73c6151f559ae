import { plural } from "../../../kernel/plural.js";
import { fold } from "../../../text/fold.js";
import type { DocumentSet } from "../cache/document-set.js";
import type { HighlightSet } from "../cache/highlight-set.js";
import { tagNames } from "../kinds.js";

interface CountRow {
  value: string;
  count: number;
  source_id?: number;
}

export interface Counted {
  counts: CountRow[];
  /** What was left out. */
  hint?: string;
}

export const HIGHLIGHT_COUNTS = ["tag", "source", "author", "category", "color", "month"] as const;
export const DOCUMENT_COUNTS = ["tag", "site", "author", "category", "location", "month"] as const;
export type HighlightCount = (typeof HIGHLIGHT_COUNTS)[number];
export type DocumentCount = (typeof DOCUMENT_COUNTS)[number];

const monthOf = (time: number) => (Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 7));

/** The category of quotations that Readwise adds by itself. */
const ADDED = "supplementals";

/**
 * Counts items by value, most frequent first, months in order of time. An item with two tags counts under both. Authors
 * are counted without the quotations that Readwise adds, unless there is nothing else.
 */
export function countHighlights(view: HighlightSet, items: readonly number[], by: HighlightCount): Counted {
  const { facts } = view;
  const read = by === "author" ? items.filter((item) => facts.category(item) !== ADDED) : items;
  const added = items.length - read.length;
  if (added === 0 || read.length === 0) return { counts: highlightCounts(view, items, by) };
  return {
    counts: highlightCounts(view, read, by),
    hint: `${plural(added, "quotation that Readwise adds is", "quotations that Readwise adds are")} not counted; filter category:${ADDED} counts them.`,
  };
}

function highlightCounts(view: HighlightSet, items: readonly number[], by: HighlightCount): CountRow[] {
  const { facts } = view;
  const valuesOf: Record<HighlightCount, (item: number) => readonly string[]> = {
    tag: facts.tags,
    source: (item) => [facts.sourceId!(item)],
    author: (item) => [facts.author(item)],
    category: (item) => [facts.category(item) ?? ""],
    color: (item) => [facts.color!(item)],
    month: (item) => [monthOf(facts.at(item))],
  };
  return counted(items, by, valuesOf[by], (value, item) => {
    if (by === "source") return { value: view.item(item).title, source_id: view.sourceIdOf(item) };
    if (by === "author") return { value: view.item(item).author || value };
    if (by !== "tag") return { value };
    const tag = view.item(item).highlight.tags.find(({ name }) => fold(name) === value);
    return { value: tag?.name ?? value };
  });
}

export function countDocuments(view: DocumentSet, items: readonly number[], by: DocumentCount): CountRow[] {
  const { facts } = view;
  const valuesOf: Record<DocumentCount, (item: number) => readonly string[]> = {
    tag: (item) => (facts.tags(item).length === 0 ? [] : tagNames(view.item(item).document)),
    site: (item) => [view.item(item).document.site_name ?? ""],
    author: (item) => [facts.author(item)],
    category: (item) => [facts.category(item) ?? ""],
    location: (item) => [facts.location!(item) ?? ""],
    month: (item) => [monthOf(facts.at(item))],
  };
  return counted(items, by, valuesOf[by], (value, item) => ({
    value: by === "author" ? (view.item(item).document.author ?? value) : value,
  }));
}

function counted(
  items: readonly number[],
  by: HighlightCount | DocumentCount,
  valuesOf: (item: number) => readonly string[],
  show: (value: string, sample: number) => Omit<CountRow, "count">,
): CountRow[] {
  const rows = new Map<string, { count: number; sample: number }>();
  for (const item of items)
    for (const value of new Set(valuesOf(item))) {
      const row = rows.get(value);
      if (row) row.count++;
      else if (value !== "") rows.set(value, { count: 1, sample: item });
    }
  return [...rows]
    .sort(([a, x], [b, y]) => (by === "month" ? (a < b ? 1 : -1) : y.count - x.count || (a < b ? -1 : 1)))
    .map(([value, { count, sample }]) => ({ ...show(value, sample), count }));
}
