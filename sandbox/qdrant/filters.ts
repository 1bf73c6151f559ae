import {
  type Condition,
  type FieldCondition,
  type Filter,
  type IndexParams,
  malformed,
  type PointId,
  Refusal,
  strictly,
} from "./wire.js";

export interface Filterable {
  id: PointId;
  payload: Record<string, unknown>;
  vectors: ReadonlyMap<string, unknown>;
}
type Indexes = ReadonlyMap<string, IndexParams>;

export function passes(point: Filterable, filter: Filter | null | undefined, indexes: Indexes): boolean {
  if (!filter) return true;
  const holds = (condition: Condition) => meets(point, condition, indexes);
  const should = listOf(filter.should);
  return (
    listOf(filter.must).every(holds) &&
    !listOf(filter.must_not).some(holds) &&
    (should.length === 0 || should.some(holds)) &&
    (!filter.min_should || filter.min_should.conditions.filter(holds).length >= filter.min_should.min_count)
  );
}

function meets(point: Filterable, condition: Condition, indexes: Indexes): boolean {
  if ("has_id" in condition) return condition.has_id.includes(point.id);
  if ("has_vector" in condition) return point.vectors.has(condition.has_vector);
  if ("is_empty" in condition) return valuesAt(point.payload, condition.is_empty.key).every((value) => value === null);
  if ("is_null" in condition) return valuesAt(point.payload, condition.is_null.key).some((value) => value === null);
  if ("key" in condition) return fieldMeets(point, condition, indexes.get(condition.key));
  return passes(point, condition, indexes);
}

function fieldMeets(point: Filterable, { key, match, range }: FieldCondition, index: IndexParams | undefined): boolean {
  const values = valuesAt(point.payload, key);
  if (range)
    return values.some(
      (value) =>
        typeof value === "number" &&
        value >= (range.gte ?? Number.NEGATIVE_INFINITY) &&
        value <= (range.lte ?? Number.POSITIVE_INFINITY) &&
        value > (range.gt ?? Number.NEGATIVE_INFINITY) &&
        value < (range.lt ?? Number.POSITIVE_INFINITY),
    );
  if (!match) return false;
  if (match.value !== undefined) return values.includes(match.value);
  if (match.any) return values.some((value) => match.any?.includes(value as string));
  if (match.except) return values.some((value) => !match.except?.includes(value as string));
  const texts = values.filter((value) => typeof value === "string");
  if (match.prefix !== undefined) return texts.some((text) => text.startsWith(match.prefix ?? ""));
  return texts.some((text) => textMeets(text, match, index));
}

function textMeets(text: string, match: NonNullable<FieldCondition["match"]>, index: IndexParams | undefined): boolean {
  const wanted = match.text ?? match.text_any ?? match.phrase ?? "";
  if (index?.type !== "text") return text.includes(wanted);
  const asked = tokens(wanted, index, "query");
  if (asked.length === 0) return false;
  const found = tokens(text, index, "document");
  if (match.phrase !== undefined) {
    if (!index.phrase_matching) return asked.every((token) => found.includes(token));
    return found.some((_token, start) => asked.every((token, offset) => found[start + offset] === token));
  }
  const has = new Set(found);
  return match.text_any === undefined ? asked.every((token) => has.has(token)) : asked.some((token) => has.has(token));
}

function tokens(text: string, index: IndexParams, side: "query" | "document"): string[] {
  const words = index.tokenizer === "whitespace" ? text.split(/\s+/u) : text.split(/[^\p{Alphabetic}\p{N}]+/u);
  const longest = index.max_token_len ?? Number.POSITIVE_INFINITY;
  const shortest = index.min_token_len ?? 0;
  const pieces = words.filter(Boolean).flatMap((word) => {
    const cased = index.lowercase === false ? word : word.toLowerCase();
    if (index.tokenizer !== "prefix") return [cased];
    const letters = [...cased];
    const reach = Math.min(letters.length, longest);
    if (side === "query") return [letters.slice(0, reach).join("")];
    return Array.from({ length: reach }, (_, i) => letters.slice(0, i + 1).join(""));
  });
  return pieces.filter((piece) => [...piece].length >= shortest && [...piece].length <= longest);
}

/** Values under a dotted path; lists count one value per element. */
export function valuesAt(payload: Record<string, unknown>, key: string): unknown[] {
  let values: unknown[] = [payload];
  for (const part of key.split("."))
    values = values.flatMap((value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) && part in value
        ? [(value as Record<string, unknown>)[part]]
        : [],
    );
  return values.flat();
}

const CONDITIONS = ["key", "has_id", "has_vector", "is_empty", "is_null", "must", "should", "must_not", "min_should"];

/** What is no filter at all is refused before anything else. */
export function requireShape(filter: Filter | null | undefined): void {
  if (filter === null || filter === undefined) return;
  if (typeof filter !== "object") throw malformed(`invalid type: ${typeof filter}, expected struct Filter`);
  for (const condition of conditionsOf(filter)) {
    if (!CONDITIONS.some((name) => name in condition)) throw malformed("Expected some form of condition");
    if ("key" in condition) {
      if (!condition.match && !condition.range)
        throw new Refusal(422, "Validation error in JSON body: [At least one field condition must be specified]");
    } else if (CONDITIONS.slice(5).some((name) => name in condition)) requireShape(condition as Filter);
  }
}

const conditionsOf = (filter: Filter): Condition[] => [
  ...listOf(filter.must),
  ...listOf(filter.should),
  ...listOf(filter.must_not),
  ...(filter.min_should?.conditions ?? []),
];

/** Strict mode: a filter on a field without a fitting index is refused. */
export function requireIndexes(filter: Filter | null | undefined, indexes: Indexes): void {
  if (!filter) return;
  for (const condition of conditionsOf(filter)) {
    if ("has_id" in condition || "has_vector" in condition) continue;
    if ("must" in condition || "should" in condition || "must_not" in condition || "min_should" in condition) {
      requireIndexes(condition, indexes);
      continue;
    }
    const key =
      "key" in condition
        ? condition.key
        : "is_empty" in condition
          ? condition.is_empty.key
          : (condition as { is_null: { key: string } }).is_null.key;
    const fitting = "key" in condition ? typesFor(condition) : [];
    const index = indexes.get(key);
    const type = index?.type;
    const withoutRanges = "key" in condition && condition.range && index?.range === false;
    if (type === undefined || withoutRanges || (fitting.length > 0 && !fitting.includes(type)))
      throw strictly(
        `Index required but not found for "${key}" of one of the following types: [${fitting.join(", ")}]`,
        "Create an index for this key or use a different filter.",
      );
  }
}

function typesFor({ match, range }: FieldCondition): string[] {
  if (range) return ["integer", "float", "datetime"];
  const value = match?.value ?? match?.any?.[0] ?? match?.except?.[0];
  if (typeof value === "string") return ["keyword", "uuid"];
  if (typeof value === "number") return ["integer"];
  if (typeof value === "boolean") return ["bool"];
  return match?.prefix === undefined ? ["text"] : ["keyword"];
}

function listOf(conditions: Condition | Condition[] | null | undefined): Condition[] {
  if (!conditions) return [];
  return Array.isArray(conditions) ? conditions : [conditions];
}
