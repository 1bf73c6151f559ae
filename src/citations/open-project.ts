import { ShelfError } from "../kernel/errors.js";
import type { ChunkStore, Project } from "../shelves/chunks/chunk-store.js";

export async function openProject(store: ChunkStore, id: string): Promise<Project> {
  const project = await store.project(id);
  if (project) return project;
  const available = (await store.projects()).filter(({ kind }) => kind === "project").map((each) => each.id);
  throw new ShelfError(
    "INVALID_PROJECT",
    `Project '${id}' not found. Available projects: ${available.join(", ") || "none; create one with create_project"}.`,
    {
      details: { project_id: id, available_projects: available },
    },
  );
}
