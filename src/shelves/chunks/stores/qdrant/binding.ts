import { z } from "zod";
import { ShelfError } from "../../../../kernel/errors.js";
import type { NewProject, Project } from "../../chunk-store.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import type { Place } from "./place.js";

/** A project as stored in the server's records; languages are counted on demand. */
export interface Binding extends Omit<Project, "languages"> {
  place: Place;
  /** Names of the vectors of the bound model and of the next one. */
  spaces: { bound: string; next: string | null };
}

const Model = z.object({
  id: z.string(),
  dimension: z.number(),
  pooling: z.string(),
  max_tokens: z.number(),
  weights_sha256: z.string().nullable(),
});
export const ProjectMetadata = z.object({
  project: z.string(),
  kind: z.enum(["project", "notebook"]),
  name: z.string(),
  description: z.string().nullish(),
  model: Model,
  vector: z.string(),
  next: z.object({ model: Model, vector: z.string() }).nullish(),
  hybrid: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** The newest layout of a project's record this version writes and reads. */
export const FORMAT = 2;

/** Refuses records of a later version: writing them back would lose the newer fields. */
export function refuseNewer(project: string, format: unknown): void {
  if (typeof format === "number" && format > FORMAT)
    throw new ShelfError(
      "INDEX_UNAVAILABLE",
      `'${project}' was written to Qdrant by a newer Bookwheel (format ${format}; this one knows ${FORMAT}). Upgrade this server.`,
      { details: { project, format, known: FORMAT } },
    );
}

const FIRST_SPACE = "dense";

export function modelMetadata(model: ModelIdentity, vector: string) {
  return { embed_model: model.id, dim: model.dimension, model, vector };
}

export function metadataOf(project: NewProject, now: string) {
  return {
    project: project.id,
    kind: project.kind,
    name: project.name,
    description: project.description,
    ...modelMetadata(project.model, FIRST_SPACE),
    hybrid: project.hybrid_enabled,
    created_at: now,
    updated_at: now,
  };
}

export function bindingOf(data: z.infer<typeof ProjectMetadata>, collection: string, place: Place): Binding {
  return {
    id: data.project,
    kind: data.kind,
    name: data.name,
    description: data.description ?? null,
    collection,
    place,
    model: data.model,
    next_model: data.next?.model ?? null,
    spaces: { bound: data.vector, next: data.next?.vector ?? null },
    hybrid_enabled: data.hybrid,
    created_at: data.created_at,
    updated_at: data.updated_at,
  };
}
