import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Program, startProgram } from "../support/program.js";

const linux = process.platform === "linux";
if (!linux) console.log("skipped: slow texts through the running program (needs Linux's /proc for processor time)");

/** Long runs of one character, and almost-matches of what is looked for in texts. */
const SLOW: Readonly<Record<string, (size: number) => string>> = {
  "spaces inside": (size) => `the quick brown fox${" ".repeat(size)}x`,
  "spaced ellipses": (size) => `the quick brown fox ${"… ".repeat(size / 2)}x`,
  "spaced dots": (size) => `Chapter one of the book ${". ".repeat(size / 2)}12`,
  "one long word": (size) => "a".repeat(size),
  "many short words": (size) => "ab cd ".repeat(size / 6),
  "open brackets": (size) => `the moon [( ${"[ (@a ".repeat(size / 6)}`,
  "quotation marks": (size) => '“"a '.repeat(size / 4),
  newlines: (size) => `# a${"\n \t".repeat(size / 3)}b`,
  headings: (size) => "# a\n\n".repeat(size / 5),
  "open tags": (size) => "<a <meta ".repeat(size / 9),
  "filter words": (size) => "tag:a -author:".repeat(size / 14),
  "unspaced sentences": (size) => "読書。".repeat(size / 3),
};
const LARGEST = 12_000;
const STEP = 8;
/** Of the main thread's time: what one call may take of everybody's. */
const MOST_MS = 250;
/** Tools whose work is cut into slices, so that others get their turn: only growth is judged. */
const IN_SLICES = new Set(["check_draft"]);
/** Eight times the text takes 8 times as long in linear time and 64 times in the square. */
const WORST_GROWTH = 24;
const TOO_QUICK_TO_JUDGE_MS = 40;

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  maxLength?: number;
  pattern?: string;
}
interface Listed {
  name: string;
  inputSchema: Schema;
}

let program: Program;
let known: Record<string, unknown>;

beforeAll(async () => {
  if (!linux) return;
  program = await startProgram(["demo"], { READWISE_PROFILES: "all", CHUNK_PROFILES: "all", NOTEBOOK_PROFILES: "all" });
  const { notebooks } = (await call("list_notebooks", {})) as { notebooks: { id: string }[] };
  known = {
    project: "demo/reading",
    notebook_id: notebooks[0]?.id,
    query: "water",
    question: "What is said about water?",
    quote: "the quick brown fox jumps over the lazy dog",
    source_type: "text",
    title: "A title",
    name: "A name",
    text: "Some text about water and the moon.",
  };
}, 120_000);
afterAll(async () => {
  await program?.stop();
});

/** A call that waits for the model longer than this is left alone: what it took of the main thread is known by then. */
const PATIENCE_MS = 1_500;
async function rpc(method: string, params: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(`${program.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  const message = JSON.parse(text.startsWith("{") ? text : text.slice(text.indexOf("data:") + 5)) as {
    result?: Record<string, unknown>;
  };
  if (!message.result) throw new Error(text.slice(0, 300));
  return message.result;
}
const call = async (name: string, args: object, signal?: AbortSignal) =>
  (await rpc("tools/call", { name, arguments: args }, signal)).structuredContent as Record<string, unknown>;

/** Milliseconds the program's main thread has run: parsers and the model are other processes, other programs do not count. */
const ran = () =>
  Number(readFileSync(`/proc/${program.child.pid}/task/${program.child.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;

/** Where a schema takes free text: the way to it, and how long it may be. */
function texts(schema: Schema, way: string[] = []): { way: string[]; most: number }[] {
  if (schema.enum) return [];
  if (schema.anyOf) return schema.anyOf.flatMap((option) => texts(option, way)).slice(0, 1);
  if (schema.type === "string") return [{ way, most: schema.maxLength ?? LARGEST }];
  if (schema.type === "array") return texts(schema.items ?? {}, [...way, "[]"]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => texts(each, [...way, name]));
}

/** Arguments that satisfy the schema as far as it says, with `text` where `way` leads. */
function filled(schema: Schema, way: readonly string[] | undefined, text: string, name = ""): unknown {
  if (way?.length === 0) return text;
  const [next, ...rest] = way ?? [];
  if (schema.enum) return known[name] ?? schema.enum[0];
  if (schema.anyOf) return filled(schema.anyOf[0]!, way, text, name);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => key === next || schema.required?.includes(key))
          .map(([key, each]) => [key, filled(each, key === next ? rest : undefined, text, key)]),
      );
    case "array":
      return [filled(schema.items ?? {}, next === "[]" ? rest : undefined, text, name)];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 1;
    default:
      return known[name] ?? "1";
  }
}

async function costOf(tool: Listed, way: string[], text: string): Promise<number> {
  const args = filled(tool.inputSchema, way, text) as object;
  const before = ran();
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const answer = await call(tool.name, args, patience).catch((error: unknown) => {
    if (patience.aborted) return undefined;
    throw error;
  });
  const cost = ran() - before;
  const error = answer?.error as { type: string; message: string } | undefined;
  expect(error?.type, `${tool.name}: ${error?.message}`).not.toBe("internal_error");
  return cost;
}

let triesMade = 0;

/** The least of some tries: collecting garbage and compiling come on top now and then. */
async function leastCost(tool: Listed, way: string[], text: string, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  // A text that was seen before may cost nothing: each try has one of its own.
  for (let tries = 0; tries < 4 && least > enough; tries++)
    least = Math.min(least, await costOf(tool, way, `${text}${++triesMade}`));
  return least;
}

it.skipIf(!linux)(
  "a text made to be slow costs the main thread little in every parameter of every tool, and time in proportion",
  { timeout: 1_200_000 },
  async () => {
    const { tools } = (await rpc("tools/list", {})) as unknown as { tools: Listed[] };
    expect(tools.length).toBeGreaterThan(40);
    const slow: string[] = [];
    let tried = 0;
    let worst = { cost: 0, what: "" };
    for (const tool of tools)
      for (const { way, most } of texts(tool.inputSchema))
        for (const [kind, make] of Object.entries(SLOW)) {
          const size = Math.min(most - 60, LARGEST);
          if (size < 16) continue;
          tried++;
          const what = `${tool.name} ${way.join(".")}: ${size} of ${kind}`;
          const cost = await leastCost(tool, way, make(size), TOO_QUICK_TO_JUDGE_MS);
          if (cost > worst.cost) worst = { cost, what };
          if (cost > MOST_MS && !IN_SLICES.has(tool.name)) slow.push(`${what} took ${cost.toFixed(0)} ms`);
          if (cost < TOO_QUICK_TO_JUDGE_MS) continue;
          const part = await leastCost(tool, way, make(size / STEP), cost / WORST_GROWTH);
          if (cost / part > WORST_GROWTH)
            slow.push(`${what} took ${cost.toFixed(0)} ms, an eighth of it ${part.toFixed(1)}`);
        }
    console.log(
      `${tried} slow texts; the most expensive: ${worst.what}, ${worst.cost.toFixed(0)} ms of the main thread`,
    );
    expect(slow).toEqual([]);
    expect(tried).toBeGreaterThan(500);
    expect(program.child.exitCode).toBeNull();
  },
);
