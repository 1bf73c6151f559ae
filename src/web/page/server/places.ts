import { signal } from "@preact/signals";
import { callTool, offers, type Result } from "./connection.js";
import { madeAgain } from "./deleting.js";

export type PlaceKind = "notebook" | "project";

/** A notebook or a project with the name the user gave it. */
export interface NamedPlace {
  id: string;
  name: string;
}
interface Places {
  notebooks: readonly NamedPlace[];
  projects: readonly NamedPlace[];
}

/** All notebooks and projects; empty until loaded. */
export const places = signal<Places>({ notebooks: [], projects: [] });

/** The name of a project; its id until the list is loaded. */
export const projectName = (id: string): string =>
  places.value.projects.find((project) => project.id === id)?.name ?? id;

/** Creates a notebook or a project, and lists it. */
export async function newPlace(kind: PlaceKind, called: string): Promise<Result<{ id: string }>> {
  const name = called.trim();
  const made =
    kind === "project" ? await newProject(name) : await callTool<{ id: string }>("create_notebook", { name });
  if (made.ok) {
    madeAgain(made.data.id);
    void loadPlaces();
  }
  return made;
}

/** An id in the characters that tools accept, and the name as well if it differs. */
async function newProject(name: string): Promise<Result<{ id: string }>> {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}._/]/gu, "-");
  const base = ID.test(name) ? name : plain.split("-").filter(Boolean).join("-");
  const taken = new Set(places.value.projects.map(({ id }) => id));
  let id = base;
  if (base !== name) for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
  const fields = { project: id || name, ...(id && id !== name ? { name } : {}) };
  const made = await callTool<{ project: string }>("create_project", fields);
  return made.ok ? { ok: true, data: { id: made.data.project } } : made;
}
/** The ids the server accepts. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,199}$/u;

/** Loads both lists again. A list that fails to load stays as it was: the views report the failure. */
export async function loadPlaces(): Promise<void> {
  const [notebooks, projects] = await Promise.all([
    offers("list_notebooks")
      ? callTool<{ notebooks: { id: string; name: string }[] }>("list_notebooks", { limit: 100 })
      : undefined,
    offers("list_projects") ? callTool<{ projects: { id: string; name?: string }[] }>("list_projects", {}) : undefined,
  ]);
  places.value = {
    notebooks: notebooks?.ok ? notebooks.data.notebooks.map(({ id, name }) => ({ id, name })) : places.value.notebooks,
    projects: projects?.ok ? projects.data.projects.map(({ id, name = id }) => ({ id, name })) : places.value.projects,
  };
}
