import { parseQuery, prefixStems, queryWords } from "../../../../text/analysis.js";
import type { SearchOptions, WordHit } from "../../chunk-store.js";
import { SATURATION, saturation } from "../bm25.js";
import { pathOf, type QdrantClient } from "./client.js";
import { type Binding, sideCollectionOf } from "./collections.js";
import { type Bm25, filterOf } from "./payload.js";
import type { vocabularyAccess } from "./side-collection.js";
import { dimensionOf, occurrences } from "./sparse.js";
import type { Statistics } from "./statistics.js";
import { HitLists, type NamedVectors, sparseIn, WORDS } from "./wire.js";

/** A word of the query: the dimensions of every term it may stand for. */
interface Group {
  dimensions: number[];
  required: boolean;
  weight: number;
}

/** Of a word with very many forms so many are looked at for how common it is, and the rest are taken to be alike. */
const PROBED = 64;

/**
 * BM25 in two steps. The server ranks by the weights its vectors were stored with, each with the average length of its
 * day; the best of them are weighed again with the average of today, as every other store does. How common a word is
 * comes along in the same request: the score of the best chunk for a term alone, over that chunk's weight, is its IDF.
 */
export async function searchWords(
  text: string,
  { limit, filters, signal }: SearchOptions,
  {
    client,
    vocabulary,
    binding,
    statistics,
  }: {
    client: QdrantClient;
    vocabulary: ReturnType<typeof vocabularyAccess>;
    binding: Binding;
    statistics: Statistics;
  },
): Promise<WordHit[]> {
  const project = binding.id;
  const query = parseQuery(text);
  const groups: Group[] = queryWords(query, statistics.languages).map(({ terms, required, weight }) => ({
    dimensions: dimensionsOf(terms),
    required,
    weight,
  }));
  for (const prefix of query.prefixes) {
    const where = { project, collection: sideCollectionOf(binding.collection), signal };
    const terms = await vocabulary.beginningWith(prefix, where);
    groups.push({
      dimensions: dimensionsOf([...terms, ...prefixStems(prefix, statistics.languages)]),
      required: false,
      weight: 1,
    });
  }
  const weightOf = new Map(
    groups.flatMap(({ dimensions, weight }) => dimensions.map((each) => [each, weight] as const)),
  );
  const wanted = [...weightOf.keys()];
  if (wanted.length === 0 || statistics.chunks === 0) return [];

  const probed = [...new Set(groups.flatMap(({ dimensions }) => dimensions.slice(0, PROBED)))];
  const wide = Math.max(Math.ceil(limit * 1.5), limit + 32);
  const [candidates, ...probes] = await client.call("POST", pathOf(binding.collection, "/points/query/batch"), {
    body: {
      searches: [
        {
          query: { indices: wanted, values: [...weightOf.values()] },
          using: WORDS,
          filter: filterOf(project, filters, query.phrases),
          limit: wide,
          with_payload: { include: ["chunk_id", "bm25"] },
          with_vector: [WORDS],
        },
        ...probed.map((dimension) => ({
          query: { indices: [dimension], values: [1] },
          using: WORDS,
          filter: filterOf(project),
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

  // By the server's idf = ln((N + 1) / (n + 0.5)), which takes N and n of the same moment.
  const rarity = new Map<number, number>();
  probes.forEach(({ points: [best] }, index) => {
    const dimension = probed[index] ?? 0;
    const weight = best && weightsOf(best.vector).get(dimension);
    if (best && weight) rarity.set(dimension, Math.exp(-best.score / weight) * (statistics.chunks + 1) - 0.5);
  });
  const idfs = groups.map(({ dimensions, weight }) => {
    const looked = dimensions.slice(0, PROBED);
    const found = looked.reduce((sum, dimension) => sum + (rarity.get(dimension) ?? 0), 0);
    const having = Math.min(statistics.chunks, (found * dimensions.length) / Math.max(1, looked.length));
    return weight * Math.log((statistics.chunks + 1) / (having + 0.5));
  });
  const best = idfs.reduce((sum, idf) => sum + idf * SATURATION, 0);
  const average = statistics.terms / statistics.chunks;

  return (candidates?.points ?? [])
    .flatMap(({ payload, vector }): WordHit[] => {
      const { chunk_id, bm25 } = payload as { chunk_id: string; bm25: Bm25 };
      const weights = weightsOf(vector);
      let score = 0;
      for (const [index, { dimensions, required }] of groups.entries()) {
        const times = dimensions.reduce((sum, dimension) => {
          const weight = weights.get(dimension);
          return weight === undefined ? sum : sum + occurrences(weight, bm25.terms, bm25.average);
        }, 0);
        if (times > 0) score += (idfs[index] ?? 0) * saturation(times, bm25.terms, average);
        else if (required) return [];
      }
      return score > 0 ? [{ id: chunk_id, bm25: score, coverage: Math.min(1, score / best) }] : [];
    })
    .sort((a, b) => b.bm25 - a.bm25 || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

const dimensionsOf = (terms: readonly string[]) => [...new Set(terms.map(dimensionOf))];

function weightsOf(vector: NamedVectors | null | undefined): Map<number, number> {
  const { indices, values } = sparseIn(vector);
  return new Map(indices.map((index, i) => [index, values[i] ?? 0]));
}
