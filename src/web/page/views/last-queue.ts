import { signal } from "@preact/signals";
import type { Location } from "./triage.js";

/** The queue as it was last shown: what comes before and after a document that was opened from it. */
export const lastQueue = signal<{ location: Location; ids: readonly string[] }>({ location: "new", ids: [] });

/** The document so many places further on, if the queue goes that far. */
export function neighbour(id: string, by: 1 | -1): string | undefined {
  const { ids } = lastQueue.value;
  const at = ids.indexOf(id);
  return at < 0 ? undefined : ids[at + by];
}
