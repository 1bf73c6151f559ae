import { ShelfError } from "../../../kernel/errors.js";

/** What makes two vectors comparable. Another value in any field is another space. */
export interface ModelIdentity {
  /** The name callers use, such as "all-MiniLM-L6-v2". */
  id: string;
  dimension: number;
  pooling: string;
  max_tokens: number;
  /** SHA-256 of the weights or graph; null where a remote server does not tell. */
  weights_sha256: string | null;
}

/** The pooling of a model whose graph gives one vector per text by itself. */
export const IN_GRAPH = "graph";

/** What a project is bound to where no model is available: it has no vectors, so it can be bound to any model later. */
export const NO_MODEL: ModelIdentity = {
  id: "none",
  dimension: 1,
  pooling: "none",
  max_tokens: 1,
  weights_sha256: null,
};

export function sameModel(a: ModelIdentity, b: ModelIdentity): boolean {
  return (
    a.id === b.id &&
    a.dimension === b.dimension &&
    a.pooling === b.pooling &&
    a.max_tokens === b.max_tokens &&
    a.weights_sha256 === b.weights_sha256
  );
}

/** How tokens are counted, in a form another process can follow. */
export type TokenCounting = { by: "tokenizer"; file: string } | { by: "letters" } | { by: "words" };

/** A text that is to be cut for a model. */
export interface Passage {
  text: string;
  /** Title and headings, which stand in front of every window. */
  prefix: string;
}

/** What a text is embedded for: to search with, to be found, or to be found some time, when nobody waits for it. */
export type Purpose = "query" | "passage" | "background";

/** Turns text into unit vectors. */
export interface Embedder {
  readonly identity: ModelIdentity;
  readonly tokens: TokenCounting;
  /** One vector per text, in order. A text over `max_tokens` is refused: callers cut it with `windows` first. */
  embed(
    texts: readonly string[],
    options?: { signal?: AbortSignal | undefined; as?: Purpose },
  ): Promise<Float32Array[]>;
  /** Each text cut into pieces the model can read whole, each with its prefix in front of it. */
  windows(passages: readonly Passage[]): Promise<string[][]>;
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

/** The models this server has. */
export interface Embedders {
  /** The model new projects are bound to; undefined where only words can be searched, with the reason. */
  readonly preferred: ModelIdentity | undefined;
  readonly unavailable: string | undefined;
  /** The embedder for a bound model, or undefined where the server does not have exactly that one. */
  get(identity: Pick<ModelIdentity, "id"> & Partial<ModelIdentity>): Embedder | undefined;
  list(): ModelIdentity[];
  close(): Promise<void>;
}

/** A text that a model cannot read whole. */
export function tooLong(index: number, tokens: number, limit: number, about = ""): ShelfError {
  return new ShelfError(
    "INVALID_INPUT",
    `The text has ${about}${tokens} tokens and the model reads ${limit}. Shorten it.`,
    { details: { index, tokens, max_tokens: limit } },
  );
}

const ORGANISATIONS = ["fastembed/", "sentence-transformers/"];

/** A model's name without the library it is published under: `fastembed/all-MiniLM-L6-v2` is `all-MiniLM-L6-v2`. */
export function usualName(id: string): string {
  const known = ORGANISATIONS.find((name) => id.toLowerCase().startsWith(name));
  return known ? id.slice(known.length) : id;
}
