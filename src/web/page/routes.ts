import { signal } from "@preact/signals";
import { type Route, readAddress } from "./address.js";

export const route = signal<Route>(readAddress(location.hash));

interface Entry {
  /** Marks a history entry that was visited before. */
  entry: number;
}
const scrolled = new Map<number, number>();
let entries = 0;
let current = enter();
/** The scroll position of a view the user returned to; undefined for a new one. */
export const returned = signal<number | undefined>(undefined);

history.scrollRestoration = "manual";
addEventListener("scroll", () => scrolled.set(current, scrollY), { passive: true });
addEventListener("popstate", ({ state }: PopStateEvent) => {
  const known = (state as Entry | null)?.entry;
  current = known ?? enter();
  returned.value = known === undefined ? undefined : (scrolled.get(known) ?? 0);
  route.value = readAddress(location.hash);
});

function enter(): number {
  entries += 1;
  history.replaceState({ entry: entries } satisfies Entry, "");
  return entries;
}

export function go(target: string): void {
  location.hash = target;
}

/** Replaces the current address without a new history entry: for a search while it is typed. */
export function restate(target: string): void {
  history.replaceState({ entry: current } satisfies Entry, "", target);
  route.value = readAddress(target);
}
