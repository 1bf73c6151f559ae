import { ShelfError } from "../../../../kernel/errors.js";
import type { NewProject } from "../../chunk-store.js";
import { collectionName } from "../../collection-name.js";
import { missingProject } from "../../missing-project.js";
import type { Binding } from "./binding.js";
import type { QdrantClient } from "./client.js";
import { collectionSetup } from "./collection-setup.js";
import { ownCollections } from "./own-collections.js";
import { projectRegistry } from "./registry.js";

/** Projects of one server: those in the registry, and those to which older versions gave their own collections. */
export function projectCollections(client: QdrantClient, prefix: string) {
  const setup = collectionSetup(client);
  const registry = projectRegistry(client, setup, prefix);
  const older = ownCollections(client, setup);
  const layoutOf = ({ place }: Binding) => (place.shared ? registry : older);

  const read = async (id: string, signal?: AbortSignal): Promise<Binding | undefined> => {
    const collection = collectionName(id);
    const found = (await registry.read(collection, signal)) ?? (await older.read(collection, signal));
    return found?.id === id ? found : undefined;
  };
  const open = async (id: string, signal?: AbortSignal): Promise<Binding> => {
    signal?.throwIfAborted();
    const binding = await read(id, signal);
    if (!binding) throw missingProject(id);
    return binding;
  };

  return {
    read,
    open,
    forget(id: string): void {
      older.forget(collectionName(id));
      registry.forget();
    },
    async all(): Promise<Binding[]> {
      const bindings = [...(await registry.all()), ...(await older.all())];
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
      await layoutOf(binding).update(binding, { ...change, updated_at: new Date().toISOString() });
    },
    /** Marks a write into a project that was opened just now. */
    async touch(binding: Binding): Promise<void> {
      await layoutOf(binding).update(binding, { updated_at: new Date().toISOString() });
    },
    async remove(binding: Binding): Promise<void> {
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
export type ProjectCollections = ReturnType<typeof projectCollections>;
