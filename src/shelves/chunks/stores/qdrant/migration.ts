import { ShelfError } from "../../../../kernel/errors.js";
import type { Migration } from "../../chunk-store.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import { type Binding, modelMetadata } from "./binding.js";
import { pathOf, type QdrantClient, Refused } from "./client.js";
import { denseParams } from "./collection-setup.js";
import type { ProjectCollections } from "./collections.js";
import { CHUNK_FIELDS, chunkOf, filterOf } from "./payload.js";
import { idIn } from "./place.js";
import type { PointAccess } from "./points.js";
import { fingerprint } from "./registry.js";
import { numbersOf } from "./sparse.js";
import { type Filter, Written } from "./wire.js";

/** The first version that adds a named vector to a collection. */
const NAMED_VECTORS = 18;

/** Adds a second named vector; the collection's metadata says which of the two is searched. */
export function qdrantMigration(client: QdrantClient, collections: ProjectCollections, points: PointAccess): Migration {
  const at = ({ id, place }: Binding) => ({ project: id, collection: place.chunks });
  const vectorPath = ({ place }: Binding, name: string) =>
    pathOf(place.chunks, `/vectors/${encodeURIComponent(name)}?wait=true`);
  /** Deletes this project's vectors but keeps the name: other projects may be moving to the same model. */
  const drop = (binding: Binding, name: string) =>
    points.deleteVectors([name], filterOf(binding.place.tenant), at(binding));
  const add = async (binding: Binding, name: string, model: ModelIdentity) => {
    try {
      const body = { dense: denseParams(model) };
      await client.call("PUT", vectorPath(binding, name), { body, answer: Written, project: binding.id });
    } catch (error) {
      const isThere = error instanceof Refused && /already exists/.test(String(error.details.qdrant));
      if (!isThere) throw error;
    }
  };
  const fresh = async (id: string): Promise<Binding> => {
    collections.forget(id);
    return collections.open(id);
  };
  /** Chunks without a vector in `space` that are not marked as having nothing to embed. */
  const lacking = ({ place }: Binding, space: string): Filter => ({
    ...filterOf(place.tenant),
    must_not: [{ has_vector: space }, { key: "without", match: { value: space } }],
  });

  return {
    async start(id, model) {
      if (!(await client.supports(NAMED_VECTORS)))
        throw new ShelfError(
          "INDEX_UNAVAILABLE",
          `Moving '${id}' to another model needs Qdrant 1.${NAMED_VECTORS} or later. Upgrade it, or ingest into a new project.`,
        );
      const binding = await fresh(id);
      const vector = `dense-${fingerprint(model)}`;
      await add(binding, vector, model);
      // An earlier, abandoned move may have left vectors of texts that have changed since.
      await drop(binding, vector);
      await collections.update(id, { next: { model, vector } });
      const { next } = binding.spaces;
      if (next !== null && next !== vector) await drop(binding, next);
    },
    async pending(id, limit) {
      const binding = await fresh(id);
      if (binding.spaces.next === null) return { chunks: [], remaining: 0 };
      const filter = lacking(binding, binding.spaces.next);
      const shown = { with_payload: { include: [...CHUNK_FIELDS.include, "written"] } };
      const [found, remaining] = await Promise.all([
        points.first(filter, "written", limit, shown, at(binding)),
        points.count(filter, at(binding)),
      ]);
      const chunks = found.map(({ payload }) => ({ ...chunkOf(payload ?? {}), version: Number(payload?.written) }));
      return { chunks, remaining };
    },
    async write(id, entries) {
      const binding = await fresh(id);
      const { next } = binding.spaces;
      if (next === null) return 0;
      const ids = entries.map((entry) => idIn(binding.place, entry.id));
      const found = await points.byIds(ids, { with_payload: { include: ["written"] } }, at(binding));
      const versions = new Map(found.map((point) => [point.id, Number(point.payload?.written)]));
      const current = entries
        .map((entry) => ({ ...entry, point: idIn(binding.place, entry.id) }))
        .filter(({ point, version }) => versions.get(point) === version);
      const unchanged = current.map(({ point, version }) => ({
        must: [{ has_id: [point] }, { key: "written", match: { value: version } }],
      }));
      await points.updateVectors(
        current
          .filter(({ vectors }) => vectors.length > 0)
          .map(({ point, vectors }) => ({ id: point, vector: { [next]: vectors.map(numbersOf) } })),
        { should: unchanged },
        at(binding),
      );
      const empty = current.filter(({ vectors }) => vectors.length === 0).map(({ point }) => point);
      await points.setPayload({ without: next }, empty, at(binding));
      return current.length;
    },
    async finish(id) {
      const binding = await fresh(id);
      const { spaces, model, next_model } = binding;
      if (spaces.next === null || !next_model) return false;
      if ((await points.count(lacking(binding, spaces.next), at(binding))) > 0) return false;
      await collections.update(id, { ...modelMetadata(next_model, spaces.next), next: null });
      // Another process may have written a chunk between the count and the switch.
      if ((await points.count(lacking(binding, spaces.next), at(binding))) > 0) {
        await collections.update(id, {
          ...modelMetadata(model, spaces.bound),
          next: { model: next_model, vector: spaces.next },
        });
        return false;
      }
      await drop(binding, spaces.bound);
      return true;
    },
  };
}
