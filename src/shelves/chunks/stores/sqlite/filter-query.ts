import type { Filters } from "../../chunk-store.js";
import type { Database, Value } from "./database.js";
import { headingsKey } from "./rows.js";
import { ordinalOf } from "./schema.js";

/** By ordinal: 1 where the chunk passes every filter; undefined where there is none. */
export function allowedOrdinals(
  db: Database,
  project: number,
  ordinals: number,
  filters: Filters | undefined,
): Uint8Array | undefined {
  if (!filters || Object.values(filters).every(isEmpty)) return undefined;
  const passed = new Uint8Array(ordinals);
  let conditions = 0;
  const require = (found: Iterable<number>) => {
    for (const ordinal of found) if (passed[ordinal] === conditions) passed[ordinal] = conditions + 1;
    conditions++;
  };
  const columns = columnConditions(filters);
  if (columns.sql.length > 0) {
    const sql = `select key from chunks where project = ? and ${columns.sql.join(" and ")}`;
    const rows = db.read<[number]>(sql).all(project, ...columns.values);
    require(rows.map(([key]) => ordinalOf(key)));
  }
  const tagged = (tag: string) =>
    db
      .read<[number]>("select ordinal from chunk_tags where project = ? and tag = ?")
      .all(project, tag)
      .map(([ordinal]) => ordinal);
  for (const tag of new Set(filters.tags ?? [])) require(tagged(tag));
  if (filters.tags_any?.length) require(new Set(filters.tags_any.flatMap(tagged)));
  for (let i = 0; i < passed.length; i++) passed[i] = passed[i] === conditions ? 1 : 0;
  return passed;
}

function columnConditions(filters: Filters): { sql: string[]; values: Value[] } {
  const sql: string[] = [];
  const values: Value[] = [];
  const add = (condition: string, ...bound: Value[]) => {
    sql.push(condition);
    values.push(...bound);
  };
  if (filters.citekey !== undefined) add("citekey = ?", filters.citekey);
  if (filters.doc_id !== undefined) add("doc_id = ?", filters.doc_id);
  if (filters.year !== undefined) add("year = ?", filters.year);
  if (filters.year_from !== undefined) add("year >= ?", filters.year_from);
  if (filters.year_to !== undefined) add("year <= ?", filters.year_to);
  if (filters.kind !== undefined) add("json_extract(rest, '$.metadata.kind') = ?", filters.kind);
  if (filters.section_prefix?.length) {
    const beginning = headingsKey(filters.section_prefix);
    add("substr(headings, 1, length(?)) = ?", beginning, beginning);
  }
  return { sql, values };
}

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
