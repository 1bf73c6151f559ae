import { z } from "zod";
import { ShelfError } from "../../../../kernel/errors.js";
import type { NewProject, Project } from "../../chunk-store.js";
import { collectionName } from "../../collection-name.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import { missingProject } from "../../missing-project.js";
import { pathOf, type QdrantClient, Refused } from "./client.js";
import { CHUNK_INDEXES } from "./payload.js";
import { SIDE_INDEXES } from "./side-collection.js";
import { CollectionInfo, Collections, Done, Written } from "./wire.js";

/** A project as its collection's metadata tells it; languages are counted, not kept. */
export interface Binding extends Omit<Project, "languages"> {
  /** Names of the vectors that hold the bound model's and the next one's. */
  spaces: { bound: string; next: string | null };
}

const Model = z.object({
  id: z.string(),
  dimension: z.number(),
  pooling: z.string(),
  max_tokens: z.number(),
  weights_sha256: z.string().nullable(),
});
/** The part of the metadata that is ours; a collection without it belongs to somebody else. */
const Metadata = z.object({
  bookwheel: z.literal(1),
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

const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f]/;
const MAX_NAME = 255;
/** How long what was read of a project is believed: another replica may delete or rename it meanwhile. */
const BELIEVED_MS = 5_000;
const AT_ONCE = 8;

/** Tells a project from an earlier one of the same name. */
export const incarnationOf = ({ collection, created_at }: Binding) => `${collection} ${created_at}`;
export const sideCollectionOf = (collection: string) => collection.replace(/^proj-/, "docs-");

/** Two collections per project: its chunks, bound to the model by their metadata, and a side collection for everything else. */
export function projectCollections(client: QdrantClient) {
  const known = new Map<string, { binding: Binding; at: number }>();
  /** Collections that were seen to have all that belongs to them, by their birth. */
  const whole = new Set<string>();

  const info = async (collection: string, signal?: AbortSignal) => {
    try {
      return await client.call("GET", pathOf(collection), { answer: CollectionInfo, signal });
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  };
  const bindingIn = async (collection: string, signal?: AbortSignal) => {
    const found = await info(collection, signal);
    return found && { info: found, binding: bindingOf(found.config.metadata, collection) };
  };
  const create = async (collection: string, body: Record<string, unknown>): Promise<boolean> => {
    try {
      await client.call("PUT", pathOf(collection), { body, answer: Done });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === 409) return false;
      throw error;
    }
  };
  const addIndexes = async (collection: string, wanted: Readonly<Record<string, unknown>>, existing: object) => {
    const missing = Object.entries(wanted).filter(([field]) => !(field in existing));
    await inTurns(missing, ([field_name, field_schema]) =>
      client.call("PUT", pathOf(collection, "/index?wait=true"), {
        body: { field_name, field_schema },
        answer: Written,
      }),
    );
  };
  /** Makes what a creation cut short has left out. */
  const complete = async (collection: string, existing: object) => {
    await addIndexes(collection, CHUNK_INDEXES, existing);
    const sideCollection = sideCollectionOf(collection);
    let found = await info(sideCollection);
    if (!found) {
      await create(sideCollection, { vectors: {}, strict_mode_config: STRICT });
      found = await info(sideCollection);
    }
    await addIndexes(sideCollection, SIDE_INDEXES, found?.payload_schema ?? {});
  };

  /** Fresh from the server; undefined where there is no such project. */
  const read = async (id: string, signal?: AbortSignal): Promise<Binding | undefined> => {
    const collection = collectionName(id);
    const found = await bindingIn(collection, signal);
    if (found?.binding?.id !== id) {
      known.delete(id);
      return undefined;
    }
    const incarnation = incarnationOf(found.binding);
    if (!whole.has(incarnation)) await complete(collection, found.info.payload_schema);
    whole.add(incarnation);
    known.set(id, { binding: found.binding, at: performance.now() });
    return found.binding;
  };

  return {
    read,
    forget: (id: string) => void known.delete(id),
    async open(id: string, signal?: AbortSignal): Promise<Binding> {
      signal?.throwIfAborted();
      const remembered = known.get(id);
      if (remembered && performance.now() - remembered.at < BELIEVED_MS) return remembered.binding;
      const binding = await read(id, signal);
      if (!binding) throw missingProject(id);
      return binding;
    },
    async all(): Promise<Binding[]> {
      const { collections } = await client.call("GET", "/collections", { answer: Collections });
      const names = collections.map(({ name }) => name).filter((name) => name.startsWith("proj-"));
      const bindings = await inTurns(names, async (name) => (await bindingIn(name))?.binding);
      return bindings.filter((binding) => binding !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async create(project: NewProject): Promise<Binding> {
      const collection = collectionName(project.id);
      if (collection.length > MAX_NAME || FORBIDDEN.test(collection))
        throw new ShelfError(
          "INVALID_INPUT",
          `'${project.id}' makes no name for a Qdrant collection: at most ${MAX_NAME - 5} characters, none of < > : " \\ | ? *.`,
        );
      const now = new Date().toISOString();
      const metadata = {
        bookwheel: 1,
        project: project.id,
        kind: project.kind,
        name: project.name,
        description: project.description,
        ...modelMetadata(project.model, FIRST_SPACE),
        hybrid: project.hybrid_enabled,
        created_at: now,
        updated_at: now,
      };
      const made = await create(collection, {
        vectors: { [FIRST_SPACE]: denseParams(project.model) },
        sparse_vectors: { bm25: { modifier: "idf" } },
        metadata,
        strict_mode_config: STRICT,
      });
      if (!made) {
        const other = (await bindingIn(collection))?.binding?.id;
        throw new ShelfError(
          "INVALID_INPUT",
          other === undefined
            ? `Qdrant has a collection '${collection}' that is not Bookwheel's. Choose another name than '${project.id}'.`
            : `'${project.id}' would share the collection '${collection}' with '${other}'. Choose another name.`,
        );
      }
      // What a deletion cut short has left of a project of that name must not come back with this one.
      await client.call("DELETE", pathOf(sideCollectionOf(collection)), { answer: Done });
      known.delete(project.id);
      const binding = await read(project.id);
      if (!binding) throw missingProject(project.id);
      return binding;
    },
    /** A key that is null is taken out. */
    async update(id: string, change: Record<string, unknown>): Promise<void> {
      const { collection } = await this.open(id);
      const metadata = { ...change, updated_at: new Date().toISOString() };
      await client.call("PATCH", pathOf(collection), { body: { metadata }, answer: Done, project: id });
      if (Object.keys(change).length > 0) known.delete(id);
    },
    /** The chunks go last: while they are there the project is, and its deletion can be asked for again. */
    async remove(id: string): Promise<void> {
      const binding = await read(id);
      if (!binding) throw missingProject(id);
      await client.call("DELETE", pathOf(sideCollectionOf(binding.collection)), { answer: Done });
      await client.call("DELETE", pathOf(binding.collection), { answer: Done });
      known.delete(id);
    },
    async indexes(id: string): Promise<Record<string, string>> {
      const { collection } = await this.open(id);
      const found = await info(collection);
      if (!found) throw missingProject(id);
      return Object.fromEntries(
        Object.entries(found.payload_schema).map(([field, { data_type }]) => [field, data_type]),
      );
    },
  };
}

const FIRST_SPACE = "dense";

/** A row a window of the text: the best of them is what the chunk is found by. */
export function denseParams({ dimension }: ModelIdentity) {
  return { size: dimension, distance: "Cosine", multivector_config: { comparator: "max_sim" } };
}
export function modelMetadata(model: ModelIdentity, vector: string) {
  return { embed_model: model.id, dim: model.dimension, model, vector };
}

const STRICT = { enabled: true, unindexed_filtering_retrieve: false, unindexed_filtering_update: false };

function bindingOf(metadata: unknown, collection: string): Binding | undefined {
  const { data } = Metadata.safeParse(metadata);
  return (
    data && {
      id: data.project,
      kind: data.kind,
      name: data.name,
      description: data.description ?? null,
      collection,
      model: data.model,
      next_model: data.next?.model ?? null,
      spaces: { bound: data.vector, next: data.next?.vector ?? null },
      hybrid_enabled: data.hybrid,
      created_at: data.created_at,
      updated_at: data.updated_at,
    }
  );
}

export type ProjectCollections = ReturnType<typeof projectCollections>;

/** All of them, a few at a time. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  return results;
}
