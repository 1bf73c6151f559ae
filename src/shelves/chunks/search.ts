import { ShelfError } from "../../kernel/errors.js";
import { parseQuery } from "../../text/analysis.js";
import { detectLanguage } from "../../text/language.js";
import type { ChunkStore, Filters, MeaningHit, Project, StoredChunk } from "./chunk-store.js";
import type { Embedder, Embedders } from "./embedding/embedder.js";
import { clamp, fuse, meaningWeight, type Ranked } from "./fusion.js";

export interface SearchRequest {
  limit: number;
  filters?: Filters | undefined;
  signal?: AbortSignal | undefined;
}
export type ScoreKind = "cosine" | "weighted" | "words";
export interface Found {
  hits: (Ranked & { chunk: StoredChunk })[];
  score_kind: ScoreKind;
  warnings: string[];
}

/** Low in both lists can still be best together. */
const DEPTH = 100;

export type Search = ReturnType<typeof createSearch>;

/** Searches one project, of whichever kind, the same way in every store. */
export function createSearch({ store, embedders }: { store: ChunkStore; embedders: Embedders }) {
  const withChunks = async (project: Project, ranked: Ranked[]) => {
    const chunks = await store.chunks(project.id, { ids: ranked.map(({ id }) => id) });
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    return ranked.flatMap((hit) => {
      const chunk = byId.get(hit.id);
      return chunk ? [{ ...hit, chunk }] : [];
    });
  };

  const near = async (
    project: Project,
    embedder: Embedder,
    query: string,
    request: SearchRequest,
  ): Promise<MeaningHit[]> => {
    const vector = await embedQuery(embedder, query, request.signal);
    return store.byMeaning(project.id, vector, options(request));
  };

  /** A phrase nobody wrote in just these words is looked for as words, and the caller is told. */
  const byWords = async (project: Project, query: string, request: SearchRequest) => {
    const hits = await store.byWords(project.id, query, options(request));
    const { phrases, words } = parseQuery(query);
    if (hits.length > 0 || phrases.length === 0) return { hits, warnings: [] };
    const loose = await store.byWords(project.id, words.join(" "), options(request));
    const quoted = phrases.map((phrase) => `"${phrase.join(" ")}"`).join(", ");
    return {
      hits: loose,
      warnings: loose.length > 0 ? [`No passage holds ${quoted} literally; its words were searched.`] : [],
    };
  };

  return {
    async words(project: Project, query: string, request: SearchRequest): Promise<Found> {
      const { hits, warnings } = await byWords(project, query, request);
      const ranked = fuse(hits, [], { meaningWeight: 0, depth: request.limit });
      return { hits: await withChunks(project, ranked), score_kind: "words", warnings };
    },

    async meaning(project: Project, query: string, request: SearchRequest): Promise<Found> {
      const hits = await near(project, boundEmbedder(project, embedders), query, request);
      const ranked = hits.map(({ id, similarity }, index) => ({
        id,
        score: clamp(similarity),
        words: null,
        meaning: { rank: index + 1, similarity },
      }));
      return { hits: await withChunks(project, ranked), score_kind: "cosine", warnings: [] };
    },

    async hybrid(project: Project, query: string, request: SearchRequest): Promise<Found> {
      const depth = Math.max(DEPTH, 5 * request.limit);
      const deep = { ...request, limit: depth };
      const embedder = embedders.get(project.model);
      const weight = embedder
        ? meaningWeight(project.model.id, detectLanguage(query), project.languages[0] ?? "en")
        : 0;
      const warnings = embedder ? [] : [wordsOnly(project, embedders)];
      // Meaning first: words are searched while the model reads the question.
      const [meaning, words] = await Promise.all([
        embedder && weight > 0 ? near(project, embedder, query, deep) : [],
        byWords(project, query, deep),
      ]);
      const ranked = fuse(words.hits, meaning, {
        meaningWeight: weight,
        depth,
      });
      return {
        hits: await withChunks(project, ranked.slice(0, request.limit)),
        score_kind: embedder ? "weighted" : "words",
        warnings: [...warnings, ...words.warnings],
      };
    },
  };
}

/** The embedder a project is bound to; queries are never embedded with another one. */
export function boundEmbedder(project: Project, embedders: Embedders): Embedder {
  const embedder = embedders.get(project.model);
  if (embedder) return embedder;
  if (embedders.list().length === 0)
    throw new ShelfError(
      "INDEX_UNAVAILABLE",
      `Search by meaning is off: ${embedders.unavailable ?? "no embedding model is available."} Use query_hybrid, which then searches by words.`,
    );
  throw new ShelfError(
    "EMBEDDING_MISMATCH",
    `'${project.id}' holds vectors of '${project.model.id}', which this server does not have. Use query_hybrid for words, or store_chunks with allow_model_migration to move it to '${embedders.preferred?.id}'.`,
    { details: { project: project.id, expected: project.model.id, available: embedders.list().map(({ id }) => id) } },
  );
}

function wordsOnly(project: Project, embedders: Embedders): string {
  const why =
    embedders.list().length === 0
      ? (embedders.unavailable ?? "No embedding model is available.")
      : `This server does not have '${project.model.id}', the model the project is bound to.`;
  return `Searched by words only. ${why}`;
}

async function embedQuery(embedder: Embedder, query: string, signal: AbortSignal | undefined): Promise<Float32Array> {
  const texts = embedder.countTokens(query) > embedder.identity.max_tokens ? embedder.windows(query, "") : [query];
  const vectors = await embedder.embed(texts, { as: "query", ...(signal ? { signal } : {}) });
  const sum = new Float32Array(embedder.identity.dimension);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return sum;
}

function options({ limit, filters, signal }: SearchRequest) {
  return { limit, ...(filters ? { filters } : {}), ...(signal ? { signal } : {}) };
}
