import { signal } from "@preact/signals";
import { route } from "../routes.js";
import { offers } from "../server/connection.js";
import type { PlaceKind } from "../server/places.js";
import { dropped } from "./dropped.js";

/** Dropped, pasted or chosen items, before the user chooses where to put them. */
export interface Pile {
  files?: readonly File[];
  /** Web addresses. */
  links?: readonly string[];
  /** The notebook or project it was dropped on, if any. */
  into?: Target | undefined;
}
/** One that is still to be made has `NEW` and its name as its id. */
export type Target = { kind: PlaceKind; id: string };
export const NEW = "new:";

export const pile = signal<Pile | undefined>(undefined);
export const addToReading = (given: Pile): void => {
  pile.value = given;
};
/** The open notebook or project, the default target of a drop; in a list of them only the kind. */
export function openPlace(): Target | undefined {
  const [view, id = ""] = route.value.path;
  if (view === "notebooks") return { kind: "notebook", id };
  return view === "projects" ? { kind: "project", id } : undefined;
}
export const canAdd = (): boolean => offers("add_source") || offers("ingest_documents");

/** Files and links can be dropped on any view; they and texts can be pasted outside of text fields. */
export function listenForDrops(): () => void {
  const inTextField = ({ target: field }: Event) =>
    field instanceof Element && field.closest("input, textarea, [contenteditable]") !== null;
  /** A file that no one takes would replace the page; text dragged into a field is the field's. */
  const isTaken = (event: DragEvent) => {
    const types = event.dataTransfer?.types ?? [];
    return canAdd() && (types.includes("Files") || (types.includes("text/uri-list") && !inTextField(event)));
  };
  const over = (event: DragEvent) => {
    if (isTaken(event)) event.preventDefault();
  };
  const take = (data: DataTransfer | null, event: Event) => {
    if (!data) return;
    event.preventDefault();
    if (document.querySelector("dialog[open]")) return;
    void dropped(data).then(({ files, links }) => {
      if (files.length + links.length > 0) addToReading({ files, links, into: openPlace() });
    });
  };
  const drop = (event: DragEvent) => {
    if (isTaken(event)) take(event.dataTransfer, event);
  };
  const paste = (event: ClipboardEvent) => {
    if (canAdd() && !inTextField(event)) take(event.clipboardData, event);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  addEventListener("paste", paste);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
    removeEventListener("paste", paste);
  };
}
