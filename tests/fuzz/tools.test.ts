import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/app/tools.js";
import { MOST_CHARS } from "../../src/catalog/answer-budget.js";
import { callTool, type Outcome } from "../../src/catalog/call-tool.js";
import type { Tool } from "../../src/catalog/define-tool.js";
import { against, within } from "./from-schema.js";
import { closeReaders, KEY, openShelves, type Shelves } from "./shelves.js";

/** `BOOKWHEEL_FUZZ_CALLS` for a longer search, `BOOKWHEEL_FUZZ_SEED` for another one; a failure prints its own seed. */
const CALLS = Number(process.env.BOOKWHEEL_FUZZ_CALLS ?? 20_800);
const SEED = Number(process.env.BOOKWHEEL_FUZZ_SEED ?? 20_260_715);
const PER_TOOL = Math.ceil(CALLS / TOOLS.length);
/** Far longer than any of these calls takes, far shorter than a tool's own deadline: what reaches it hangs. */
const HANGING_MS = 10_000;
/** Beyond these an answer is no longer for a reader: most of it is the caller's own input sent back. */
const MESSAGE_CHARS = 4_000;
const ANSWER_CHARS = MOST_CHARS;

afterAll(closeReaders);

/** One call over JSON, as a client would make it. */
async function call(tool: Tool, args: unknown, { services }: Shelves): Promise<Outcome> {
  const context = { services, caller: { readwiseKey: KEY }, signal: AbortSignal.timeout(HANGING_MS), progress() {} };
  return callTool(tool, JSON.parse(JSON.stringify(args ?? null)), context);
}

function expectGoodManners(tool: Tool, outcome: Outcome, { logged }: Shelves): void {
  expect(
    JSON.stringify(outcome.ok ? outcome.data : outcome).length,
    shortened(JSON.stringify(outcome)),
  ).toBeLessThanOrEqual(ANSWER_CHARS);
  if (outcome.ok) return;
  const { error } = outcome;
  expect(error.type, `${tool.name}: ${logged.at(-1)}`).not.toBe("internal_error");
  expect(error.details.cancelled, `${tool.name} hangs`).toBeUndefined();
  expect(error.message.length).toBeGreaterThan(0);
  expect(error.message.length, shortened(error.message)).toBeLessThan(MESSAGE_CHARS);
}

const shortened = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text);

describe(`${PER_TOOL} calls to every tool`, () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s answers or refuses, and never breaks",
    {
      timeout: 120_000 + PER_TOOL * 100,
    },
    async (_name, tool) => {
      const shelves = await openShelves();
      try {
        const known = shelves.knownTo(tool);
        let made = 0;
        const args = fc.oneof(within(tool.inputSchema, known), against(tool.inputSchema, known));
        const property = fc.asyncProperty(args, async (given) => {
          made++;
          expectGoodManners(tool, await call(tool, given, shelves), shelves);
        });
        const found = await fc.check(property, { numRuns: PER_TOOL, seed: SEED });
        if (found.failed)
          throw new Error(`seed ${found.seed}: ${shortened(JSON.stringify(found.counterexample))}`, {
            cause: found.errorInstance,
          });
        expect(made).toBeGreaterThanOrEqual(PER_TOOL);
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
        expect(shelves.logged.join("\n")).not.toContain(KEY);
      } finally {
        await shelves.close();
      }
    },
  );
});
