import { ShelfError } from "../../kernel/errors.js";
import { parseQuery } from "../../text/analysis.js";
import { type BestMatch, bestMatchOf, crowdedFloor, tellingSimilarity } from "../../text/best-match.js";
import { contentOf } from "../../text/filler-words.js";
import { detectLanguage } from "../../text/language.js";
import { readsBoth } from "../../text/model-languages.js";
import { isLegible, queryVector } from "../../text/query-vector.js";
import { isNameOf, nameIn } from "../../text/work-names.js";
import { askedWords } from "./asked-words.js";
import { documentNames } from "./authorship.js";
import type { ChunkStore, MeaningHit, Project, SearchOptions, StoredChunk } from "./chunk-store.js";
import type { Embedder, Embedders } from "./embedding/embedder.js";
import { clamp, fuse, meaningWeight, type Ranked } from "./fusion.js";

export type ScoreKind = "cosine" | "weighted" | "words";
interface FoundHit extends Ranked {
  chunk: StoredChunk;
  /** Whether the query is the name of its work. */
  named: boolean;
}
export interface Found {
  hits: FoundHit[];
  score_kind: ScoreKind;
  /** How well the best of them fits what was asked for. */
  best_match: BestMatch;
  warnings: string[];
}

/** How many of the first hits are looked at to say how well they fit. */
const LOOKED_AT = 3;
/** How much nearer unrelated questions come to a passage than to a highlight, which the limits are made for: it is longer. */
const LENGTH_BONUS = 0.04;
/** With this many extra hits an answer is full even after reference lists move to the end. */
const LISTS_AMONG = 5;
/** With more words beside it, a quoted phrase is part of a question. */
const WORDS_AROUND_A_PHRASE = 12;
/** A hit ranked low in both lists can still rank first in the fused one. */
const DEPTH = 200;
/** Works of one name whose passages come first, at most. */
const NAMED_WORKS = 10;
/** How much of a query a name covers, as a title does. */
const COVERED_BY_NAME = 0.8;

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

  /** Passages of the works that the query names, in reading order. */
  const namedWorks = async (project: Project, query: string, { filters, limit }: SearchOptions) => {
    const name = filters?.doc_id === undefined && filters?.citekey === undefined ? nameIn(query) : undefined;
    if (!name) return [];
    const works = [...(await documentNames(store, project))].filter(([, work]) => isNameOf(name, work));
    const passages: string[] = [];
    for (const [doc_id] of works.slice(0, NAMED_WORKS))
      passages.push(
        ...(await store.chunksWhere(project.id, { ...filters, doc_id }, Math.max(DEPTH, limit)))
          .sort((a, b) => a.position - b.position)
          .map(({ id }) => id),
      );
    return passages;
  };

  const near = async (
    project: Project,
    embedder: Embedder,
    wordings: readonly string[],
    request: SearchOptions,
  ): Promise<MeaningHit[]> => {
    const vector = await queryVector(embedder, wordings, request.signal);
    return store.byMeaning(project.id, vector, request);
  };

  /**
   * A phrase that stands nowhere is looked for as words, and the caller learns it. Quotation marks in a question of many
   * other words point something out; they do not ask for the phrase.
   */
  const byWords = async (project: Project, query: string, request: SearchOptions) => {
    const { phrases, words } = parseQuery(query);
    const asked = words.length - phrases.flat().length > WORDS_AROUND_A_PHRASE ? [] : phrases;
    const hits = await store.byWords(project.id, asked.length < phrases.length ? words.join(" ") : query, request);
    if (hits.length > 0 || asked.length === 0) return { hits, phrased: asked.length > 0, warnings: [] };
    const loose = await store.byWords(project.id, words.join(" "), request);
    const quoted = asked.map((phrase) => `"${phrase.join(" ")}"`).join(", ");
    const instead = loose.length > 0 ? "; its words were searched" : "";
    return { hits: loose, phrased: false, warnings: [`No passage holds ${quoted} literally${instead}.`] };
  };

  const finish = async (
    project: Project,
    query: string,
    ranked: Ranked[],
    rest: {
      limit: number;
      score_kind: ScoreKind;
      warnings: string[];
      atMost?: BestMatch;
      named?: ReadonlySet<string>;
      /** Whether the model knows the words of the query. */
      legible?: boolean;
    },
  ): Promise<Found> => {
    const { atMost = "good", limit, named, legible = true, ...found } = rest;
    const first = await withChunks(project, ranked.slice(0, limit + LISTS_AMONG));
    const hits = textFirst(first, query)
      .slice(0, limit)
      .map((hit) => ({ ...hit, named: named?.has(hit.id) ?? false }));
    const asked = askedWords(query);
    const reads = legible ? readsBoth(project.model.id, detectLanguage(query), project.languages[0] ?? "en") : 0;
    const fits = bestMatchOf(
      hits.slice(0, LOOKED_AT).map(({ chunk, meaning, named }) => ({
        words: named ? 1 : asked.coverage(chunk.text, [chunk.title, ...chunk.section_path].filter(Boolean).join("\n")),
        similarity: tellingSimilarity(project.model.id, meaning ? meaning.similarity - LENGTH_BONUS : undefined, reads),
      })),
    );
    return { hits, best_match: fits === "good" ? atMost : fits, ...found };
  };

  return {
    async words(project: Project, query: string, request: SearchOptions): Promise<Found> {
      const { hits, warnings } = await byWords(project, query, request);
      const ranked = fuse(hits, [], { meaningWeight: 0, depth: request.limit });
      return finish(project, query, ranked, { limit: request.limit, score_kind: "words", warnings });
    },

    async meaning(project: Project, query: string, request: SearchOptions): Promise<Found> {
      const deeper = { ...request, limit: request.limit + LISTS_AMONG };
      const embedder = boundEmbedder(project, embedders);
      const [hits, legible] = await Promise.all([near(project, embedder, [query], deeper), isLegible(embedder, query)]);
      const ranked = hits.map(({ id, similarity }, index) => ({
        id,
        score: clamp(similarity),
        words: null,
        meaning: { rank: index + 1, similarity },
      }));
      return finish(project, query, ranked, { limit: request.limit, score_kind: "cosine", warnings: [], legible });
    },

    async hybrid(project: Project, query: string, request: SearchOptions): Promise<Found> {
      const depth = Math.max(DEPTH, 2 * request.limit);
      const deep = { ...request, limit: depth };
      const embedder = embedders.get(project.model);
      const weight = embedder
        ? meaningWeight(project.model.id, detectLanguage(query), project.languages[0] ?? "en")
        : 0;
      const warnings = embedder ? [] : [wordsOnly(project, embedders)];
      // Meaning first: words are searched while the model reads the question. Its telling words count twice, but only
      // in a language the model knows well: in others a question without its small words is further from its answer.
      const asked = weight === 0.5 ? [query, contentOf(query)] : [query];
      const [meaning, words, named, legible] = await Promise.all([
        embedder && weight > 0 ? near(project, embedder, asked, deep) : [],
        byWords(project, query, deep),
        namedWorks(project, query, request),
        embedder ? isLegible(embedder, query) : true,
      ]);
      const fused = fuse(words.hits, meaning, { meaningWeight: weight, depth, floor: crowdedFloor(project.model.id) });
      // A chunk without the quoted phrase is no hit, however similar its meaning.
      const ranked = words.phrased ? fused.filter((hit) => hit.words !== null) : fused;
      return finish(project, query, words.phrased ? ranked : namedFirst(ranked, named, weight), {
        limit: request.limit,
        named: new Set(named),
        legible,
        score_kind: embedder ? "weighted" : "words",
        warnings: [...warnings, ...words.warnings],
        atMost: words.warnings.length > 0 ? "weak" : "good",
      });
    },
  };
}

