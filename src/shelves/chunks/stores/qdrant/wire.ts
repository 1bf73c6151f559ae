import { z } from "zod";

/** The fields we use of Qdrant's requests and answers. */
export const Version = z.object({ version: z.string() });
export const Done = z.unknown();
export const Written = z.object({ status: z.string() });
export const Count = z.object({ count: z.number() });
export const Collections = z.object({ collections: z.array(z.object({ name: z.string() })) });
export const Facet = z.object({
  hits: z.array(z.object({ value: z.union([z.string(), z.number()]), count: z.number() })),
});
export const CollectionInfo = z.object({
  config: z.object({ metadata: z.record(z.string(), z.unknown()).nullish() }),
  payload_schema: z.record(z.string(), z.object({ data_type: z.string() })),
});

/** Vectors are most of an answer: not validated here, but where they are used. */
const Vectors = z.custom<NamedVectors>((value) => typeof value === "object" && value !== null);
const PointFields = { id: z.string(), payload: z.record(z.string(), z.unknown()).nullish(), vector: Vectors.nullish() };
export const Points = z.array(z.object(PointFields));
export const Page = z.object({ points: Points, next_page_offset: z.string().nullish() });
export const Hits = z.object({ points: z.array(z.object({ ...PointFields, score: z.number() })) });
export const HitLists = z.array(Hits);

export interface SparseVector {
  indices: number[];
  values: number[];
}
export type NamedVectors = Record<string, number[][] | SparseVector>;
export const WORDS = "bm25";
export function denseIn(vector: NamedVectors | null | undefined, name: string): number[][] {
  const found = vector?.[name];
  return Array.isArray(found) ? found : [];
}
export function sparseIn(vector: NamedVectors | null | undefined): SparseVector {
  const found = vector?.[WORDS];
  return found && !Array.isArray(found) ? found : { indices: [], values: [] };
}
export interface Point {
  id: string;
  vector: NamedVectors;
  payload: Record<string, unknown>;
}
export type Condition =
  | {
      key: string;
      match:
        | { value: string | number }
        | { any: readonly string[] }
        | { phrase: string }
        | { text: string }
        | { text_any: string };
    }
  | { key: string; range: { gte?: number; lte?: number } }
  | { has_id: readonly string[] }
  | { has_vector: string }
  | Filter;
export interface Filter {
  must?: Condition[];
  must_not?: Condition[];
  should?: Condition[];
}
