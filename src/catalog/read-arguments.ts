import type { z } from "zod";
import { type ErrorCode, ShelfError } from "../kernel/errors.js";
import type { Tool } from "./define-tool.js";
import { type Place, readCursor } from "./paging.js";
import type { ShelfName } from "./profiles.js";

const INVALID: Record<ShelfName, ErrorCode> = {
  readwise: "invalid_param",
  notebooks: "INVALID_INPUT",
  chunks: "INVALID_INPUT",
};

export interface ReadArguments {
  input: Record<string, unknown>;
  /** Where in its list the answer begins. */
  place: Place;
}

/** What a tool was given, checked, and the refusal that names everything wrong with it. */
export function readArguments(tool: Tool, args: unknown, name: string): ReadArguments {
  const { cursor, ...given } = (tool.list && isObject(args) ? args : { cursor: undefined }) as Record<string, unknown>;
  if (typeof cursor !== "string") {
    const input = parse(tool, args ?? {}, name);
    return { input, place: { given, mark: undefined, skip: 0 } };
  }
  const place = readCursor(cursor);
  if (!place) throw refusal(tool, name, [{ field: "cursor", problem: "not a next_cursor of this tool" }]);
  const first = parse(tool, place.given, name);
  const input = parse(tool, { ...place.given, ...given }, name);
  const changed = Object.keys(given).filter((key) => JSON.stringify(first[key]) !== JSON.stringify(input[key]));
  if (changed.length)
    throw refusal(
      tool,
      name,
      changed.map((field) => ({
        field,
        problem: `the cursor continues a list with ${JSON.stringify(first[field] ?? null)}; repeat that or leave it out`,
      })),
    );
  return { input, place };
}

function parse(tool: Tool, args: unknown, name: string): Record<string, unknown> {
  const parsed = tool.input.safeParse(args, { reportInput: true });
  if (parsed.success) return parsed.data;
  const special = parsed.error.issues.find((issue) => issue.code === "too_big" && tool.tooBig[String(issue.path[0])]);
  const found = firstOfEachField(parsed.error.issues.flatMap(describeIssue));
  throw refusal(tool, name, found, special && tool.tooBig[String(special.path[0])]);
}

interface BadField {
  field: string;
  problem: string;
}

/** A batch of vectors can be wrong in every number; an answer is no place for all of them. */
const MOST_FIELDS = 50;

function refusal(tool: Tool, name: string, found: readonly BadField[], code = INVALID[tool.shelf]): ShelfError {
  const fields = found.slice(0, MOST_FIELDS);
  const more = found.length > fields.length ? `; and ${found.length - fields.length} more` : "";
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ") + more;
  const known = Object.keys(tool.input.shape);
  const hint = known.length ? `Parameters: ${known.join(", ")}.` : "It takes no parameters.";
  return new ShelfError(code, `${name} was not called. ${problems}. ${hint}`, { details: { fields } });
}

/** What is empty is also too short: one reason is enough. */
function firstOfEachField(fields: readonly BadField[]): BadField[] {
  const seen = new Set<string>();
  return fields.filter(({ field }) => !seen.has(field) && seen.add(field));
}

function describeIssue(issue: z.core.$ZodIssue): BadField[] {
  const field = issue.path.length ? issue.path.map(String).join(".") : "arguments";
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      field: issue.path.length ? `${field}.${key}` : key,
      problem: "unknown parameter",
    }));
  if (issue.code === "invalid_type" && issue.input === undefined)
    return [{ field, problem: `required (${issue.expected})` }];
  return [{ field, problem: issue.message }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
