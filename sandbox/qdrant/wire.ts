/** Shapes of requests, after Qdrant's OpenAPI document; what the document allows and nobody sends is left out. */
export type PointId = string | number;
export type Payload = Record<string, unknown>;
export interface Sparse {
  indices: number[];
  values: number[];
}
export type Vector = number[] | number[][] | Sparse;

export interface Filter {
  must?: Condition | Condition[] | null;
  should?: Condition | Condition[] | null;
  must_not?: Condition | Condition[] | null;
  min_should?: { conditions: Condition[]; min_count: number } | null;
}
export interface FieldCondition {
  key: string;
  match?: {
    value?: string | number | boolean;
    any?: (string | number)[];
    except?: (string | number)[];
    text?: string;
    text_any?: string;
    phrase?: string;
    prefix?: string;
  };
  range?: { gt?: number; gte?: number; lt?: number; lte?: number };
}
export type Condition =
  | FieldCondition
  | { has_id: PointId[] }
  | { is_empty: { key: string } }
  | { is_null: { key: string } }
  | { has_vector: string }
  | Filter;

export interface IndexParams {
  type: "keyword" | "integer" | "float" | "bool" | "text" | "uuid" | "datetime" | "geo";
  tokenizer?: "prefix" | "whitespace" | "word" | "multilingual";
  lowercase?: boolean | null;
  min_token_len?: number | null;
  max_token_len?: number | null;
  phrase_matching?: boolean | null;
  enable_hnsw?: boolean | null;
  [other: string]: unknown;
}

export interface QueryRequest {
  prefetch?: QueryRequest | QueryRequest[] | null;
  query?: unknown;
  using?: string | null;
  filter?: Filter | null;
  params?: { exact?: boolean; hnsw_ef?: number | null; indexed_only?: boolean } | null;
  score_threshold?: number | null;
  limit?: number | null;
  offset?: number | null;
  with_payload?: WithPayload | null;
  with_vector?: boolean | string[] | null;
}
export type WithPayload = boolean | string[] | { include: string[] } | { exclude: string[] };

export interface CollectionSettings {
  vectors?: Record<string, DenseParams> | DenseParams;
  sparse_vectors?: Record<string, { modifier?: "none" | "idf" | null }> | null;
  metadata?: Payload | null;
  strict_mode_config?: StrictMode | null;
}
export interface DenseParams {
  size: number;
  distance: "Cosine" | "Dot" | "Euclid" | "Manhattan";
  multivector_config?: { comparator: "max_sim" } | null;
  [other: string]: unknown;
}
export interface StrictMode {
  enabled?: boolean | null;
  unindexed_filtering_retrieve?: boolean | null;
  unindexed_filtering_update?: boolean | null;
  max_query_limit?: number | null;
  upsert_max_batchsize?: number | null;
  search_allow_exact?: boolean | null;
  [other: string]: unknown;
}

/** A refusal as Qdrant words it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}
export const wrongInput = (message: string) => new Refusal(400, `Wrong input: ${message}`);
export const strictly = (message: string, help: string) => new Refusal(400, `Bad request: ${message}. Help: ${help}`);
export const malformed = (message: string) => new Refusal(400, `Format error in JSON body: ${message}`);
