import { signal } from "@preact/signals";
import { callTool, offers, type Result } from "./connection.js";

/** A notebook or a project, by the name a person gave it. */
export interface NamedPlace {
  id: string;
  name: string;
}
interface Places {
  notebooks: readonly NamedPlace[];
  projects: readonly NamedPlace[];
}

/** What there is to put things into and to ask; empty until it was loaded. */
export const places = signal<Places>({ notebooks: [], projects: [] });

/** What people call a project; its id until the list was loaded. */
export const projectName = (id: string): string =>
  places.value.projects.find((project) => project.id === id)?.name ?? id;

/** Makes a project from what a person calls it: an id of the letters tools take, and the name beside it where it differs. */
export async function newProject(called: string): Promise<Result<{ project: string }>> {
  const name = called.trim();
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}._/]/gu, "-");
  const base = ID.test(name) ? name : plain.split("-").filter(Boolean).join("-");
  const taken = new Set(places.value.projects.map(({ id }) => id));
  let id = base;
  if (base !== name) for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
  return callTool("create_project", { project: id || name, ...(id && id !== name ? { name } : {}) });
}
/** As the server has it. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,199}$/u;

/** Asks again what there is. What could not be asked stays as it was: the views themselves say what is wrong. */
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
