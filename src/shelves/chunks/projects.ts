import { badParameter, ShelfError } from "../../kernel/errors.js";
import { once } from "../../kernel/once.js";
import type { ChunkStore, Project } from "./chunk-store.js";
import { type Embedders, type ModelIdentity, NO_MODEL, sameModel, usualName } from "./embedding/embedder.js";
import type { DeclaredProject } from "./project-file.js";

interface ProjectsOptions {
  store: ChunkStore;
  embedders?: Pick<Embedders, "preferred" | "unavailable"> & Partial<Pick<Embedders, "list">>;
  /** Projects the owner declared in `projects.json`; made before the first project is opened. */
  declared?: readonly DeclaredProject[];
}
/** `name` is what people call it; the id stays what tools call it. */
export type NewProjectRequest = DeclaredProject & { name?: string | undefined };
export type Projects = ReturnType<typeof createProjects>;

const MAX_NAMED = 50;

/** The one way to a project, whichever command comes first: what the owner declared is always there, as declared. */
export function createProjects({ store, embedders, declared = [] }: ProjectsOptions) {
  const declaredMade = once(async () => {
    for (const request of declared)
      if (!(await store.project(request.project))) await made(request, modelNamed(request.embed_model));
  });

  const modelNamed = (id: string | undefined): ModelIdentity => {
    if (id === undefined) return embedders?.preferred ?? NO_MODEL;
    const models = embedders?.list?.() ?? [];
    const model = models.find((known) => usualName(known.id) === usualName(id));
    if (model) return model;
    const has = models.map((known) => known.id).join(", ") || "none";
    const message = `embed_model '${id}' is not on this server. It has: ${has}.`;
    throw badParameter("INVALID_INPUT", "embed_model", "not on this server", message);
  };

  const made = async (request: NewProjectRequest, model: ModelIdentity): Promise<Project> => {
    try {
      return await store.createProject({
        id: request.project,
        kind: "project",
        name: request.name ?? request.project,
        description: request.description ?? null,
        model,
        hybrid_enabled: request.hybrid_enabled ?? true,
      });
    } catch (error) {
      // Another process on the same data may have made it a moment ago.
      const other = await store.project(request.project);
      if (other?.kind === "project") return other;
      throw error;
    }
  };

  async function list(): Promise<Project[]> {
    await declaredMade();
    return (await store.projects()).filter(({ kind }) => kind === "project");
  }

  return {
    list,

    /** A notebook is a project of its own kind: only callers that say so get one. */
    async open(id: string, { notebooks = false } = {}): Promise<Project> {
      await declaredMade();
      const project = await store.project(id);
      if (project && (project.kind === "project" || notebooks)) return project;
      const known = await list();
      const available = known.map((each) => each.id);
      const named = known.slice(0, MAX_NAMED).map(quoted);
      if (available.length > MAX_NAMED) named.push("…");
      const hint = available.length === 0 ? ". create_project makes one." : "";
      throw new ShelfError(
        "INVALID_PROJECT",
        `Project '${id}' not found. Available projects: [${named.join(", ")}]${hint}`,
        { details: { project_id: id, available_projects: available } },
      );
    },

    /** Opens a project, or makes it with the settings new projects get. */
    async ensure(id: string): Promise<Project> {
      await declaredMade();
      const project = await store.project(id);
      if (project) return project;
      if (!embedders?.preferred)
        throw new ShelfError(
          "INDEX_UNAVAILABLE",
          `There is no embedding model to bind '${id}' to. ${embedders?.unavailable ?? "Run doctor."}`,
        );
      return made({ project: id }, embedders.preferred);
    },

    /** Making a project again takes over its name; other settings that differ are refused. */
    async create({ name: called, ...asked }: NewProjectRequest): Promise<{ project: Project; created: boolean }> {
      const name = called === undefined ? undefined : called.trim() || asked.project;
      const request: NewProjectRequest = { ...asked, name };
      await declaredMade();
      const model = modelNamed(request.embed_model);
      const before = await store.project(request.project);
      if (name !== undefined) refuseTaken(name, request.project, await list());
      if (!before) return { project: await made(request, model), created: true };
      const named = request.embed_model === undefined ? undefined : model;
      const differences = before.kind === "project" ? settingsThatDiffer(before, request, named) : ["kind"];
      if (differences.length > 0)
        throw new ShelfError(
          "INVALID_INPUT",
          `'${request.project}' exists with another ${differences.join(" and ")}. Use it as it is, or choose another name.`,
          {
            details: { fields: differences.map((field) => ({ field, problem: "differs from the existing project" })) },
          },
        );
      if (name === undefined || name === before.name) return { project: before, created: false };
      await store.updateProject(before.id, { name });
      return { project: { ...before, name }, created: false };
    },
  };
}

const quoted = ({ id, name }: Project) => (name === id ? `'${id}'` : `'${id}' (“${name}”)`);

/** Two projects that people cannot tell apart, or one that is called what tools call another, would mislead both. */
function refuseTaken(name: string, id: string, known: readonly Project[]): void {
  const other = known.find((project) => project.id !== id && (project.name === name || project.id === name));
  if (other)
    throw new ShelfError("INVALID_INPUT", `There is a project called “${name}” already. Choose another name.`, {
      details: { fields: [{ field: "name", problem: "taken" }], project: other.id },
    });
}

function settingsThatDiffer(project: Project, request: NewProjectRequest, model: ModelIdentity | undefined): string[] {
  const differs: [string, boolean][] = [
    ["embed_model", model !== undefined && !sameModel(model, project.model)],
    ["hybrid_enabled", request.hybrid_enabled !== undefined && request.hybrid_enabled !== project.hybrid_enabled],
    ["description", request.description !== undefined && request.description !== project.description],
  ];
  return differs.filter(([, is]) => is).map(([field]) => field);
}
