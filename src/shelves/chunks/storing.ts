import { setImmediate as nextTurn } from "node:timers/promises";
import { badParameter, ShelfError } from "../../kernel/errors.js";
import { plural } from "../../kernel/plural.js";
import { detectLanguage } from "../../text/language.js";
import { type Facts, readMetadata, unreadKeys } from "./chunk-metadata.js";
import type { Chunk, ChunkStore, Project, VectorSpace } from "./chunk-store.js";
import { embedChunks } from "./embed-chunks.js";
import { type Embedders, type ModelIdentity, NO_MODEL, sameModel, usualName } from "./embedding/embedder.js";
import type { ModelMigrations } from "./model-migration.js";

export const MOST_WITH_EMBEDDINGS = 500;
const MOST_TO_EMBED = 100;
/** On half a core the model reads so many in about half of the call's deadline; what is accepted must be done in time. */
const MOST_CHARACTERS_TO_EMBED = 100_000;
/** Outside the Latin script nearly every character is a token of its own; of Latin letters about four make one. */
const LATIN_CHARACTERS_PER_TOKEN = 4;
const FIRST_BEYOND_LATIN = 0x0250;
const MOST_PROBLEMS = 20;

export interface Item {
  id: string;
  text: string;
  embedding?: readonly number[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}
export interface StoreRequest {
  allow_model_migration?: boolean | undefined;
  signal?: AbortSignal | undefined;
}
interface StoreOutcome {
  added: number;
  updated: number;
  model: ModelIdentity;
  warnings: string[];
}

interface ReadItem {
  item: Item;
  facts: Facts;
}

export function createStoring({
  store,
  embedders,
  migrations,
}: {
  store: ChunkStore;
  embedders: Embedders;
  migrations: ModelMigrations;
}) {
  return async function storeItems(
    project: Project,
    items: readonly Item[],
    { allow_model_migration = false, signal }: StoreRequest,
  ): Promise<StoreOutcome> {
    const warnings: string[] = [];
    await nextTurn(); // the arguments were read in this one
    checkBatch(items);
    const read = items.map((item) => {
      const { facts, problems } = readMetadata(item.metadata ?? {});
      warnings.push(...problems.map((problem) => `${item.id}: ${problem}`));
      return { item, facts };
    });
    if (warnings.length > MOST_PROBLEMS)
      warnings.splice(MOST_PROBLEMS, Infinity, `… and ${warnings.length - MOST_PROBLEMS} more like these`);
    const unread = new Set(items.flatMap(({ metadata }) => unreadKeys(metadata ?? {})));
    if (unread.size > 0)
      warnings.push(
        `Kept, but neither searched nor cited: metadata ${[...unread].slice(0, MOST_PROBLEMS).join(", ").slice(0, 500)}. Citations use author, title, year, publisher, translator, doi and url; filters use tags, citekey, doc and year.`,
      );
    const model = targetModel(project, read, embedders);
    const space = chooseSpace(project, model, allow_model_migration, embedders);
    checkItems(project, model, read);
    const vectors = await vectorsOf(read, model, embedders, warnings, signal);
    const chunks = read.map(({ item, facts }, index) => toChunk(item, facts, vectors[index] ?? []));
    // Only now, when everything else has gone well: a refused batch must not begin a migration.
    if (space === "next" && embedders.get(model)) {
      await migrations.start(project, model);
      warnings.push(
        `'${project.id}' is moving from '${project.model.id}' to '${model.id}'; searches use the old vectors until it is done. inspect_collection shows how far it is.`,
      );
    }
    const { added, updated } = await store.upsert(project.id, chunks, signal, space);
    return { added, updated, model, warnings };
  };
}

function checkBatch(items: readonly Item[]): void {
  const bare = items.filter(({ embedding }) => embedding === undefined);
  if (items.length > MOST_WITH_EMBEDDINGS)
    throw invalid(
      `has ${items.length} items; at most ${MOST_WITH_EMBEDDINGS} fit in one call. Send the rest in further calls.`,
    );
  if (bare.length > MOST_TO_EMBED)
    throw invalid(
      `has ${bare.length} items without an embedding; the server embeds at most ${MOST_TO_EMBED} in one call. Send the rest in further calls.`,
    );
  const characters = bare.reduce((sum, { text }) => sum + charactersToEmbed(text), 0);
  if (characters > MOST_CHARACTERS_TO_EMBED)
    throw invalid(
      `has texts of ${characters} characters without an embedding (outside the Latin script one counts as ${LATIN_CHARACTERS_PER_TOKEN}); the server embeds at most ${MOST_CHARACTERS_TO_EMBED} in one call. Send fewer items per call, cut long texts, or use ingest_documents.`,
    );
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw invalid(`has the id '${id}' twice. Ids name one chunk each.`);
    seen.add(id);
  }
}

