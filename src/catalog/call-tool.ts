import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { type ErrorCode, type Failure, failure, ShelfError } from "../kernel/errors.js";
import { redact } from "../kernel/log.js";
import type { CallContext } from "./context.js";
import type { Tool } from "./define-tool.js";
import type { ShelfName } from "./profiles.js";

export type Outcome = { ok: true; data: Record<string, unknown> } | { ok: false; error: Failure };

/** Each contract's own words for what can happen to any call. */
const SPELLING: Record<ShelfName, { invalid: ErrorCode; timeout: ErrorCode; internal: ErrorCode }> = {
  readwise: { invalid: "invalid_param", timeout: "timeout", internal: "internal_error" },
  notebooks: { invalid: "INVALID_INPUT", timeout: "TIMEOUT", internal: "INTERNAL_ERROR" },
  chunks: { invalid: "INVALID_INPUT", timeout: "TIMEOUT", internal: "INTERNAL_ERROR" },
};

/** MCP, the command line, the page and the tests all come through here. It holds the only catch-all. */
export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<Outcome> {
  const started = performance.now();
  const timeoutMs = context.services.deadline?.(tool) ?? tool.timeoutMs;
  const { signal, done } = deadline(context.signal, timeoutMs);
  let outcome: Outcome;
  try {
    const input = parseInput(tool, args, context.calledAs ?? tool.name);
    const { services, caller, progress } = context;
    const run = tool.run(input, {
      ...services,
      readwise: services.readwise.forKey(caller.readwiseKey),
      signal,
      progress,
    });
    const data = await orAborted(signal, run);
    outcome = { ok: true, data: tool.output.parse(data) };
  } catch (error) {
    outcome = { ok: false, error: toFailure(error, tool, timeoutMs, context) };
  } finally {
    done();
  }
  context.services.observe?.({
    tool: tool.name,
    ms: performance.now() - started,
    code: outcome.ok ? "ok" : outcome.error.code,
  });
  return outcome;
}

/**
 * Aborted by the caller or by the clock, whichever is first. `done` takes the timer back: `AbortSignal.timeout` would
 * keep one for the whole deadline of every call that was answered long before.
 */
function deadline(caller: AbortSignal, timeoutMs: number): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const onCaller = () => controller.abort(caller.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException("The deadline has passed.", "TimeoutError")),
    timeoutMs,
  );
  if (caller.aborted) onCaller();
  else caller.addEventListener("abort", onCaller, { once: true });
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer);
      caller.removeEventListener("abort", onCaller);
    },
  };
}

function parseInput(tool: Tool, args: unknown, name: string): unknown {
  const parsed = tool.input.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const found = firstOfEachField(parsed.error.issues.flatMap(describeIssue));
  const fields = found.slice(0, MOST_FIELDS);
  const special = parsed.error.issues.find((issue) => issue.code === "too_big" && tool.tooBig[String(issue.path[0])]);
  const code = special ? tool.tooBig[String(special.path[0])]! : SPELLING[tool.shelf].invalid;
  const more = found.length > fields.length ? `; and ${found.length - fields.length} more` : "";
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ") + more;
  const known = Object.keys(tool.input.shape);
  const hint = known.length ? `Parameters: ${known.join(", ")}.` : "It takes no parameters.";
  throw new ShelfError(code, `${name} was not called. ${problems}. ${hint}`, { details: { fields } });
}

interface BadField {
  field: string;
  problem: string;
}

/** A batch of vectors can be wrong in every number; an answer is no place for all of them. */
const MOST_FIELDS = 50;

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

/** Settles when `work` does or when the deadline passes, whichever is first; the loser's result is dropped. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort!);
    work.catch(() => {});
  }
}

function toFailure(error: unknown, tool: Tool, timeoutMs: number, context: CallContext): Failure {
  const spelling = SPELLING[tool.shelf];
  const name = context.calledAs ?? tool.name;
  if (error instanceof ShelfError) return failure(error.code, error.message, error.details, error.retry_after);
  if (isTimeout(error))
    return failure(spelling.timeout, `${name} did not finish within ${timeoutMs / 1000} s and was cancelled.`, {
      timeout_ms: timeoutMs,
    });
  if (context.signal.aborted)
    return failure(spelling.timeout, `${name} was cancelled by the caller.`, { cancelled: true });
  const correlation_id = randomUUID();
  const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? String(error.cause) : undefined;
  context.services.log?.error("tool failed unexpectedly", {
    tool: tool.name,
    correlation_id,
    error: redact(report, [context.caller.readwiseKey]),
    ...(cause ? { cause: redact(cause, [context.caller.readwiseKey]) } : {}),
  });
  return failure(
    spelling.internal,
    `Something went wrong on our side. Report it with correlation id ${correlation_id}.`,
    { correlation_id },
  );
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
