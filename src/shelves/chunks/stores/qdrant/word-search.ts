import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { parseQuery, prefixStems, queryWords } from "../../../../text/analysis.js";
import type { SearchOptions, WordHit } from "../../chunk-store.js";
import { SATURATION, saturation } from "../bm25.js";
import type { Binding } from "./binding.js";
import { pathOf, type QdrantClient } from "./client.js";
import { inTurns } from "./collection-setup.js";
import { type Bm25, filterOf } from "./payload.js";
import type { PointAccess } from "./points.js";
import type { vocabularyAccess } from "./side-collection.js";
import { dimensionOf, occurrences } from "./sparse.js";
import type { Statistics } from "./statistics.js";
import { Count, HitLists, Hits, type NamedVectors, sparseIn, WORDS } from "./wire.js";

/** A word of the query with all terms it matches, and their dimensions. */
interface Group {
  terms: string[];
  dimensions: number[];
  required: boolean;
  weight: number;
}
interface Asked {
  client: QdrantClient;
  points: PointAccess;
  vocabulary: ReturnType<typeof vocabularyAccess>;
  binding: Binding;
  statistics: Statistics;
}
type Candidates = z.infer<typeof Hits>["points"];

/** For a word with many forms, this many are counted; the rest are assumed to be as common. */
const PROBED = 64;
/** Counts are valid as long as the statistics they were made with. */
const counts = new WeakMap<Statistics, LRUCache<string, number>>();
const COUNTED_WORDS = 5_000;

/**
 * BM25 in two steps. The server ranks by the stored weights, each computed with the average length at
 * that time; the best are then scored again with the current average, as in the other stores.
 */
