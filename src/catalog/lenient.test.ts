import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Services } from "../app/services.js";
import { TOOLS } from "../app/tools.js";
import { callTool } from "./call-tool.js";
import { defineTool, readOnly } from "./define-tool.js";

const frame = { title: "t", description: "d", profiles: ["chunks"] as const, annotations: readOnly, timeoutMs: 5_000 };

/** Answers with what it took. */
const taking = defineTool({
  ...frame,
  name: "get_book",
  input: z.object({
    id: z.string().describe("i"),
    source_id: z.string().optional().describe("s"),
    limit: z.int().max(9).default(3).describe("l"),
    share: z.number().optional().describe("f"),
    whole: z.boolean().default(false).describe("w"),
    kind: z.enum(["a", "b"]).optional().describe("k"),
    tags: z.array(z.string()).optional().describe("t"),
    filters: z
      .strictObject({ year: z.int().optional().describe("y"), name: z.string().describe("n") })
      .optional()
      .describe("f"),
  }),
  output: z.object({ took: z.record(z.string(), z.unknown()) }),
  run: async (took) => ({ took }),
});

const context = {
  services: { readwise: { forKey: () => undefined } } as unknown as Services,
  caller: {},
  signal: new AbortController().signal,
  progress: () => {},
};
async function took(args: Record<string, unknown>): Promise<unknown> {
  const outcome = await callTool(taking, args, context);
  return outcome.ok ? outcome.data.took : outcome.error.message;
}
const usual = { id: "x", limit: 3, whole: false };

describe("what a caller plainly meant is taken", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["null for what is left out", { source_id: null, limit: null, kind: null, tags: null, filters: null }, {}],
    ["an empty text for what is left out", { kind: "", limit: "" }, {}],
    ["a quoted number", { limit: "5", share: " 0.25 " }, { limit: 5, share: 0.25 }],
    ["a quoted truth", { whole: "True" }, { whole: true }],
    ["a number where text is expected", { source_id: 71 }, { source_id: "71" }],
    ["a list written as text", { tags: '["sea", 7]' }, { tags: ["sea", "7"] }],
    ["the same inside an object", { filters: { name: 7, year: null } }, { filters: { name: "7" } }],
    ["an object written as text", { filters: '{"name":"n","year":"1854"}' }, { filters: { name: "n", year: 1854 } }],
    ["another name an answer had for it", { book_id: 71 }, { source_id: "71" }],
    ["what Gemini CLI adds to every call", { wait_for_previous: true }, {}],
  ])("%s", async (_what, args, expected) => {
    expect(await took({ id: "x", ...args })).toEqual({ ...usual, ...expected });
  });

  it("the id under the name of its thing", async () => {
    expect(await took({ book_id: "7", source_id: "8" })).toEqual({ ...usual, id: "7", source_id: "8" });
  });
});

describe("what could mean two things, or nothing, is refused by name", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ limit: "five" }, "limit: Invalid input: expected number, received string"],
    [{ limit: "50" }, "limit: Too big"],
    [{ limit: "5e0" }, "limit: Invalid input"],
    [{ whole: "yes" }, "whole: Invalid input: expected boolean, received string"],
    [{ whole: 1 }, "whole: Invalid input: expected boolean, received number"],
    [{ tags: "sea, shore" }, "tags: Invalid input: expected array, received string"],
    [{ source_id: true }, "source_id: Invalid input: expected string, received boolean"],
    [{ kind: "c" }, "kind: Invalid option"],
    [{ id: null }, "id: required (string)"],
    [{ highlight_id: "7" }, "highlight_id: unknown parameter"],
    [{ constructor: "7" }, "constructor: unknown parameter"],
    [
      { filters: { name: "n", wait_for_previous: true } },
      "filters.wait_for_previous: unknown parameter (there are year, name)",
    ],
  ])("%j", async (args, message) => {
    expect(await took({ id: "x", ...args })).toContain(message);
  });

  it("also where the arguments are no object", async () => {
    for (const args of ["x", 7, ["x"]])
      expect(await callTool(taking, args, context)).toMatchObject({
        error: { message: expect.stringContaining("arguments: Invalid input: expected object") },
      });
  });
});

describe("two tools that share a name on different doors", () => {
  const [readwise, notebooks] = ["list_sources", "list_notebook_sources"].map(
    (name) => TOOLS.find((tool) => tool.name === name)!,
  );
  it("name each other where the caller wants the other one", async () => {
    const outcome = await callTool(readwise!, { notebook_id: "n" }, { ...context, offered: [readwise!, notebooks!] });
    expect(outcome).toMatchObject({
      error: { message: expect.stringContaining("list_notebook_sources takes notebook_id.") },
    });
  });
  it("but only where the other one is on offer", async () => {
    const outcome = await callTool(readwise!, { notebook_id: "n" }, { ...context, offered: [readwise!] });
    expect(outcome).toMatchObject({ error: { message: expect.not.stringContaining("list_notebook_sources") } });
  });
});
