import { type Collection, checkedSparse, denseVector, type Point, pointId } from "./collection.js";
import { type PointId, type QueryRequest, type Sparse, strictly, wrongInput } from "./wire.js";

interface Scored {
  point: Point;
  score: number;
}
type Fusion = { kind: "rrf"; k: number; weights: number[] | undefined } | { kind: "dbsf" };

const DEFAULT_LIMIT = 10;

/** `POST …/points/query`: nearest by a named vector, or a fusion of what was fetched before. */
export function runQuery(collection: Collection, request: QueryRequest): Scored[] {
  const limit = request.limit ?? DEFAULT_LIMIT;
  collection.checkLimit(limit);
  if (request.params?.exact && collection.strict.enabled && collection.strict.search_allow_exact === false)
    throw strictly("Exact search disabled!", "Set exact=false.");
  const offset = request.offset ?? 0;
  const fetched = prefetchesOf(request).map((prefetch) => runQuery(collection, inherited(prefetch, request)));
  const fusion = fusionOf(request.query);
  const ranked = fusion
    ? fuse(fetched, fusion)
    : nearest(collection, request, fetched.length ? new Set(fetched.flat().map(({ point }) => point)) : undefined);
  const threshold = request.score_threshold ?? Number.NEGATIVE_INFINITY;
  return ranked.filter(({ score }) => score >= threshold).slice(offset, offset + limit);
}

/** A filter above is merged into everything below. */
function inherited(prefetch: QueryRequest, { filter }: QueryRequest): QueryRequest {
  if (!filter) return prefetch;
  return { ...prefetch, filter: prefetch.filter ? { must: [prefetch.filter, filter] } : filter };
}

function prefetchesOf({ prefetch }: QueryRequest): QueryRequest[] {
  if (!prefetch) return [];
  return Array.isArray(prefetch) ? prefetch : [prefetch];
}

function nearest(collection: Collection, request: QueryRequest, among: Set<Point> | undefined): Scored[] {
  const points = collection.read(request.filter).filter((point) => !among || among.has(point));
  if (request.query === undefined || request.query === null) return points.map((point) => ({ point, score: 0 }));
  const name = request.using ?? "";
  const wanted = Object(request.query).nearest ?? request.query;
  const score = collection.sparse.has(name)
    ? sparseScore(collection, name, wanted)
    : denseScore(collection, name, wanted);
  return points
    .map((point) => ({ point, score: Math.fround(score(point) ?? Number.NaN) }))
    .filter((scored) => !Number.isNaN(scored.score))
    .sort((a, b) => b.score - a.score);
}

function denseScore(collection: Collection, name: string, wanted: unknown): (point: Point) => number | undefined {
  const params = collection.dense.get(name);
  if (!params) throw wrongInput(`Not existing vector name error: ${name}`);
  if (!Array.isArray(wanted)) {
    const known = collection.points.get(pointId(wanted as PointId));
    const rows = known?.vectors.get(name);
    if (!Array.isArray(rows)) throw wrongInput("No point with that id, or no such vector in it");
    return (point) => (point === known ? undefined : maxSim(rows, point.vectors.get(name)));
  }
  const rows = (Array.isArray(wanted[0]) ? wanted : [wanted]) as number[][];
  const query = rows.map((row) => denseVector(row, params));
  return (point) => maxSim(query, point.vectors.get(name));
}

/** Each row of the query by its best row of the point, added up: for one row that is the best window. */
function maxSim(query: readonly Float32Array[], rows: Float32Array[] | Sparse | undefined): number | undefined {
  if (!Array.isArray(rows)) return undefined;
  return query.reduce((total, asked) => total + Math.max(...rows.map((row) => dot(asked, row))), 0);
}

function sparseScore(collection: Collection, name: string, wanted: unknown): (point: Point) => number | undefined {
  if (Array.isArray(wanted)) throw wrongInput("Conversion between sparse and regular vectors failed");
  const query = checkedSparse(wanted as Sparse);
  const vectors = [...collection.points.values()].flatMap(({ vectors: own }) => {
    const vector = own.get(name);
    return vector && !Array.isArray(vector) ? [new Set(vector.indices)] : [];
  });
  const weights = new Map(
    query.indices.map((index, i) => {
      const value = query.values[i] ?? 0;
      if (!collection.sparse.get(name)?.idf) return [index, value];
      const having = vectors.filter((indices) => indices.has(index)).length;
      return [index, value * Math.fround(Math.log((vectors.length - having + 0.5) / (having + 0.5) + 1))];
    }),
  );
  return (point) => {
    const vector = point.vectors.get(name);
    if (!vector || Array.isArray(vector)) return undefined;
    let total: number | undefined;
    vector.indices.forEach((index, i) => {
      const weight = weights.get(index);
      if (weight !== undefined) total = (total ?? 0) + weight * (vector.values[i] ?? 0);
    });
    return total;
  };
}

function fusionOf(query: unknown): Fusion | undefined {
  const { fusion, rrf } = Object(query) as { fusion?: string; rrf?: { k?: number | null; weights?: number[] | null } };
  if (fusion === "dbsf") return { kind: "dbsf" };
  if (fusion === "rrf") return { kind: "rrf", k: 2, weights: undefined };
  return rrf ? { kind: "rrf", k: rrf.k ?? 2, weights: rrf.weights ?? undefined } : undefined;
}

function fuse(lists: readonly Scored[][], fusion: Fusion): Scored[] {
  if (lists.length === 0) throw wrongInput("A fusion query needs at least one prefetch");
  if (fusion.kind === "rrf" && fusion.weights && fusion.weights.length !== lists.length)
    throw wrongInput(`RRF weights length (${fusion.weights.length}) must match prefetches (${lists.length})`);
  const scores = new Map<Point, number>();
  lists.forEach((list, number) => {
    const mean = list.reduce((sum, { score }) => sum + score, 0) / list.length;
    const deviation = Math.sqrt(list.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / (list.length - 1));
    list.forEach(({ point, score }, rank) => {
      const share =
        fusion.kind === "rrf"
          ? 1 / ((rank + 1) / (fusion.weights?.[number] ?? 1) + fusion.k - 1)
          : deviation > 0
            ? (score - (mean - 3 * deviation)) / (6 * deviation)
            : 0.5;
      scores.set(point, (scores.get(point) ?? 0) + share);
    });
  });
  return [...scores].map(([point, score]) => ({ point, score: Math.fround(score) })).sort((a, b) => b.score - a.score);
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}
