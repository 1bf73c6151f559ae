import { signal } from "@preact/signals";
import type { Location } from "./triage.js";

/** The queue as last shown: gives the previous and next document of one opened from it. */
export const lastQueue = signal<{ location: Location; ids: readonly string[] }>({ location: "new", ids: [] });

/** The document at this distance in the queue, if there is one. */
export function neighbour(id: string, by: 1 | -1): string | undefined {
  const { ids } = lastQueue.value;
  const at = ids.indexOf(id);
  return at < 0 ? undefined : ids[at + by];
}
