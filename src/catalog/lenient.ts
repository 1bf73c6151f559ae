import type { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.js";
import type { Tool } from "./define-tool.js";

export type Arguments = Record<string, unknown>;
type Issue = z.core.$ZodIssue;

/** Parameters that clients add to every call on their own: Gemini CLI's mark for calls that have to wait. */
const NOT_OURS = ["wait_for_previous"];

/**
 * What a caller plainly meant. Models write `null` or `""` for what they leave out, quote numbers, write lists as text, and
 * name a thing as the last answer named it. Only what the schema refuses is touched, and what could mean two things is left
 * for the refusal.
 */
export function meant(tool: Tool, args: Arguments, issues: readonly Issue[]): Arguments {
  const once = repaired(tool, args, issues);
  // Twice: a list that was written as text can hold quoted numbers.
  const again = tool.input.safeParse(once, { reportInput: true });
  return again.success ? once : repaired(tool, once, again.error.issues);
}

function repaired(tool: Tool, args: Arguments, issues: readonly Issue[]): Arguments {
  const root = { ...args };
  const own = new Set<object>([root]);
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys" && issue.path.length === 0) readUnknown(tool, root, issue.keys);
    else if (issue.path.length) repairValue(tool, root, own, issue);
  }
  return root;
}

/** Only what leads to a repaired value is copied, and once: callers send batches, and things nested deeper than a stack. */
function holderOf(root: Arguments, own: Set<object>, path: readonly PropertyKey[]): Arguments | undefined {
  let holder = root;
  for (const step of path.slice(0, -1) as string[]) {
    const inner = Object.hasOwn(holder, step) ? holder[step] : undefined;
    if (typeof inner !== "object" || inner === null) return undefined;
    const copy = (own.has(inner) ? inner : Array.isArray(inner) ? [...inner] : { ...inner }) as Arguments;
    own.add(copy);
    holder[step] = copy;
    holder = copy;
  }
  return holder;
}

function repairValue(tool: Tool, root: Arguments, own: Set<object>, issue: Issue): void {
  const { path, input } = issue;
  const key = path.at(-1) as string;
  const holder = holderOf(root, own, path);
  if (!holder || !Object.hasOwn(holder, key)) return;
  if (input === null && !Array.isArray(holder)) delete holder[key];
  else if (input === "" && path.length === 1 && isKind(issue) && maybeAbsent(tool, key)) delete holder[key];
  else if (issue.code === "invalid_type") holder[key] = converted(input, issue.expected);
}

/** Refused for what it is, not for how it is written: an empty text where a number or one of a few words is expected. */
const isKind = (issue: Issue) => issue.code === "invalid_type" || issue.code === "invalid_value";

function maybeAbsent(tool: Tool, key: string): boolean {
  const field = tool.input.shape[key] as z.ZodType | undefined;
  return field?.safeParse(undefined).success ?? false;
}

/** The value converted to the expected type, or unchanged if the conversion is ambiguous. */
function converted(value: unknown, expected: string): unknown {
  if (expected === "string") return typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (expected === "number" || expected === "int") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : value;
  if (expected === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if ((expected === "array" && text.startsWith("[")) || (expected === "object" && text.startsWith("{")))
    return jsonOrUndefined(text) ?? value;
  return value;
}

/** Names used in answers, and the parameters they stand for; the first one that the tool has and the call lacks. */
const SAME_THING = new Map([
  ["book_id", ["source_id"]],
  ["source_id", ["book_id"]],
  ["doc_id", ["document_id", "source"]],
  ["document_id", ["doc_id", "source"]],
  ["citekey", ["source"]],
  ["id", ["chunk_id"]],
  ["chunk_ids", ["ids"]],
  ["project_id", ["project"]],
  ["notebook_id", ["project"]],
]);

/** A tool accepts the field names that other tools' answers use for the same thing. */
function readUnknown(tool: Tool, args: Arguments, unknown: readonly string[]): void {
  for (const name of unknown) {
    if (NOT_OURS.includes(name)) delete args[name];
    const parameter = parameterFor(tool, name, args);
    if (!parameter) continue;
    args[parameter] = args[name];
    delete args[name];
  }
}

function parameterFor(tool: Tool, name: string, args: Arguments): string | undefined {
  const free = Object.keys(tool.input.shape).filter((parameter) => !(parameter in args));
  const others = SAME_THING.get(name) ?? [];
  const same = others.find((parameter) => free.includes(parameter));
  if (same) return same;
  // get_highlight takes highlight_id for its id, get_notebook takes id for its notebook_id.
  if (free.includes("id") && name.endsWith("_id")) {
    const nouns = [name, ...others].filter((noun) => noun.endsWith("_id")).map((noun) => noun.slice(0, -3));
    return nouns.some((noun) => tool.name.includes(noun)) ? "id" : undefined;
  }
  const ids = free.filter((parameter) => parameter.endsWith("_id") && !maybeAbsent(tool, parameter));
  return name === "id" && ids.length === 1 ? ids[0] : undefined;
}
