import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Services } from "../app/services.js";
import { MOST_CHARS, USUAL_CHARS } from "./answer-budget.js";
import { callTool, type Outcome } from "./call-tool.js";
import { defineTool, readOnly } from "./define-tool.js";
import { howMany } from "./fields.js";

const Item = z.object({ id: z.int(), text: z.string() });
type Item = z.infer<typeof Item>;

const frame = { title: "t", description: "d", profiles: ["chunks"] as const, annotations: readOnly, timeoutMs: 5_000 };

/** Answers with all it has. */
const whole = (items: readonly Item[]) =>
  defineTool({
    ...frame,
    name: "whole",
    input: z.object({ topic: z.string().optional().describe("t") }),
    output: z.object({ results: z.array(Item), count: z.int(), truncated: z.boolean(), total: z.int() }),
    list: { items: "results", shown: "count" },
    run: async () => ({ results: [...items], count: items.length, truncated: false, total: items.length }),
  });

/** Reads a page at a time, as from an upstream that has pages. */
const paged = (items: readonly Item[]) =>
  defineTool({
    ...frame,
    name: "paged",
    input: z.object({ page_size: howMany({ usual: 10, most: 1000 }, "Per page") }),
    output: z.object({ results: z.array(Item), has_more: z.boolean() }),
    list: "results",
    run: async ({ page_size }, { cursor }) => {
      const from = Number(cursor ?? 0) * page_size;
      const more = from + page_size < items.length;
      return {
        results: items.slice(from, from + page_size),
        has_more: more,
        next_cursor: more ? String(from / page_size + 1) : null,
      };
    },
  });

const context = {
  services: { readwise: { forKey: () => undefined } } as unknown as Services,
  caller: {},
  signal: new AbortController().signal,
  progress: () => {},
};

function answered(outcome: Outcome): Record<string, unknown> {
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.data;
}

async function follow(tool: ReturnType<typeof whole>, args: Record<string, unknown>, most: number): Promise<number[]> {
  const ids: number[] = [];
  let cursor: unknown;
  do {
    const data = answered(await callTool(tool, { ...args, ...(cursor ? { cursor } : {}) }, context));
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(most);
    ids.push(...(data.results as Item[]).map(({ id }) => id));
    cursor = data.next_cursor;
  } while (cursor);
  return ids;
}

const library = fc
  .array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 60 })
  .map((lengths) => lengths.map((length, id) => ({ id, text: "x".repeat(length) })));

describe("a list longer than one answer", () => {
  it("comes whole, each item once, whatever its items weigh", async () => {
    await fc.assert(
      fc.asyncProperty(library, async (items) => {
        expect(await follow(whole(items), {}, USUAL_CHARS)).toEqual(items.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it("comes whole where the tool itself reads pages of any size", async () => {
    await fc.assert(
      fc.asyncProperty(library, fc.integer({ min: 1, max: 70 }), async (items, page_size) => {
        expect(await follow(paged(items), { page_size }, MOST_CHARS)).toEqual(items.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it("gives the larger budget only to a call that asks for more than usual", async () => {
    const tool = paged(Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(2_500) })));
    const usual = answered(await callTool(tool, {}, context));
    expect(usual.results).toHaveLength(7);
    const more = answered(await callTool(tool, { page_size: 50 }, context));
    expect(more.results).toHaveLength(15);
    expect(more.has_more).toBe(true);
  });

  it("says how many it holds, whether it was cut, and nothing of a next one at the end", async () => {
    const items = Array.from({ length: 3 }, (_, id) => ({ id, text: "x".repeat(9_000) }));
    const first = answered(await callTool(whole(items), {}, context));
    expect(first).toMatchObject({ count: 2, total: 3, truncated: true, next_cursor: expect.any(String) });
    const last = answered(await callTool(whole(items), { cursor: first.next_cursor }, context));
    expect(last).toMatchObject({ count: 1, total: 3, truncated: false });
    expect(last).not.toHaveProperty("next_cursor");
  });

  it("goes on with what the first call was given, and refuses a cursor with anything else", async () => {
    const items = Array.from({ length: 3 }, (_, id) => ({ id, text: "x".repeat(9_000) }));
    const { next_cursor: cursor } = answered(await callTool(whole(items), { topic: "tides" }, context));
    expect(await callTool(whole(items), { topic: "tides", cursor }, context)).toMatchObject({ ok: true });
    expect(await callTool(whole(items), { topic: "moons", cursor }, context)).toMatchObject({
      error: {
        code: "INVALID_INPUT",
        message: expect.stringContaining('topic: the cursor continues a list with "tides"'),
      },
    });
    for (const wrong of ["", "nonsense", "W10", Buffer.from('[{},"x",-1]').toString("base64url")])
      expect(await callTool(whole(items), { cursor: wrong }, context)).toMatchObject({
        error: { message: expect.stringContaining("cursor: not a next_cursor of this tool") },
      });
  });
});
