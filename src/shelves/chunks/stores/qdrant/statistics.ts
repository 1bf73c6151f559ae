import { isDeepStrictEqual } from "node:util";
import { projectLanguages } from "../indexed-text.js";
import type { Binding } from "./binding.js";
import { pathOf, type QdrantClient } from "./client.js";
import { filterOf } from "./payload.js";
import { Facet } from "./wire.js";

/** Project-wide numbers for BM25 and the analyser. */
export interface Statistics {
  chunks: number;
  /** Terms of all chunks together. */
  terms: number;
  languages: string[];
}

/** Cache time of numbers that other processes may change; shorter for small projects, which are counted quickly. */
const BELIEVED_MS_A_CHUNK = 60;
const BELIEVED_MS = 60_000;
/** Share of chunks that may change before the numbers are counted again. */
export const READING = 0.01;
export const WRITING = 0.5;
const MOST_VALUES = 100_000;

/** Counted by the server from its indexes, so that all replicas agree; cached for a while. */
export function projectStatistics(client: QdrantClient) {
  const known = new Map<string, { statistics: Statistics; at: number; written: number }>();
  /** Chunks this process has written since it began. */
  const written = new Map<string, number>();

  const facet = async (key: string, { id, place }: Binding, signal: AbortSignal | undefined) => {
    const body = { key, filter: filterOf(place.tenant), limit: MOST_VALUES, exact: true };
    const answer = await client.call("POST", pathOf(place.chunks, "/facet"), {
      body,
      answer: Facet,
      project: id,
      signal,
    });
    return answer.hits;
  };
  const count = async (binding: Binding, signal: AbortSignal | undefined): Promise<Statistics> => {
    const [lengths, languages] = await Promise.all([
      facet("bm25.terms", binding, signal),
      facet("language", binding, signal),
    ]);
    const chunks = lengths.reduce((sum, hit) => sum + hit.count, 0);
    const counts = new Map<string | null, number>(languages.map((hit) => [String(hit.value), hit.count]));
    const untold = chunks - languages.reduce((sum, hit) => sum + hit.count, 0);
    if (untold > 0) counts.set(null, untold);
    return {
      chunks,
      terms: lengths.reduce((sum, { value, count: times }) => sum + Number(value) * times, 0),
      languages: projectLanguages(counts),
    };
  };

  return {
    async of(binding: Binding, tolerance: number, signal?: AbortSignal): Promise<Statistics> {
      const now = { at: performance.now(), written: written.get(binding.place.tenant) ?? 0 };
      const before = known.get(binding.place.tenant);
      if (before) {
        const { chunks } = before.statistics;
        const fresh = now.at - before.at < Math.min(BELIEVED_MS, BELIEVED_MS_A_CHUNK * chunks);
        if (fresh && now.written - before.written <= chunks * tolerance) return before.statistics;
      }
      const counted = await count(binding, signal);
      // The same object where nothing has changed: what was found out by it stays true.
      const statistics = before && isDeepStrictEqual(before.statistics, counted) ? before.statistics : counted;
      known.set(binding.place.tenant, { ...now, statistics });
      return statistics;
    },
    changed({ place }: Binding, chunks: number): void {
      written.set(place.tenant, (written.get(place.tenant) ?? 0) + chunks);
    },
    forget({ place }: Binding): void {
      known.delete(place.tenant);
      written.delete(place.tenant);
    },
  };
}
