import type { ReviewHighlight } from "../../../shelves/readwise/schemas.js";

/** The position of a highlight in its work, in words; "order" is only a sequence number, which means nothing to a reader. */
export function placeOf({
  location,
  location_type,
}: Partial<Pick<ReviewHighlight, "location" | "location_type">>): string | null {
  if (typeof location !== "number") return null;
  if (location_type === "page") return `p. ${location}`;
  if (location_type === "location") return `loc. ${location.toLocaleString()}`;
  if (location_type === "time_offset") return clock(location);
  return null;
}

/** Seconds as a position: 3:07, 1:02:05. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}

export function pagesOf(span: readonly [number, number] | null | undefined): string | null {
  if (!span) return null;
  return span[0] === span[1] ? `p. ${span[0]}` : `pp. ${span[0]}–${span[1]}`;
}
