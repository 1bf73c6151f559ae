import { type Filterable, passes, requireIndexes, requireShape, valuesAt } from "./filters.js";
import {
  type CollectionSettings,
  type DenseParams,
  type Filter,
  type IndexParams,
  malformed,
  type Payload,
  type PointId,
  Refusal,
  type Sparse,
  type StrictMode,
  strictly,
  type Vector,
  type WithPayload,
  wrongInput,
} from "./wire.js";

export interface Point extends Filterable {
  vectors: Map<string, Float32Array[] | Sparse>;
  version: number;
}
export interface PointInput {
  id: PointId;
  vector: Record<string, Vector> | Vector;
  payload?: Payload | null;
}

/** One collection: its points, what they are indexed by, and the rules they are held to. */
export class Collection {
  readonly points = new Map<PointId, Point>();
  readonly indexes = new Map<string, IndexParams>();
  readonly dense: Map<string, DenseParams>;
  readonly sparse: ReadonlyMap<string, { idf: boolean }>;
  readonly strict: StrictMode;
  metadata: Payload;
  #operation = 0;

  constructor(readonly settings: CollectionSettings) {
    const { vectors = {}, sparse_vectors, metadata, strict_mode_config } = settings;
    this.dense = new Map(Object.entries(isParams(vectors) ? { "": vectors } : vectors));
    this.sparse = new Map(
      Object.entries(sparse_vectors ?? {}).map(([name, { modifier }]) => [name, { idf: modifier === "idf" }]),
    );
    for (const name of this.sparse.keys())
      if (this.dense.has(name)) throw wrongInput(`Dense and sparse vectors have the same name: ${name}`);
    this.metadata = metadata ?? {};
    this.strict = strict_mode_config ?? {};
  }

  get operation(): number {
    return this.#operation;
  }
  nextOperation(): number {
    return ++this.#operation;
  }

