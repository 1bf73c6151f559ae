import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { ROOT } from "./peers.js";

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  text: string;
  imports: { target: string; typeOnly: boolean }[];
}

/** Every source file below a folder of the repository, with what it imports (relative targets resolved to repository paths). */
export function sourceFiles(folder: string, { tests = false } = {}): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .filter(({ name }) => /\.(?:tsx?|mjs)$/.test(name) && (tests || !/\.test\.tsx?$/.test(name)))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, "utf8");
      return { path: portable(relative(ROOT, file)), text, imports: importsOf(file, text) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const STATEMENT = /^(?:import|export)\s+(type\s)?([^;"']*?from\s+)?["']([^"']+)["']/gm;

function importsOf(file: string, text: string): SourceFile["imports"] {
  return [...text.matchAll(STATEMENT)].map(([, typeWord, names = "", target]) => {
    const inner = /\{([^}]*)\}/.exec(names)?.[1];
    const allTypes = inner?.split(",").every((name) => !name.trim() || name.trim().startsWith("type ")) ?? false;
    const resolved = target!.startsWith(".")
      ? portable(relative(ROOT, resolve(file, "..", target!))).replace(/\.js$/, ".ts")
      : target!;
    return { target: resolved, typeOnly: Boolean(typeWord) || (allTypes && !/^[^{]*\w+\s*,/.test(names)) };
  });
}

const portable = (path: string) => path.split(sep).join("/");
