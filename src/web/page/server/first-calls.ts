// Also part of the early script, which must stay small.
import type { Route } from "../address.js";
import { EVERYWHERE, everywhere, isPlainSearch } from "./everywhere.js";

export const REVIEW = "get_daily_review";
export const QUEUE = "list_documents";
export const queueArguments = (location: string, cursor: string | null) => ({
  location,
  limit: 50,
  ...(cursor ? { cursor } : {}),
});

/** The call that the view at this address makes first, for the views that most visits begin with. */
export function firstCall({ path: [view, place = "new"], query }: Route) {
  if (view === "queue") return { name: QUEUE, arguments: queueArguments(place, query.get("from")) };
  const words = query.get("q") ?? "";
  if (view !== undefined) return undefined;
  if (words === "") return { name: REVIEW, arguments: {} };
  return isPlainSearch(words) ? { name: EVERYWHERE, arguments: everywhere(words) } : undefined;
}
