import { romanValue } from "../../text/roman.js";
import type { parseLocator } from "../locator.js";

interface TruePlace {
  page_span?: [number, number] | null | undefined;
  page_labels?: [string, string] | null | undefined;
}

/** Whether the words are on a cited page, by printed or physical number; undefined if pages are not known. */
export function pageFits(locator: ReturnType<typeof parseLocator>, places: readonly TruePlace[]): boolean | undefined {
  if (locator?.label !== "page") return undefined;
  const cited = rangesOf(locator.value);
  const paged = places.filter(({ page_span, page_labels }) => page_span || page_labels);
  if (cited.length === 0 || paged.length === 0) return undefined;
  return paged.some(({ page_span, page_labels }) => {
    const printed = page_labels && rangeOf(page_labels[0], page_labels[1]);
    return cited.some((range) => overlaps(range, page_span) || overlaps(range, printed));
  });
}

export function shownPage({ page_span, page_labels }: TruePlace): string | undefined {
  const [first, last] = page_labels ?? page_span ?? [];
  if (first === undefined) return undefined;
  return first === last ? `p. ${first}` : `pp. ${first}–${last}`;
}

type Range = [number, number];

const overlaps = (a: Range, b: Range | null | undefined) => b != null && a[0] <= b[1] && b[0] <= a[1];

function rangesOf(value: string): Range[] {
  return value.split(/[,;&]|\sand\s/).flatMap((part) => {
    const [first = "", last] = part.trim().split(/\s?[–—-]\s?/);
    const following = /ff?\.?$/.exec(first)?.[0] ?? "";
    const bare = first.slice(0, first.length - following.length);
    const range = rangeOf(bare, last ?? bare);
    if (!range) return [];
    return following ? [[range[0], range[0] + (following.startsWith("ff") ? 5 : 1)] as Range] : [range];
  });
}

/** Roman numerals sort before all others: front matter is numbered separately. */
function rangeOf(first: string, last: string): Range | null {
  const [from, to] = [numberOf(first), numberOf(last)];
  if (from === undefined || to === undefined) return null;
  // 145–7 is short for 145–147.
  if (to < from && from > 0 && last.length < first.length)
    return [from, Number(first.slice(0, first.length - last.length) + last)];
  return [from, Math.max(from, to)];
}

const FRONT_MATTER = -100_000;

function numberOf(written: string): number | undefined {
  const text = written.trim().toLowerCase();
  if (/^\d{1,7}$/.test(text)) return Number(text);
  return /^[ivxlcdm]{1,12}$/.test(text) ? FRONT_MATTER + romanValue(text) : undefined;
}
