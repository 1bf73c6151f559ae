import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { ROOT } from "./peers.js";

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export interface ParsedFile {
  path: string;
  text: string;
  body: Node[];
}

/** Every source file below src/ that ships, as a syntax tree. */
export function parsedSource(): ParsedFile[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(ROOT, "src", name), "utf8");
      const parsed = parseAst(text, { lang: name.endsWith("x") ? "tsx" : "ts" });
      return { path: `src/${name.replaceAll("\\", "/")}`, text, body: parsed.body as unknown as Node[] };
    });
}

/** The node and everything below it. */
export function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

export function lineOf(file: ParsedFile, node: Node): number {
  return file.text.slice(0, node.start).split("\n").length;
}
