import { type Args, offers, type ToolInfo } from "../server/connection.js";
import { type NamedPlace, places } from "../server/places.js";
import { useAnswer } from "../server/use-answer.js";

interface Listed {
  /** Of a notebook. */
  sources?: { id: string; title: string }[];
  /** Of a project. */
  documents?: { id: string; title: string; citekey: string | null }[];
  /** Of Readwise. */
  results?: { id: number; title: string | null }[];
}

/** Values for the fields of a tool: notebooks and projects by name, and the sources of the chosen one. */
export function useChoices(
  { inputSchema: { properties = {} } }: ToolInfo,
  values: Readonly<Record<string, string>>,
): Record<string, readonly NamedPlace[]> {
  const { notebooks, projects } = places.value;
  const wantsSources = "source_id" in properties || "source" in properties;
  const [tool, args] = sourcesOf(properties, values);
  const { data } = useAnswer<Listed>(tool, wantsSources && offers(tool) ? args : undefined);
  const sources = [
    ...(data?.sources ?? []).map(({ id, title }) => ({ id, name: title })),
    ...(data?.documents ?? []).map(({ id, title, citekey }) => ({ id: citekey ?? id, name: title })),
    ...(data?.results ?? []).map(({ id, title }) => ({ id: String(id), name: title ?? "" })),
  ];
  return {
    notebook_id: notebooks,
    project: projects,
    ["project" in properties ? "source" : "source_id"]: sources,
  };
}

/** The call that lists the sources of the chosen notebook or project, or those of Readwise; no arguments until one is chosen. */
function sourcesOf(
  properties: object,
  values: Readonly<Record<string, string>>,
): [tool: string, args: Args | undefined] {
  const { notebooks, projects } = places.value;
  const isOne = (list: readonly NamedPlace[], id: string | undefined) => list.some((place) => place.id === id);
  if ("notebook_id" in properties) {
    const { notebook_id } = values;
    return ["list_notebook_sources", isOne(notebooks, notebook_id) ? { notebook_id } : undefined];
  }
  if (!("project" in properties) || values.project === undefined) return ["list_sources", {}];
  const { project } = values;
  return ["inspect_collection", isOne(projects, project) ? { project, documents: true } : undefined];
}
