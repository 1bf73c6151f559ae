import { signal } from "@preact/signals";

/** The name of what is open in the view (a title, a notebook, a project), for the title of the tab. */
export const openName = signal<string | undefined>(undefined);

/** For an effect: sets the name, and removes it when the user leaves the view. */
export function nameView(name: string | null | undefined): () => void {
  openName.value = name ?? undefined;
  return () => {
    openName.value = undefined;
  };
}
