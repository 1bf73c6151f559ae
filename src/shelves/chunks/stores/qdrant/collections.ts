import { LRUCache } from "lru-cache";
import { ShelfError } from "../../../../kernel/errors.js";
import { collectionName, missingProject, type NewProject } from "../../chunk-store.js";
import type { Binding } from "./binding.js";
import type { QdrantClient } from "./client.js";
import { collectionSetup } from "./collection-setup.js";
import { ownCollections } from "./own-collections.js";
import { projectRegistry } from "./registry.js";

const REMEMBERED = 1_000;
const BELIEVED_MS = 5_000;

/** Projects of one server: those in the registry, and those to which older versions gave their own collections. */
export function projectCollections(client: QdrantClient, prefix: string) {
  const setup = collectionSetup(client);
  const registry = projectRegistry(client, setup, prefix);
  const older = ownCollections(client, setup);
  const layoutOf = ({ place }: Binding) => (place.shared ? registry : older);
  const seen = new LRUCache<string, Binding>({ max: REMEMBERED, ttl: BELIEVED_MS });

  const read = async (id: string, signal?: AbortSignal): Promise<Binding | undefined> => {
    const collection = collectionName(id);
    const found = (await registry.read(collection, signal)) ?? (await older.read(collection, signal));
    if (found?.id !== id) return undefined;
    seen.set(id, found);
    return found;
  };
  const open = async (id: string, signal?: AbortSignal): Promise<Binding> => {
    signal?.throwIfAborted();
    const binding = await read(id, signal);
    if (!binding) throw missingProject(id);
    return binding;
  };
  /**
   * Reads by the record as it was a moment ago. An answer with something in it is right: the points of a project that is
   * deleted go before its record, and vectors that another model's replace go after it. An answer without anything is
   * believed only after the record was read again: another replica may have deleted the project, or made one of the same name.
   */
  const reading = async <T>(id: string, work: (binding: Binding) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const before = seen.get(id);
    if (!before) return work(await open(id, signal));
    const early = await settled(work(before));
    if (early.ok && !isNothing(early.value)) return early.value;
    // The client forgets a project whose collection is not as it was, and the model may be another one now.
    if (!early.ok && seen.has(id) && !isMismatch(early.error)) throw early.error;
    const now = await open(id, signal);
    if (!samePlace(before, now)) return work(now);
    if (early.ok) return early.value;
    throw early.error;
  };

  return {
    read,
    open,
    reading,
    forget(id: string): void {
      seen.delete(id);
      older.forget(collectionName(id));
      registry.forget();
    },
    async all(): Promise<Binding[]> {
      const registered = await registry.all();
      const names = new Set(registered.map(({ id }) => id));
      // An older version beside this one may have made a project of the same name; the registry's is the one that is opened.
      const bindings = [...registered, ...(await older.all()).filter(({ id }) => !names.has(id))];
      return bindings.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async create(project: NewProject): Promise<Binding> {
      const collection = collectionName(project.id);
      const before = await older.read(collection);
      const { binding, made } = before ? { binding: before, made: false } : await registry.create(project);
      if (!binding) throw missingProject(project.id);
      if (!made)
        throw new ShelfError(
          "INVALID_INPUT",
          `'${project.id}' would share the collection '${collection}' with '${binding.id}'. Choose another name.`,
        );
      return binding;
    },
    async update(id: string, change: Record<string, unknown>): Promise<void> {
      const binding = await open(id);
      seen.delete(id);
      await layoutOf(binding).update(binding, { ...change, updated_at: new Date().toISOString() });
    },
    /** Marks a write into a project that was opened just now. */
    async touch(binding: Binding): Promise<void> {
      await layoutOf(binding).update(binding, { updated_at: new Date().toISOString() });
    },
    async remove(binding: Binding): Promise<void> {
      seen.delete(binding.id);
      await layoutOf(binding).remove(binding);
    },
    async indexes({ id, place }: Binding): Promise<Record<string, string>> {
      const found = await setup.info(place.chunks);
      if (!found) throw missingProject(id);
      return Object.fromEntries(
        Object.entries(found.payload_schema).map(([field, { data_type }]) => [field, data_type]),
      );
    },
  };
}
function samePlace(a: Binding, b: Binding): boolean {
  return a.place.tenant === b.place.tenant && a.place.chunks === b.place.chunks && a.spaces.bound === b.spaces.bound;
}
function isMismatch(error: unknown): boolean {
  return error instanceof ShelfError && error.code === "EMBEDDING_MISMATCH";
}
function isNothing(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return Array.isArray(value) ? value.length === 0 : value === undefined || value === 0;
}
async function settled<T>(work: Promise<T>): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    return { ok: false, error };
  }
}
export type ProjectCollections = ReturnType<typeof projectCollections>;
