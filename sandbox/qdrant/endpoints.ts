import { Collection, type PointInput, pointId } from "./collection.js";
import { runQuery } from "./search.js";
import {
  type CollectionSettings,
  type DenseParams,
  type Filter,
  type IndexParams,
  malformed,
  type Payload,
  type PointId,
  type QueryRequest,
  Refusal,
  type WithPayload,
  wrongInput,
} from "./wire.js";

export interface Database {
  version: string;
  collections: Map<string, Collection>;
  aliases: Map<string, string>;
}
interface Call {
  database: Database;
  name: string;
  /** What the path names beside the collection. */
  part: string;
  query: URLSearchParams;
  body: unknown;
}
type Endpoint = (call: Call) => unknown;

const INDEX_TYPES = new Set<string>(["keyword", "integer", "float", "bool", "text", "uuid", "datetime", "geo"]);
const FORBIDDEN = /[<>:"/\\|?*\u0000\u001f]/;

function collectionOf({ database, name }: Call): Collection {
  const found = database.collections.get(database.aliases.get(name) ?? name);
  if (!found) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  return found;
}
/** The document has no types of its own to offer here: the body was held to it before. */
const bodyOf = <T>({ body }: Call) => body as T;

function written(call: Call, collection: Collection) {
  const operation_id = collection.nextOperation();
  return { operation_id, status: call.query.get("wait") === "true" ? "completed" : "acknowledged" };
}

/** Method and path template, as the OpenAPI document writes them. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "get /collections": ({ database }) => ({
    collections: [...database.collections.keys()].map((name) => ({ name })),
  }),
  "get /collections/{collection_name}/exists": ({ database, name }) => ({
    exists: database.collections.has(database.aliases.get(name) ?? name),
  }),
  "put /collections/{collection_name}": (call) => {
    const { database, name } = call;
    if (name.length > 255 || FORBIDDEN.test(name))
      throw new Refusal(422, "Validation error in path parameters: [collection_name: not a name]");
    if (database.collections.has(name)) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
    database.collections.set(name, new Collection(bodyOf<CollectionSettings>(call)));
    return true;
  },
  "patch /collections/{collection_name}": (call) => {
    const collection = collectionOf(call);
    const { metadata } = bodyOf<{ metadata?: Payload | null }>(call);
    const merged = { ...collection.metadata, ...metadata };
    collection.metadata = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
    return true;
  },
  "delete /collections/{collection_name}": ({ database, name }) => {
    for (const [alias, target] of database.aliases) if (target === name) database.aliases.delete(alias);
    return database.collections.delete(name);
  },
  "get /collections/{collection_name}": (call) => describe(collectionOf(call)),

  "put /collections/{collection_name}/index": (call) => {
    const collection = collectionOf(call);
    const { field_name, field_schema } = bodyOf<{ field_name: string; field_schema: string | IndexParams }>(call);
    if (!field_schema) throw wrongInput("Unknown payload index type");
    const params = typeof field_schema === "string" ? { type: field_schema as IndexParams["type"] } : field_schema;
    if (!INDEX_TYPES.has(params.type) || !["boolean", "undefined"].includes(typeof (params.enable_hnsw ?? undefined)))
      throw malformed("data did not match any variant of untagged enum PayloadFieldSchema");
    collection.indexes.set(field_name, params);
    return written(call, collection);
  },

  "put /collections/{collection_name}/points": (call) => {
    const collection = collectionOf(call);
    const { points, update_filter } = bodyOf<{ points: PointInput[]; update_filter?: Filter | null }>(call);
    collection.upsert(points, update_filter);
    return written(call, collection);
  },
  "post /collections/{collection_name}/points": (call) => {
    const collection = collectionOf(call);
    const {
      ids,
      with_payload = true,
      with_vector,
    } = bodyOf<{ ids: PointId[]; with_payload?: WithPayload; with_vector?: boolean | string[] }>(call);
    return [...new Set(ids.map(pointId))].flatMap((id) => {
      const point = collection.points.get(id);
      return point ? [collection.shown(point, with_payload, with_vector)] : [];
    });
  },
  "put /collections/{collection_name}/points/vectors": (call) => {
    const collection = collectionOf(call);
    const { points, update_filter } = bodyOf<{ points: PointInput[]; update_filter?: Filter | null }>(call);
    collection.updateVectors(points, update_filter);
    return written(call, collection);
  },
  "post /collections/{collection_name}/points/vectors/delete": (call) => {
    const collection = collectionOf(call);
    const { vector, points, filter } = bodyOf<{ vector: string[]; points?: PointId[]; filter?: Filter }>(call);
    collection.deleteVectors(vector, points, filter);
    return written(call, collection);
  },
  "post /collections/{collection_name}/points/payload": (call) => {
    const collection = collectionOf(call);
    const { payload, points, filter } = bodyOf<{ payload: Payload; points?: PointId[]; filter?: Filter }>(call);
    if (!points && !filter) throw malformed("Either list of point ids or filter must be provided");
    const chosen = points ? points.map((id) => collection.points.get(pointId(id))) : collection.read(filter);
    for (const point of chosen) Object.assign(point?.payload ?? {}, structuredClone(payload));
    return written(call, collection);
  },
  "put /collections/{collection_name}/vectors/{vector_name}": (call) => {
    const collection = collectionOf(call);
    const { dense } = bodyOf<{ dense?: DenseParams }>(call);
    if (!dense) throw wrongInput("only dense vectors can be added to the double");
    collection.addVector(call.part, dense);
    return written(call, collection);
  },
  "delete /collections/{collection_name}/vectors/{vector_name}": (call) => {
    const collection = collectionOf(call);
    collection.dropVector(call.part);
    return written(call, collection);
  },
  "post /collections/{collection_name}/points/delete": (call) => {
    const collection = collectionOf(call);
    const which = bodyOf<{ points?: PointId[]; filter?: Filter }>(call);
    if (!which.points && !which.filter)
      throw malformed("data did not match any variant of untagged enum PointsSelector");
    collection.delete(which);
    return written(call, collection);
  },
  "post /collections/{collection_name}/points/scroll": (call) => {
    const collection = collectionOf(call);
    const {
      limit,
      offset,
      filter,
      with_payload = true,
      with_vector,
      order_by,
    } = bodyOf<{
      limit?: number | null;
      offset?: PointId | null;
      filter?: Filter;
      with_payload?: WithPayload;
      with_vector?: boolean | string[];
      order_by?: string | { key: string; direction?: "asc" | "desc" };
    }>(call);
    if (order_by) {
      const { key, direction = "asc" } = typeof order_by === "string" ? { key: order_by } : order_by;
      const ordered = collection.ordered(key, filter);
      const page = (direction === "asc" ? ordered : ordered.reverse()).slice(0, limit ?? 10);
      return {
        points: page.map(({ point, value }) => ({
          ...collection.shown(point, with_payload, with_vector),
          order_value: value,
        })),
        next_page_offset: null,
      };
    }
    const { page, next } = collection.scroll(limit ?? 10, offset, filter);
    return { points: page.map((point) => collection.shown(point, with_payload, with_vector)), next_page_offset: next };
  },
  "post /collections/{collection_name}/points/count": (call) => ({
    count: collectionOf(call).read(bodyOf<{ filter?: Filter }>(call).filter).length,
  }),
  "post /collections/{collection_name}/facet": (call) => {
    const { key, filter, limit } = bodyOf<{ key: string; filter?: Filter; limit?: number | null }>(call);
    const counts = [...collectionOf(call).facet(key, filter)].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return { hits: counts.slice(0, limit ?? 10).map(([value, count]) => ({ value, count })) };
  },
  "post /collections/{collection_name}/points/query": (call) =>
    answered(collectionOf(call), bodyOf<QueryRequest>(call)),
  "post /collections/{collection_name}/points/query/batch": (call) => {
    const collection = collectionOf(call);
    return bodyOf<{ searches: QueryRequest[] }>(call).searches.map((request) => answered(collection, request));
  },

  "get /aliases": ({ database }) => ({
    aliases: [...database.aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })),
  }),
  "post /collections/aliases": (call) => {
    const aliases = new Map(call.database.aliases);
    for (const action of bodyOf<{ actions: Record<string, Record<string, string>>[] }>(call).actions) {
      const { create_alias, delete_alias, rename_alias } = action;
      if (create_alias) {
        const { collection_name = "", alias_name = "" } = create_alias;
        if (!call.database.collections.has(collection_name))
          throw new Refusal(404, `Not found: Collection \`${collection_name}\` doesn't exist!`);
        aliases.set(alias_name, collection_name);
      }
      if (delete_alias) aliases.delete(delete_alias.alias_name ?? "");
      if (rename_alias) {
        const target = aliases.get(rename_alias.old_alias_name ?? "");
        if (!target) throw new Refusal(404, `Not found: Alias ${rename_alias.old_alias_name} does not exists!`);
        aliases.delete(rename_alias.old_alias_name ?? "");
        aliases.set(rename_alias.new_alias_name ?? "", target);
      }
    }
    call.database.aliases = aliases;
    return true;
  },
};

function answered(collection: Collection, request: QueryRequest) {
  return {
    points: runQuery(collection, request).map(({ point, score }) => ({
      ...collection.shown(point, request.with_payload, request.with_vector),
      version: point.version,
      score,
    })),
  };
}

function describe(collection: Collection) {
  const { settings, indexes, points, metadata } = collection;
  const { vectors = {}, sparse_vectors, strict_mode_config } = settings;
  return {
    status: "green",
    optimizer_status: "ok",
    indexed_vectors_count: 0,
    points_count: points.size,
    segments_count: 1,
    config: {
      params: {
        vectors: collection.dense.has("") ? vectors : Object.fromEntries(collection.dense),
        shard_number: 1,
        replication_factor: 1,
        write_consistency_factor: 1,
        on_disk_payload: true,
        ...(sparse_vectors ? { sparse_vectors } : {}),
      },
      hnsw_config: { m: 16, ef_construct: 100, full_scan_threshold: 10_000 },
      optimizer_config: { default_segment_number: 0, flush_interval_sec: 5, indexing_threshold: 20_000 },
      ...(strict_mode_config ? { strict_mode_config } : {}),
      ...(Object.keys(metadata).length ? { metadata } : {}),
    },
    payload_schema: Object.fromEntries(
      [...indexes].map(([field, params]) => [
        field,
        { data_type: params.type, params, points: [...points.values()].length },
      ]),
    ),
  };
}
