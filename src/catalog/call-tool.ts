import { randomUUID } from "node:crypto";
import { type ErrorCode, type Failure, failure, ShelfError } from "../kernel/errors.js";
import { redact } from "../kernel/log.js";
import { orAborted } from "../kernel/or-aborted.js";
import { lastCut, MOST_CHARS, USUAL_CHARS } from "./answer-budget.js";
import type { CallContext } from "./context.js";
import type { Tool } from "./define-tool.js";
import { cutToBudget } from "./paging.js";
import type { ShelfName } from "./profiles.js";
import { readArguments } from "./read-arguments.js";

export type Outcome = { ok: true; data: Record<string, unknown> } | { ok: false; error: Failure };

/** Each contract's own words for what can happen to any call. */
const SPELLING: Record<ShelfName, { timeout: ErrorCode; internal: ErrorCode }> = {
  readwise: { timeout: "timeout", internal: "internal_error" },
  notebooks: { timeout: "TIMEOUT", internal: "INTERNAL_ERROR" },
  chunks: { timeout: "TIMEOUT", internal: "INTERNAL_ERROR" },
};

/** MCP, the command line, the page and the tests all call tools through this function. It has the only catch-all. */
export async function callTool(tool: Tool, args: unknown, context: CallContext): Promise<Outcome> {
  const started = performance.now();
  const timeoutMs = context.services.deadline?.(tool) ?? tool.timeoutMs;
  const { signal, done } = deadline(context.signal, timeoutMs);
  let outcome: Outcome;
  try {
    const { input, place } = readArguments(tool, args, {
      name: context.calledAs ?? tool.name,
      offered: context.offered ?? [],
    });
    const budget = budgetFor(tool, input);
    const { services, caller, progress } = context;
    const run = tool.run(input, {
      ...services,
      // A library is made where a tool reads it, and most tools do not.
      get readwise() {
        return services.readwise.forKey(caller.readwiseKey);
      },
      signal,
      progress,
      budget,
      cursor: place.mark,
    });
    const data = tool.output.parse(await orAborted(run, signal));
    outcome = { ok: true, data: lastCut(tool.list ? cutToBudget(data, tool.list, place, budget) : data, budget) };
  } catch (error) {
    const failed = toFailure(error, tool, timeoutMs, context);
    outcome = { ok: false, error: { ...failed, message: context.inNames?.(failed.message) ?? failed.message } };
  } finally {
    done();
  }
  const ms = performance.now() - started;
  const code = outcome.ok ? "ok" : outcome.error.code;
  if (/^timeout$/i.test(code) && !context.signal.aborted)
    context.services.log?.warn("tool timed out", { tool: tool.name, code, ms: Math.round(ms) });
  context.services.observe?.({ tool: tool.name, ms, code });
  return outcome;
}

/** The larger budget is for calls that request more than the default. */
function budgetFor({ sizes }: Tool, input: Record<string, unknown>): number {
  return Object.entries(sizes).some(([name, usual]) => Number(input[name]) > usual) ? MOST_CHARS : USUAL_CHARS;
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