export async function searchWords(
  text: string,
  { limit, filters, signal }: SearchOptions,
  asked: Asked,
): Promise<WordHit[]> {
  const { binding, statistics } = asked;
  const query = parseQuery(text);
  const groups = await groupsOf(query, asked, signal);
  if (groups.every(({ dimensions }) => dimensions.length === 0) || statistics.chunks === 0) return [];
  const wanted = {
    using: WORDS,
    filter: filterOf(binding.place.tenant, filters, query.phrases),
    limit: Math.max(Math.ceil(limit * 1.5), limit + 32),
    with_payload: { include: ["chunk_id", "bm25", "terms"] },
  };
  const { candidates, having } = await (binding.place.shared ? byCounting : byProbing)(groups, wanted, asked, signal);
  const timesIn = await counting(candidates, asked, signal);
  const idfs = groups.map(({ weight }, group) => weight * idf(statistics, having[group] ?? 0));
  const best = idfs.reduce((sum, each) => sum + each * SATURATION, 0);
  const average = statistics.terms / statistics.chunks;

  return candidates
    .flatMap((candidate): WordHit[] => {
      const { chunk_id, bm25 } = candidate.payload as { chunk_id: string; bm25: Bm25 };
      const times = timesIn(candidate);
      let score = 0;
      for (const [index, group] of groups.entries()) {
        const found = times(group);
        if (found > 0) score += (idfs[index] ?? 0) * saturation(found, bm25.terms, average);
        else if (group.required) return [];
      }
      return score > 0 ? [{ id: chunk_id, bm25: score, coverage: Math.min(1, score / best) }] : [];
    })
    .sort((a, b) => b.bm25 - a.bm25 || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** How often a chunk has a word: its terms say it, or, where an older version wrote them, the weights of its vector. */
async function counting(candidates: Candidates, { points, binding }: Asked, signal: AbortSignal | undefined) {
  const older = candidates.filter(({ payload }) => !(payload as { bm25: Bm25 }).bm25.repeated).map(({ id }) => id);
  const what = { project: binding.id, collection: binding.place.chunks, signal };
  const found = await points.byIds(older, { with_payload: false, with_vector: [WORDS] }, what);
  const vectors = new Map(found.map(({ id, vector }) => [id, vector]));

  return ({ id, payload }: Candidates[number]): ((group: Group) => number) => {
    const { bm25, terms } = payload as { bm25: Bm25; terms: string };
    if (bm25.repeated) {
      const text = ` ${terms} `;
      return (group) => group.terms.reduce((sum, term) => sum + timesOf(` ${term} `, text), 0);
    }
    const weights = weightsOf(vectors.get(id));
    return ({ dimensions }) =>
      dimensions.reduce((sum, dimension) => {
        const weight = weights.get(dimension);
        return weight === undefined ? sum : sum + occurrences(weight, bm25.terms, bm25.average);
      }, 0);
  };
}
/** Between two that follow each other there is one space, which belongs to both. */
function timesOf(spaced: string, text: string): number {
  let times = 0;
  for (let at = text.indexOf(spaced); at >= 0; at = text.indexOf(spaced, at + spaced.length - 1)) times++;
  return times;
}

async function groupsOf(
  query: ReturnType<typeof parseQuery>,
  { vocabulary, binding, statistics }: Asked,
  signal: AbortSignal | undefined,
): Promise<Group[]> {
  const group = (terms: readonly string[], required: boolean, weight: number): Group => ({
    terms: [...new Set(terms.map((term) => term.toWellFormed()))],
    dimensions: [...new Set(terms.map(dimensionOf))],
    required,
    weight,
  });
  const groups = queryWords(query, statistics.languages).map(({ terms, required, weight }) =>
    group(terms, required, weight),
  );
  for (const prefix of query.prefixes) {
    const terms = await vocabulary.beginningWith(prefix, { project: binding.id, place: binding.place, signal });
    groups.push(group([...terms, ...prefixStems(prefix, statistics.languages)], false, 1));
  }
  return groups;
}

type Ranking = (
  groups: readonly Group[],
  wanted: Record<string, unknown>,
  asked: Asked,
  signal: AbortSignal | undefined,
) => Promise<{ candidates: Candidates /** Chunks that have the word, by group. */; having: number[] }>;

/** In a shared collection the server does not know a word's idf in this project: it is counted and sent with the query. */
const byCounting: Ranking = async (groups, wanted, { client, binding, statistics }, signal) => {
  const { id: project, place } = binding;
  const known = counts.get(statistics) ?? new LRUCache<string, number>({ max: COUNTED_WORDS });
  counts.set(statistics, known);
  const having = await inTurns(groups, async ({ terms }) => {
    const text_any = terms.join(" ");
    const before = known.get(text_any);
    if (before !== undefined || terms.length === 0) return before ?? 0;
    const filter = { must: [...(filterOf(place.tenant).must ?? []), { key: "terms", match: { text_any } }] };
    const body = { filter, exact: true };
    const path = pathOf(place.chunks, "/points/count");
    const { count } = await client.call("POST", path, { body, answer: Count, project, signal });
    known.set(text_any, count);
    return count;
  });
  const weightOf = new Map(
    groups.flatMap(({ dimensions, weight }, group) =>
      dimensions.map((each) => [each, weight * idf(statistics, having[group] ?? 0)] as const),
    ),
  );
  const { points: candidates } = await client.call("POST", pathOf(place.chunks, "/points/query"), {
    body: { ...wanted, query: { indices: [...weightOf.keys()], values: [...weightOf.values()] } },
    answer: Hits,
    project,
    signal,
  });
  return { candidates, having };
};

/**
 * In a project's own collection the server multiplies IDF in. The same request yields each word's IDF: the score
 * of the best chunk for that term alone, divided by the chunk's weight.
 */
const byProbing: Ranking = async (groups, wanted, { client, binding, statistics }, signal) => {
  const { id: project, place } = binding;
  const weightOf = new Map(
    groups.flatMap(({ dimensions, weight }) => dimensions.map((each) => [each, weight] as const)),
  );
  const probed = [...new Set(groups.flatMap(({ dimensions }) => dimensions.slice(0, PROBED)))];
  const [found, ...probes] = await client.call("POST", pathOf(place.chunks, "/points/query/batch"), {
    body: {
      searches: [
        { ...wanted, query: { indices: [...weightOf.keys()], values: [...weightOf.values()] } },
        ...probed.map((dimension) => ({
          query: { indices: [dimension], values: [1] },
          using: WORDS,
          filter: filterOf(place.tenant),
          limit: 1,
          with_payload: false,
          with_vector: [WORDS],
        })),
      ],
    },
    answer: HitLists,
    project,
    signal,
  });
  // From the server's idf = ln((N + 1) / (n + 0.5)), with N and n of the same moment.
  const rarity = new Map<number, number>();
  probes.forEach(({ points: [best] }, index) => {
    const dimension = probed[index] ?? 0;
    const weight = best && weightsOf(best.vector).get(dimension);
    if (best && weight) rarity.set(dimension, Math.exp(-best.score / weight) * (statistics.chunks + 1) - 0.5);
  });
  const having = groups.map(({ dimensions }) => {
    const looked = dimensions.slice(0, PROBED);
    const sum = looked.reduce((total, dimension) => total + (rarity.get(dimension) ?? 0), 0);
    return (sum * dimensions.length) / Math.max(1, looked.length);
  });
  return { candidates: found?.points ?? [], having };
};

function idf({ chunks }: Statistics, having: number): number {
  return Math.log((chunks + 1) / (Math.min(chunks, having) + 0.5));
}

function weightsOf(vector: NamedVectors | null | undefined): Map<number, number> {
  const { indices, values } = sparseIn(vector);
  return new Map(indices.map((index, i) => [index, values[i] ?? 0]));
}
