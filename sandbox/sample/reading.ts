import type { SampleHighlight } from "./types.js";

/** A quotation and where it stands in the work, with what the reader made of it. */
export interface Mark extends Omit<SampleHighlight, "note" | "highlighted_at"> {
  place: string;
  remark?: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Spreads marks over the evenings from `firstDay` on, three to an evening, every other day. */
export function readFrom(firstDay: string, marks: Mark[]): SampleHighlight[] {
  const start = Date.parse(`${firstDay}T19:40:00Z`);
  return marks.map(({ place, remark, ...mark }, index) => ({
    location: index + 1,
    location_type: "order",
    color: "yellow",
    ...mark,
    note: remark ? `${remark} (${place})` : place,
    highlighted_at: new Date(
      start + Math.floor(index / 3) * 2 * DAY + ((index % 3) * 17 + ((index * 7) % 11)) * MINUTE,
    ).toISOString(),
  }));
}
