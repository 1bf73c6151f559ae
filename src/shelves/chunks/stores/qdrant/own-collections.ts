import { z } from "zod";
import { missingProject } from "../../chunk-store.js";
import { type Binding, bindingOf, ProjectMetadata, refuseNewer } from "./binding.js";
import { pathOf, type QdrantClient } from "./client.js";
import { type CollectionSetup, inTurns } from "./collection-setup.js";
import { Collections, Done } from "./wire.js";

const PREFIX = "proj-";
/** Our part of the metadata; a collection without it is not ours. */
const Metadata = ProjectMetadata.extend({ bookwheel: z.number() });
/** How long a project's record is cached. If its collection is gone, a request fails and the record is read again. */
const BELIEVED_MS = 5_000;

/**
 * Projects as older versions made them: two collections each, bound to the model by the metadata of the first. They are
 * read and written in place; new projects go to the registry.
 */
export function ownCollections(client: QdrantClient, setup: CollectionSetup) {
  const known = new Map<string, { binding: Binding; at: number }>();
  /** Collections known to be complete, by their creation mark. */
  const whole = new Set<string>();

  const bindingIn = async (collection: string, signal?: AbortSignal): Promise<Binding | undefined> => {
    const metadata = (await setup.info(collection, signal))?.config.metadata;
    if (typeof metadata?.project === "string") refuseNewer(metadata.project, metadata.bookwheel);
    const { data } = Metadata.safeParse(metadata);
    const side = `docs-${collection.slice(PREFIX.length)}`;
    return data && bindingOf(data, collection, { chunks: collection, side, tenant: data.project, shared: false });
  };

  return {
    forget: (collection: string) => void known.delete(collection),
    async read(collection: string, signal?: AbortSignal): Promise<Binding | undefined> {
      const remembered = known.get(collection);
      if (remembered && performance.now() - remembered.at < BELIEVED_MS) return remembered.binding;
      const binding = await bindingIn(collection, signal);
      if (!binding) {
        known.delete(collection);
        return undefined;
      }
      const birth = `${collection} ${binding.created_at}`;
      if (!whole.has(birth)) {
        await setup.chunks(collection, binding.model, false);
        await setup.side(binding.place.side);
      }
      whole.add(birth);
      known.set(collection, { binding, at: performance.now() });
      return binding;
    },
    async all(): Promise<Binding[]> {
      const { collections } = await client.call("GET", "/collections", { answer: Collections });
      const names = collections.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
      return (await inTurns(names, (name) => bindingIn(name))).filter((binding) => binding !== undefined);
    },
    /** Null removes a key. */
    async update({ id, collection }: Binding, metadata: Record<string, unknown>): Promise<void> {
      await client.call("PATCH", pathOf(collection), { body: { metadata }, answer: Done, project: id });
      if (Object.keys(metadata).length > 1) known.delete(collection);
    },
    /** Deletes the chunks last: until then the project exists and its deletion can be repeated. */
    async remove({ id, place, collection }: Binding): Promise<void> {
      await client.call("DELETE", pathOf(place.side), { answer: Done });
      const gone = await client.call("DELETE", pathOf(place.chunks), { answer: z.unknown() });
      known.delete(collection);
      if (gone === false) throw missingProject(id);
    },
  };
}
