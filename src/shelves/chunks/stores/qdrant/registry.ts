import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { collectionName, type NewProject } from "../../chunk-store.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import { type Binding, bindingOf, FORMAT, metadataOf, ProjectMetadata, refuseNewer } from "./binding.js";
import { pathOf, type QdrantClient, Refused } from "./client.js";
import type { CollectionSetup } from "./collection-setup.js";
import { wellFormed } from "./payload.js";
import { pointId } from "./point-ids.js";
import { Page, Points, Written } from "./wire.js";

const ProjectRecord = ProjectMetadata.extend({
  tenant: z.string(),
  collection: z.string(),
  chunks: z.string(),
  side: z.string(),
});
const INDEXES = { tenant: { type: "keyword" } };
const PAGE = 1_000;
/** Write ordering by one node, so that of two creations of one name only one succeeds. */
const STRONG = "?wait=true&ordering=strong";

/**
 * One point per project. All projects share the other collections: one for documents, and one per model for chunks.
 * The number of collections does not grow with the number of projects.
 */
export function projectRegistry(client: QdrantClient, setup: CollectionSetup, prefix: string) {
  const records = `${prefix}-projects`;
  const side = `${prefix}-documents`;
  const chunksOf = (model: ModelIdentity) => `${prefix}-chunks-${fingerprint(model)}`;
  const points = pathOf(records, "/points");
  /** Collections known to be complete. */
  const whole = new Set<string>();

  const once = async (collection: string, ensure: () => Promise<unknown>) => {
    if (whole.has(collection)) return;
    await ensure();
    whole.add(collection);
  };
  const complete = async (chunks: string, model: ModelIdentity) => {
    await once(chunks, () => setup.chunks(chunks, model, true));
    await once(side, () => setup.side(side));
  };
  const payloadOf = async (collection: string, signal?: AbortSignal): Promise<Record<string, unknown> | undefined> => {
    try {
      const body = { ids: [pointId(collection)], with_payload: true };
      const [found] = await client.call("POST", points, { body, answer: Points, signal });
      return found?.payload ?? undefined;
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  };
  const bindingIn = (payload: Record<string, unknown> | undefined): Binding | undefined => {
    if (!payload) return undefined;
    refuseNewer(String(payload.project), payload.bookwheel);
    const data = ProjectRecord.parse(payload);
    const { chunks, tenant } = data;
    return bindingOf(data, data.collection, { chunks, side: data.side, tenant, shared: true });
  };
  const read = async (collection: string, signal?: AbortSignal): Promise<Binding | undefined> => {
    const binding = bindingIn(await payloadOf(collection, signal));
    if (binding) await complete(binding.place.chunks, binding.model);
    return binding;
  };

  return {
    /** Not cached: another replica may have deleted the project and created one of the same name. */
    read,
    /** Clears what is known about collections: some may have been deleted. */
    forget: () => whole.clear(),
    async all(): Promise<Binding[]> {
      const found: Binding[] = [];
      for (let offset: string | undefined; ; ) {
        const body = { limit: PAGE, with_payload: true, ...(offset === undefined ? {} : { offset }) };
        const page = await client
          .call("POST", pathOf(records, "/points/scroll"), { body, answer: Page })
          .catch((error: unknown) => {
            if (error instanceof Refused && error.status === 404) return { points: [], next_page_offset: null };
            throw error;
          });
        for (const { payload } of page.points) {
          const binding = bindingIn(payload ?? undefined);
          if (binding) found.push(binding);
        }
        if (!page.next_page_offset) return found;
        offset = page.next_page_offset;
      }
    },
    /** The created project, or the existing one of that name. */
    async create(project: NewProject): Promise<{ binding: Binding | undefined; made: boolean }> {
      const chunks = chunksOf(project.model);
      await once(records, () => setup.ensure(records, { vectors: {} }, INDEXES));
      await complete(chunks, project.model);
      const tenant = randomUUID();
      const collection = collectionName(project.id);
      const payload = {
        bookwheel: FORMAT,
        tenant,
        collection,
        chunks,
        side,
        ...metadataOf(project, new Date().toISOString()),
      };
      const body = {
        points: [{ id: pointId(collection), vector: {}, payload: wellFormed(payload) }],
        // An existing record is not overwritten: it has another tenant key.
        update_filter: { must: [{ key: "tenant", match: { value: tenant } }] },
      };
      await client.call("PUT", `${points}${STRONG}`, { body, answer: Written });
      const binding = await read(collection);
      return { binding, made: binding?.place.tenant === tenant };
    },
    async update({ id, place, collection }: Binding, change: Record<string, unknown>): Promise<void> {
      const mine = { must: [{ has_id: [pointId(collection)] }, { key: "tenant", match: { value: place.tenant } }] };
      const body = { payload: wellFormed(change), filter: mine };
      await client.call("POST", `${points}/payload${STRONG}`, { body, answer: Written, project: id });
    },
    /** Deletes the record last: until then the project exists and its deletion can be repeated. */
    async remove({ id, place, collection }: Binding): Promise<void> {
      const filter = { must: [{ key: "project", match: { value: place.tenant } }] };
      for (const where of [place.chunks, place.side])
        await client.call("POST", pathOf(where, "/points/delete?wait=true"), {
          body: { filter },
          answer: Written,
          project: id,
        });
      const mine = { must: [{ has_id: [pointId(collection)] }, { key: "tenant", match: { value: place.tenant } }] };
      await client.call("POST", `${points}/delete${STRONG}`, { body: { filter: mine }, answer: Written, project: id });
    },
  };
}

/** One collection per model: vectors of different models are not comparable. */
export function fingerprint(model: ModelIdentity): string {
  const parts = [model.id, model.dimension, model.pooling, model.max_tokens, model.weights_sha256];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
}
