import { useEffect, useState } from "preact/hooks";
import { callTool, offers, type ToolInfo } from "../server/connection.js";
import { type NamedPlace, places } from "../server/places.js";

/** Values for the fields of a tool: notebooks and projects by name, and the sources of the chosen one. */
export function useChoices(
  { inputSchema: { properties = {} } }: ToolInfo,
  values: Readonly<Record<string, string>>,
): Record<string, readonly NamedPlace[]> {
  const notebook = "notebook_id" in properties ? values.notebook_id : undefined;
  const project = "project" in properties ? values.project : undefined;
  const wantsSources = "source_id" in properties || "source" in properties;
  const sources = useSources(wantsSources, { notebook, project, ofReadwise: !("notebook_id" in properties) });
  return {
    notebook_id: places.value.notebooks,
    project: places.value.projects,
    source_id: "project" in properties ? [] : sources,
    source: "project" in properties ? sources : [],
  };
}

interface Whose {
  notebook: string | undefined;
  project: string | undefined;
  ofReadwise: boolean;
}

function useSources(wanted: boolean, { notebook, project, ofReadwise }: Whose): readonly NamedPlace[] {
  const [sources, setSources] = useState<readonly NamedPlace[]>([]);
  const known = places.value;
  const inNotebook = known.notebooks.some(({ id }) => id === notebook);
  const inProject = known.projects.some(({ id }) => id === project);
  useEffect(() => {
    setSources([]);
    const leaving = new AbortController();
    const load = async <T>(tool: string, args: Record<string, unknown>, read: (data: T) => NamedPlace[]) => {
      if (!wanted || !offers(tool)) return;
      const answer = await callTool<T>(tool, args, { signal: leaving.signal });
      if (answer.ok && !leaving.signal.aborted) setSources(read(answer.data));
    };
    if (inNotebook)
      void load<{ sources: { id: string; title: string }[] }>(
        "list_notebook_sources",
        { notebook_id: notebook },
        (data) => data.sources.map(({ id, title }) => ({ id, name: title })),
      );
    else if (inProject)
      void load<{ documents?: { id: string; title: string; citekey: string | null }[] }>(
        "inspect_collection",
        { project, documents: true },
        (data) => (data.documents ?? []).map(({ id, title, citekey }) => ({ id: citekey ?? id, name: title })),
      );
    else if (ofReadwise && project === undefined)
      void load<{ results: { id: number; title: string | null }[] }>("list_sources", {}, (data) =>
        data.results.map(({ id, title }) => ({ id: String(id), name: title ?? "" })),
      );
    return () => leaving.abort();
  }, [wanted, notebook, project, inNotebook, inProject, ofReadwise]);
  return sources;
}
