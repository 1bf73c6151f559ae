import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller, type ExampleRow, runExamples, settler, trimmed } from "../../scripts/example-calls.mjs";
import { TOOLS } from "../../src/app/tools.js";
import { ROOT } from "../support/peers.js";
import { type Program, startProgram } from "../support/program.js";

const FOLDER = join(ROOT, "docs", "examples");
const kept = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.json$/, ""),
    JSON.parse(readFileSync(join(FOLDER, file), "utf8")),
  ]),
) as Record<string, { request: unknown; answer: unknown }>;

let demo: Program;
let fresh: ExampleRow[];
beforeAll(async () => {
  demo = await startProgram(["demo"]);
  fresh = await runExamples(caller(demo.url));
}, 180_000);
afterAll(() => demo?.stop());

const ajv = new Ajv2020({ strict: false });

describe("the examples in docs/TOOLS.md", () => {
  it("are there for every tool, and for no other", () => {
    expect(Object.keys(kept).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s answers as shown", (name, tool) => {
    const row = fresh.find(({ tool: called }) => called === name);
    expect(row, `${name} is not among the calls of scripts/example-calls.mjs`).toBeDefined();
    const { request, answer } = row!;
    expect(ajv.validate(tool.inputSchema, request), ajv.errorsText()).toBe(true);
    for (const each of [answer, withoutMarks(kept[name]!.answer)])
      expect(ajv.validate(tool.outputSchema, each), ajv.errorsText()).toBe(true);
    const settle = settler();
    expect(shapeOf(settle(request))).toEqual(shapeOf(kept[name]!.request));
    expect(differences(kept[name]!.answer, settle(trimmed(answer)))).toEqual([]);
  });
});

/** The answer without the words that stand for left-out items of its lists. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !/^… \(\d+ more\)$/.test(String(item))).map(withoutMarks);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)]));
  return value;
}

const kindOf = (value: unknown) => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);

/** Keys and kinds, without values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  return kindOf(value);
}

/** Where two answers are not of the same shape. What may be null is the schema's to say; how long a list is, the library's. */
function differences(shown: unknown, now: unknown, path = "answer"): string[] {
  if (shown === null || now === null) return [];
  if (kindOf(shown) !== kindOf(now)) return [`${path}: ${kindOf(shown)} in the docs, ${kindOf(now)} now`];
  if (Array.isArray(shown) && Array.isArray(now))
    return shown.slice(0, 1).flatMap((item, i) => (now.length ? differences(item, now[i], `${path}[${i}]`) : []));
  if (typeof shown !== "object" || typeof now !== "object") return [];
  const keys = (value: object) => Object.keys(value).sort().join(", ");
  if (/\.tags$/.test(path)) return [];
  // A row leaves out what it does not have, and which rows are first may depend on the day: which keys there are is the schema's to say.
  const isRow = path.endsWith("]");
  if (!isRow && keys(shown) !== keys(now)) return [`${path}: {${keys(shown)}} in the docs, {${keys(now)}} now`];
  return Object.entries(shown).flatMap(([key, inner]) =>
    isRow && !(key in now) ? [] : differences(inner, (now as Record<string, unknown>)[key], `${path}.${key}`),
  );
}
