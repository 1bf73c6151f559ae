import type { z } from "zod";
import { type ErrorCode, ShelfError } from "../kernel/errors.js";
import { isObject } from "../kernel/json.js";
import type { OfferedTool } from "./context.js";
import type { Tool } from "./define-tool.js";
import { type Arguments, meant } from "./lenient.js";
import { type Place, readCursor } from "./paging.js";
import type { ShelfName } from "./profiles.js";

const INVALID: Record<ShelfName, ErrorCode> = {
  readwise: "invalid_param",
  notebooks: "INVALID_INPUT",
  chunks: "INVALID_INPUT",
};

/** The name of a tool at its door, and the other tools there. */
interface Called {
  name: string;
  offered: readonly OfferedTool[];
}

interface ReadArguments {
  input: Arguments;
  /** The position in the list where the answer begins. */
  place: Place;
}

/** The checked arguments, or an error that names everything wrong with them. */
export function readArguments(tool: Tool, args: unknown, call: Called): ReadArguments {
  const cursor = tool.list && isObject(args) ? args.cursor : undefined;
  if (typeof cursor !== "string") {
    const { input, given } = parse(tool, args ?? {}, call);
    return { input, place: { given: withoutCursor(given), mark: undefined, skip: 0 } };
  }
  const place = readCursor(cursor);
  if (!place) throw refusal(tool, call, [{ field: "cursor", problem: "not a next_cursor of this tool" }]);
  const { input: first } = parse(tool, place.given, call);
  const { input } = parse(tool, { ...place.given, ...withoutCursor(args as Arguments) }, call);
  const changed = Object.keys(input).filter((key) => JSON.stringify(first[key]) !== JSON.stringify(input[key]));
  if (changed.length)
    throw refusal(
      tool,
      call,
      changed.map((field) => ({
        field,
        problem: `the cursor continues a list with ${JSON.stringify(first[field] ?? null)}; repeat that or leave it out`,
      })),
    );
  return { input, place };
}

/** Parsed by the schema, otherwise after lenient conversion. */
function parse(tool: Tool, args: unknown, call: Called): { input: Arguments; given: Arguments } {
  const strict = tool.input.safeParse(args, { reportInput: true });
  if (strict.success) return { input: strict.data, given: args as Arguments };
  const given = isObject(args) ? meant(tool, args, strict.error.issues) : args;
  const lenient = tool.input.safeParse(given, { reportInput: true });
  if (lenient.success) return { input: lenient.data, given: given as Arguments };
  const { issues } = lenient.error;
  const special = issues.find((issue) => issue.code === "too_big" && tool.tooBig[String(issue.path[0])]);
  throw refusal(
    tool,
    call,
    firstOfEachField(issues.flatMap((issue) => describeIssue(tool, issue))),
    special && tool.tooBig[String(special.path[0])],
  );
}

function withoutCursor({ cursor: _cursor, ...given }: Arguments): Arguments {
  return given;
}

const UNKNOWN = "unknown parameter";

interface BadField {
  field: string;
  problem: string;
}

/** A batch of vectors can be wrong in every number: only the first problems are listed. */
const MOST_FIELDS = 50;

function refusal(tool: Tool, call: Called, found: readonly BadField[], code = INVALID[tool.shelf]): ShelfError {
  const fields = found.slice(0, MOST_FIELDS);
  const more = found.length > fields.length ? `; and ${found.length - fields.length} more` : "";
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ") + more;
  const known = Object.keys(tool.input.shape);
  const hint = known.length ? `Parameters: ${known.join(", ")}.` : "It takes no parameters.";
  const other = namesake(tool, call, fields);
  return new ShelfError(
    code,
    `${call.name} was not called. ${problems}. ${hint}${other ? ` ${other.name} takes ${other.takes}.` : ""}`,
    { details: { fields } },
  );
}

/** Another tool with this name at its own shelf's door that accepts the unknown parameters. */
function namesake(tool: Tool, { offered }: Called, fields: readonly BadField[]) {
  const unknown = fields.filter(({ problem }) => problem === UNKNOWN).map(({ field }) => field);
  const other = offered.find(
    (candidate) =>
      candidate !== tool &&
      candidate.doorName === tool.name &&
      unknown.length > 0 &&
      unknown.every((field) => field in candidate.input.shape),
  );
  return other && { name: other.name, takes: unknown.join(", ") };
}

/** An empty value is also too short: one reason is enough. */
function firstOfEachField(fields: readonly BadField[]): BadField[] {
  const seen = new Set<string>();
  return fields.filter(({ field }) => !seen.has(field) && seen.add(field));
}

function describeIssue(tool: Tool, issue: z.core.$ZodIssue): BadField[] {
  const field = issue.path.length ? issue.path.map(String).join(".") : "arguments";
  if (issue.code === "unrecognized_keys") {
    if (issue.path.length === 0) return issue.keys.map((key) => ({ field: key, problem: UNKNOWN }));
    const problem = `${UNKNOWN} (there are ${namesAt(tool, issue.path).join(", ")})`;
    return issue.keys.map((key) => ({ field: `${field}.${key}`, problem }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined)
    return [{ field, problem: `required (${issue.expected})` }];
  return [{ field, problem: issue.message }];
}

/** The names that an object inside the arguments may have; the tool's own are in every refusal. */
function namesAt(tool: Tool, path: readonly PropertyKey[]): string[] {
  const definition = (schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return "innerType" in def ? definition(def.innerType) : def;
  };
  let at = definition(tool.input);
  for (const step of path) {
    const inner = at.type === "object" ? at.shape[String(step)] : at.type === "array" ? at.element : undefined;
    if (!inner) return [];
    at = definition(inner);
  }
  return at.type === "object" ? Object.keys(at.shape) : [];
}