function charactersToEmbed(text: string): number {
  let beyond = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= FIRST_BEYOND_LATIN) beyond++;
  return text.length + beyond * (LATIN_CHARACTERS_PER_TOKEN - 1);
}

/** The model of a batch: what its metadata says, else the bound one, else the server's own. */
function targetModel(project: Project, read: readonly ReadItem[], embedders: Embedders): ModelIdentity {
  const named = [
    ...new Set(read.flatMap(({ facts }) => (facts.embed_model === null ? [] : [usualName(facts.embed_model)]))),
  ];
  if (named.length > 1) throw invalid(`names several models (${named.join(", ")}). Send one call for each.`);
  const [id] = named;
  if (id !== undefined) {
    const isNamed = (model: ModelIdentity) => usualName(model.id) === id;
    if (isNamed(project.model)) return project.model;
    if (project.next_model && isNamed(project.next_model)) return project.next_model;
    return embedders.list().find(isNamed) ?? { ...NO_MODEL, id };
  }
  if (embedders.get(project.model)) return project.model;
  const bare = read.some(({ item }) => item.embedding === undefined);
  return bare && embedders.preferred ? embedders.preferred : project.model;
}

function chooseSpace(project: Project, model: ModelIdentity, allowed: boolean, embedders: Embedders): VectorSpace {
  if (sameModel(model, project.model)) return "bound";
  if (project.next_model && sameModel(model, project.next_model)) return "next";
  const details = { project: project.id, expected: project.model.id, provided: model.id };
  // A project that was made without a model has no vectors to mix up.
  if (!allowed && project.model.id !== NO_MODEL.id)
    throw new ShelfError(
      "EMBEDDING_MISMATCH",
      `'${project.id}' is bound to '${project.model.id}', not '${model.id}'. Embed with '${project.model.id}', leave the embeddings out, or set allow_model_migration to move the whole project.`,
      { details },
    );
  if (!embedders.get(model))
    throw new ShelfError(
      "EMBEDDING_MISMATCH",
      `'${project.id}' cannot move to '${model.id}': this server does not have it and could not embed the stored chunks again. It has: ${
        embedders
          .list()
          .map(({ id }) => id)
          .join(", ") || "none"
      }.`,
      { details },
    );
  return "next";
}

function checkItems(project: Project, model: ModelIdentity, read: readonly ReadItem[]): void {
  for (const { item, facts } of read) {
    if (facts.project !== null && facts.project !== project.id)
      throw invalid(`has '${item.id}', whose metadata names the project '${facts.project}', not '${project.id}'.`);
    const { embedding } = item;
    if (embedding === undefined) continue;
    if (embedding.length === 0)
      throw invalid(`has an empty embedding for '${item.id}'. Leave it out and the server embeds the text.`);
    if (embedding.length !== model.dimension)
      throw new ShelfError(
        "EMBEDDING_MISMATCH",
        `The embedding of '${item.id}' has ${embedding.length} numbers; '${model.id}' makes ${model.dimension}. Nothing was stored.`,
        {
          details: {
            project: project.id,
            expected: model.id,
            expected_dimension: model.dimension,
            provided_dimension: embedding.length,
            id: item.id,
          },
        },
      );
    // Large numbers overflow float32, and a zero vector has no direction.
    const floats = Float32Array.from(embedding);
    if (!floats.every(Number.isFinite))
      throw invalid(`has numbers in the embedding of '${item.id}' that are not finite.`);
    if (floats.every((value) => value === 0))
      throw invalid(`has an embedding of zeros for '${item.id}'. Leave it out and the server embeds the text.`);
  }
}

async function vectorsOf(
  read: readonly ReadItem[],
  model: ModelIdentity,
  embedders: Embedders,
  warnings: string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[][]> {
  const bare = read.filter(({ item }) => item.embedding === undefined);
  const embedder = embedders.get(model);
  if (bare.length > 0 && !embedder)
    warnings.push(
      `${plural(bare.length, "chunk")} can be found by words only: ${embedders.unavailable ?? `this server does not have '${model.id}'.`} Store them again when it has.`,
    );
  const made =
    embedder && bare.length > 0
      ? await embedChunks(
          embedder,
          bare.map(({ item, facts }) => ({ ...facts, text: item.text, metadata: item.metadata ?? {} })),
          signal,
        )
      : bare.map(() => []);
  let next = 0;
  return read.map(({ item }) => (item.embedding ? [Float32Array.from(item.embedding)] : (made[next++] ?? [])));
}

function toChunk(item: Item, facts: Facts, vectors: Float32Array[]): Chunk {
  const { embed_model: _model, project: _project, ...known } = facts;
  return {
    ...known,
    id: item.id,
    text: item.text,
    start: null,
    end: null,
    page_labels: null,
    language: facts.language ?? detectLanguage(item.text),
    metadata: item.metadata ?? {},
    vectors,
  };
}

const invalid = (problem: string) => badParameter("INVALID_INPUT", "items", problem, `items ${problem}`);
