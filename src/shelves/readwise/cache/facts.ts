import type { WordIndex } from "../../../text/word-index.js";
import type { View } from "./datasets.js";

/**
 * Fields of an item for filters and counts, by item number, without reading its record. Text is folded (case and accents
 * removed); a missing time is NaN. A field that a kind of item does not have is undefined.
 */
export interface Facts {
  /** Of the item itself, not of its source. */
  tags(item: number): readonly string[];
  sourceTags?(item: number): readonly string[];
  author(item: number): string;
  /** The source's title, or the site and title of a document. */
  source(item: number): string;
  sourceId?(item: number): string;
  /** The Reader document: the item itself, or the one it was made in. */
  document(item: number): string | null;
  category(item: number): string | null;
  /** ISO 639-1 code of the source's or document's text, or null if unknown. */
  language?(item: number): string | null;
  location?(item: number): string | null;
  color?(item: number): string;
  hasNote(item: number): boolean;
  isFavorite?(item: number): boolean;
  isDiscarded?(item: number): boolean;
  isSeen?(item: number): boolean;
  progress?(item: number): number;
  /** When it was highlighted, or saved. */
  at(item: number): number;
  updated(item: number): number;
  opened?(item: number): number;
  published?(item: number): number;
}

/** A view over numbered items that can be filtered and searched. */
export interface ItemSet extends View {
  /** The number of items so far; removed items keep their number. */
  readonly itemCount: number;
  readonly liveCount: number;
  isAlive(item: number): boolean;
  readonly facts: Facts;
  /** The live items that pass the filter, in order of arrival. */
  itemsWhere(test: (item: number) => boolean): number[];
  index(signal: AbortSignal): Promise<WordIndex>;
}

export const timeOf = (moment: unknown): number => (typeof moment === "string" ? Date.parse(moment) : Number.NaN);

/** Few distinct values: equal ones are stored once. */
export function createShared<T>(keyOf: (value: T) => string): (value: T) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = keyOf(value);
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    known.set(key, value);
    return value;
  };
}
