import { signal } from "@preact/signals";

/** What is open in the view: a title, a notebook, a project. The tab is named after it. */
export const openName = signal<string | undefined>(undefined);

/** For an effect: names what is open, and forgets it when the view is left. */
export function nameView(name: string | null | undefined): () => void {
  openName.value = name ?? undefined;
  return () => {
    openName.value = undefined;
  };
}