/** What was found in the named works comes first, then the rest of them, then everything else. */
function namedFirst(ranked: readonly Ranked[], named: readonly string[], weight: number): Ranked[] {
  if (named.length === 0) return [...ranked];
  const byName = new Set(named);
  const found = new Set(ranked.map(({ id }) => id));
  const unseen = named.filter((id) => !found.has(id)).map((id) => ({ id, score: 0, words: null, meaning: null }));
  const own = [...ranked.filter(({ id }) => byName.has(id)), ...unseen].map((hit) => ({
    ...hit,
    score: Math.max(hit.score, (1 - weight) * COVERED_BY_NAME + weight * clamp(hit.meaning?.similarity ?? 0)),
  }));
  return [...own, ...ranked.filter(({ id }) => !byName.has(id))];
}

const LISTS = new Set(["references", "contents", "index"]);
const ASKS_FOR_LISTS =
  /\b(?:references?|bibliograph\w{0,4}|citations?|works cited|index|contents|literatur|bibliographie)\b/i;

/** Reference lists, contents and indexes match many queries and answer none: they come last, unless they are asked for. */
function textFirst<T extends { chunk: StoredChunk }>(hits: T[], query: string): T[] {
  if (ASKS_FOR_LISTS.test(query)) return hits;
  const isList = ({ chunk }: T) => LISTS.has(String(chunk.metadata.kind));
  return [...hits.filter((hit) => !isList(hit)), ...hits.filter(isList)];
}

/** The embedder a project is bound to; queries are never embedded with another one. */
function boundEmbedder(project: Project, embedders: Embedders): Embedder {
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
