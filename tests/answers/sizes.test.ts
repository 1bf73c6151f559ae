import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller, type ExampleRow, runExamples } from "../../scripts/example-calls.mjs";
import { TOOLS } from "../../src/app/tools.js";
import { MOST_CHARS, USUAL_CHARS } from "../../src/catalog/answer-budget.js";
import { type Program, startProgram } from "../support/program.js";

/** One call of every tool on the demo's library; what says how much to answer is left out, or set to the most. */
let demo: Program;
let usual: ExampleRow[];
let most: ExampleRow[];
beforeAll(async () => {
  demo = await startProgram(["demo"]);
  const call = caller(demo.url);
  usual = await runExamples((name, args) => call(name, without(name, args)));
  most = await runExamples((name, args) => call(name, atMost(name, args)), isRead);
}, 240_000);
afterAll(() => demo?.stop());

const toolNamed = (name: string) => TOOLS.find((tool) => tool.name === name)!;
const isRead = (name: string) => toolNamed(name).annotations.readOnlyHint && !NEEDS_WRITES.has(name);
/** Their examples ask for what an earlier, writing example made. */
const NEEDS_WRITES = new Set(["get_notebook", "list_notebook_sources", "get_source_text"]);

function without(name: string, args: Record<string, unknown>): Record<string, unknown> {
  const sizes = Object.keys(toolNamed(name).sizes);
  return Object.fromEntries(Object.entries(args).filter(([key]) => !sizes.includes(key)));
}

function atMost(name: string, args: Record<string, unknown>): Record<string, unknown> {
  const { sizes, inputSchema } = toolNamed(name);
  const properties = inputSchema.properties as Record<string, { maximum?: number }>;
  return { ...args, ...Object.fromEntries(Object.keys(sizes).map((key) => [key, properties[key]!.maximum])) };
}

const charsOf = (rows: readonly ExampleRow[], name: string) => {
  const row = rows.find(({ tool }) => tool === name);
  return row ? JSON.stringify(row.answer).length : undefined;
};

describe("how long answers are", () => {
  it("is shown", () => {
    const rows = TOOLS.map(({ name }) => [name, charsOf(usual, name) ?? 0, charsOf(most, name) ?? 0] as const);
    const lines = [...rows]
      .sort((a, b) => b[1] - a[1])
      .map(([name, chars, largest]) => {
        return `${String(chars).padStart(7)} ${String(largest || "").padStart(7)}  ${name}`;
      });
    console.log(["  usual    most", ...lines].join("\n"));
  });

  it.each(TOOLS.map(({ name }) => name))("%s stays within its budget", (name) => {
    expect(charsOf(usual, name)).toBeLessThanOrEqual(USUAL_CHARS);
    expect(charsOf(most, name) ?? 0).toBeLessThanOrEqual(MOST_CHARS);
  });
});
