import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { additive, defineTool, readOnly } from "../../src/catalog/define-tool.js";
import { text } from "../../src/catalog/fields.js";
import { ShelfError } from "../../src/kernel/errors.js";

const never = "never shown to a caller: key-in-an-exception";

/** Small tools that show how the frame behaves; none of them is in the catalog. */
export const echo = defineTool({
  name: "echo",
  title: "Echo",
  description: "Says a word several times.",
  profiles: ["chunks"],
  annotations: readOnly,
  timeoutMs: 5_000,
  tooBig: { word: "CONTENT_TOO_LARGE" },
  input: z.object({
    word: text({ min: 1, max: 10 }).describe("A word."),
    times: z.int().min(1).max(3).default(1).describe("How often."),
  }),
  output: z.object({ said: z.string() }),
  run: async ({ word, times }) => ({ said: Array(times).fill(word).join(" ") }),
});

/** Takes a list whose items can each be wrong in two ways. */
export const several = defineTool({
  ...base("several"),
  input: z.object({
    words: z
      .array(text({ min: 1, max: 10 }).refine((word) => word.trim() !== "", "must not be blank"))
      .describe("Words."),
  }),
  run: async () => ({}),
});

export const slow = defineTool({
  name: "slow",
  title: "Slow",
  description: "Takes longer than it may.",
  profiles: ["notebooks"],
  annotations: readOnly,
  timeoutMs: 50,
  input: z.object({}),
  output: z.object({}),
  async run(_input, { signal, progress }) {
    progress(1, 2, "half");
    await sleep(10_000, undefined, { signal });
    return {};
  },
});

/** Ignores its signal altogether. */
export const deaf = defineTool({
  ...base("deaf"),
  timeoutMs: 50,
  run: () => new Promise<Record<string, never>>(() => {}),
});

export const broken = defineTool({
  ...base("broken"),
  run: async () => {
    throw new Error(`${never} Token sk-secret-123`);
  },
});

export const refusing = defineTool({
  ...base("refusing"),
  run: async () => {
    throw new ShelfError("RATE_LIMITED", "Wait 7 seconds.", { retry_after: 7, details: { limit: 10 } });
  },
});

export const writing = defineTool({ ...base("writing"), annotations: additive, run: async () => ({}) });

/** Has all the time there is, until nobody waits any more. */
export const patient = defineTool({
  ...base("patient"),
  timeoutMs: 60_000,
  run: async (_input, { signal }) => sleep(60_000, {}, { signal }),
});

export const counting = defineTool({
  ...base("counting"),
  timeoutMs: 5_000,
  async run(_input, { progress }) {
    for (let step = 1; step <= 3; step++) {
      progress(step, 3);
      await sleep(5);
    }
    return {};
  },
});

function base(name: string) {
  return {
    name,
    title: name,
    description: `The ${name} tool.`,
    profiles: ["chunks"] as const,
    annotations: readOnly,
    timeoutMs: 1_000,
    input: z.object({}),
    output: z.object({}),
  };
}

export const FIXTURE_TOOLS = [echo, slow, deaf, broken, refusing, writing, patient, counting];