  /** With a filter a point that is there is replaced only where it passes. */
  upsert(inputs: readonly PointInput[], filter?: Filter | null): void {
    for (const { id } of inputs) if (id === undefined) throw malformed("missing field `id`");
    if (inputs.length === 0) throw new Refusal(400, "Bad request: Empty update request");
    this.#strictly(filter, "unindexed_filtering_update");
    const largest = this.strict.enabled ? this.strict.upsert_max_batchsize : undefined;
    if (largest && inputs.length > largest)
      throw strictly(`Upsert batch size is limited to ${largest}`, "Use a smaller batch.");
    const version = this.#operation + 1;
    const ready = inputs.map(({ id, vector, payload }): Point => {
      const named = (Array.isArray(vector) || "indices" in vector ? { "": vector } : vector) as Record<string, Vector>;
      return {
        id: pointId(id),
        payload: structuredClone(payload ?? {}),
        vectors: new Map(Object.entries(named).map(([name, value]) => [name, this.#checked(name, value)])),
        version,
      };
    });
    for (const point of ready) {
      const before = this.points.get(point.id);
      if (before && !passes(before, filter, this.indexes)) continue;
      this.points.set(point.id, point);
    }
  }

  updateVectors(inputs: readonly Pick<PointInput, "id" | "vector">[], filter: Filter | null | undefined): void {
    this.#strictly(filter, "unindexed_filtering_update");
    for (const { id, vector } of inputs) {
      const point = this.points.get(pointId(id));
      if (!point) throw new Refusal(404, `Not found: No point with id ${id} found`);
      const ready = Object.entries(vector).map(([name, value]) => [name, this.#checked(name, value)] as const);
      if (!passes(point, filter, this.indexes)) continue;
      for (const [name, value] of ready) point.vectors.set(name, value);
    }
  }

  deleteVectors(names: readonly string[], ids: readonly PointId[] | undefined, filter: Filter | undefined): void {
    for (const name of names)
      if (!this.dense.has(name) && !this.sparse.has(name)) throw wrongInput(`Not existing vector name error: ${name}`);
    if (filter) this.#strictly(filter, "unindexed_filtering_update");
    const chosen = filter ? this.select(filter) : (ids ?? []).map((id) => this.points.get(pointId(id)));
    for (const point of chosen) for (const name of names) point?.vectors.delete(name);
  }

  addVector(name: string, params: DenseParams): void {
    const before = this.dense.get(name);
    if (this.sparse.has(name) || (before && JSON.stringify(before) !== JSON.stringify(params)))
      throw wrongInput(`Vector \`${name}\` already exists with a different configuration`);
    this.dense.set(name, params);
  }
  dropVector(name: string): void {
    if (!this.dense.delete(name)) throw wrongInput(`Not existing vector name error: ${name}`);
    for (const point of this.points.values()) point.vectors.delete(name);
  }

  delete(which: { points?: PointId[]; filter?: Filter }): void {
    if (which.filter) this.#strictly(which.filter, "unindexed_filtering_update");
    const ids = which.filter ? this.select(which.filter).map(({ id }) => id) : (which.points ?? []).map(pointId);
    for (const id of ids) this.points.delete(id);
  }

  /** Points that pass, in the order of their ids. */
  select(filter?: Filter | null): Point[] {
    return [...this.points.values()].filter((point) => passes(point, filter, this.indexes)).sort(byId);
  }
  read(filter?: Filter | null): Point[] {
    this.#strictly(filter, "unindexed_filtering_retrieve");
    return this.select(filter);
  }
  checkLimit(limit: number): void {
    const { enabled, max_query_limit } = this.strict;
    if (enabled && max_query_limit && limit > max_query_limit)
      throw strictly(`Limit exceeded ${limit} > ${max_query_limit} for "limit"`, 'Reduce the "limit" parameter.');
  }

  scroll(
    limit: number,
    offset: PointId | null | undefined,
    filter?: Filter | null,
  ): { page: Point[]; next: PointId | null } {
    if (limit < 1)
      throw new Refusal(
        422,
        "Validation error in JSON body: [scroll_request.limit: value 0 invalid, must be 1 or larger]",
      );
    this.checkLimit(limit);
    const from = offset === null || offset === undefined ? undefined : pointId(offset);
    const rest = this.read(filter).filter((point) => from === undefined || compareIds(point.id, from) >= 0);
    return { page: rest.slice(0, limit), next: rest[limit]?.id ?? null };
  }

  /** Points by a number in their payload, which must be indexed for ranges. */
  ordered(key: string, filter: Filter | null | undefined): { point: Point; value: number }[] {
    const index = this.indexes.get(key);
    if (!index || !["integer", "float", "datetime"].includes(index.type) || index.range === false)
      throw wrongInput(`No range index for \`order_by\` key: \`${key}\`. Please create one to use \`order_by\`.`);
    return this.read(filter)
      .flatMap((point) => valuesAt(point.payload, key).map((value) => ({ point, value: Number(value) })))
      .sort((a, b) => a.value - b.value);
  }

  facet(key: string, filter: Filter | null | undefined): Map<string | number | boolean, number> {
    if (!["keyword", "integer", "uuid", "bool"].includes(this.indexes.get(key)?.type ?? ""))
      throw wrongInput(`No appropriate index for faceting: \`${key}\`. Please create one to facet on this field.`);
    const counts = new Map<string | number | boolean, number>();
    for (const point of this.read(filter))
      for (const value of new Set(valuesAt(point.payload, key)))
        if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
          counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  shown(point: Point, withPayload: WithPayload | null | undefined, withVector: boolean | string[] | null | undefined) {
    return {
      id: point.id,
      ...(withPayload ? { payload: selected(point.payload, withPayload) } : {}),
      ...(withVector ? { vector: this.#vectorsOf(point, withVector) } : {}),
    };
  }

  #vectorsOf(point: Point, which: true | string[]): Record<string, Vector> | Vector {
    const names = which === true ? [...point.vectors.keys()] : which;
    const shown: Record<string, Vector> = {};
    for (const name of names) {
      const vector = point.vectors.get(name);
      if (!vector) continue;
      if (!Array.isArray(vector)) shown[name] = structuredClone(vector);
      else {
        const rows = vector.map((row) => Array.from(row, shortest));
        shown[name] = this.dense.get(name)?.multivector_config ? rows : (rows[0] ?? []);
      }
    }
    return names.length === 1 && names[0] === "" ? ((shown[""] ?? {}) as Vector) : shown;
  }

  #checked(name: string, vector: Vector): Float32Array[] | Sparse {
    if (this.sparse.has(name)) {
      if (Array.isArray(vector)) throw wrongInput(`Conversion between sparse and regular vectors failed`);
      return checkedSparse(vector);
    }
    const params = this.dense.get(name);
    if (!params) throw wrongInput(`Not existing vector name error: ${name}`);
    if (!Array.isArray(vector)) throw wrongInput("Conversion between sparse and regular vectors failed");
    const rows = Array.isArray(vector[0]) ? (vector as number[][]) : [vector as number[]];
    if (Array.isArray(vector[0]) && !params.multivector_config)
      throw wrongInput("Conversion between multi and regular vectors failed");
    if (rows.length === 0 || rows[0]?.length === 0)
      throw new Refusal(422, "Validation error in JSON body: [points[0].vector: multi vector must not be empty]");
    return rows.map((row) => denseVector(row, params));
  }

  #strictly(
    filter: Filter | null | undefined,
    rule: "unindexed_filtering_retrieve" | "unindexed_filtering_update",
  ): void {
    requireShape(filter);
    if (this.strict.enabled && this.strict[rule] === false) requireIndexes(filter, this.indexes);
  }
}

export function denseVector(row: readonly number[], { size, distance }: DenseParams): Float32Array {
  if (row.length !== size) throw wrongInput(`Vector dimension error: expected dim: ${size}, got ${row.length}`);
  const vector = Float32Array.from(row);
  if (distance !== "Cosine") return vector;
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 || Math.abs(length - 1) < 1e-6 ? vector : vector.map((value) => value / length);
}

export function checkedSparse({ indices, values }: Sparse): Sparse {
  if (indices.length !== values.length)
    throw new Refusal(422, "Validation error in JSON body: [values: must be the same length as indices]");
  if (new Set(indices).size !== indices.length)
    throw new Refusal(422, "Validation error in JSON body: [indices: must be unique]");
  return { indices: [...indices], values: values.map(Math.fround) };
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
export function pointId(id: PointId): PointId {
  if (typeof id === "number" && Number.isSafeInteger(id) && id >= 0) return id;
  if (typeof id === "number" || !UUID.test(id))
    throw malformed(`value ${id} is not a valid point ID, valid values are either an unsigned integer or a UUID`);
  const hex = id.toLowerCase().replaceAll("-", "");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
export function compareIds(a: PointId, b: PointId): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
const byId = (a: Point, b: Point) => compareIds(a.id, b.id);

/** The shortest form of a float32. */
const shortest = (value: number) => Number(value.toPrecision(9));

function selected(payload: Payload, which: true | WithPayload): Payload {
  if (which === true || which === false) return structuredClone(payload);
  if (!Array.isArray(which) && "exclude" in which) {
    const copy = structuredClone(payload);
    for (const path of which.exclude) dropPath(copy, path.split("."));
    return copy;
  }
  const picked: Payload = {};
  for (const path of Array.isArray(which) ? which : which.include) pickPath(payload, picked, path.split("."));
  return picked;
}
function pickPath(from: Payload, to: Payload, [part, ...rest]: string[]): void {
  if (part === undefined || !(part in from)) return;
  const value = from[part];
  if (rest.length === 0) to[part] = structuredClone(value);
  else if (isObject(value)) {
    const child = isObject(to[part]) ? to[part] : {};
    to[part] = child;
    pickPath(value, child, rest);
  }
}
function dropPath(payload: Payload, [part, ...rest]: string[]): void {
  if (part === undefined || !(part in payload)) return;
  const value = payload[part];
  if (rest.length === 0) delete payload[part];
  else if (isObject(value)) dropPath(value, rest);
}
function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isParams(vectors: Record<string, DenseParams> | DenseParams): vectors is DenseParams {
  return typeof (vectors as DenseParams).size === "number" && typeof (vectors as DenseParams).distance === "string";
}
