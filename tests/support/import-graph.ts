import type { SourceFile } from "./source-files.js";

/** The room a file of `src/` stands in: a folder, or one shelf; the entry and the assembly are rooms of their own. */
export function roomOf(path: string): string {
  const [, folder = "", inner = "", ...rest] = path.split("/");
  if (!inner) return folder;
  return folder === "shelves" && rest.length > 0 ? `shelves/${inner}` : folder;
}

/** Which rooms import which, types included, each with one import that shows it. */
export function roomImports(files: readonly SourceFile[]): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const { path, imports } of files)
    for (const { target } of imports) {
      if (!target.startsWith("src/")) continue;
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === to) continue;
      const found = graph.get(from) ?? new Map<string, string>();
      graph.set(from, found);
      if (!found.has(to)) found.set(to, `${path} imports ${target}`);
    }
  return graph;
}

/** Pairs of rooms that import each other, as `a <-> b`, names in order. */
export function mutualRooms(files: readonly SourceFile[]): string[] {
  const graph = roomImports(files);
  return [...graph]
    .flatMap(([from, targets]) =>
      [...targets.keys()].filter((to) => from < to && graph.get(to)?.has(from)).map((to) => `${from} <-> ${to}`),
    )
    .sort();
}

/** Files that import each other in a circle, types included: each circle once, beginning with its first file by name. */
export function fileCycles(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ target }) => resolved(target, files))]),
  );
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      const circle = trail.slice(at);
      const first = circle.indexOf([...circle].sort()[0]!);
      found.add([...circle.slice(first), ...circle.slice(0, first)].join(" -> "));
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return [...found].sort();
}

/** The packages that a file loads with itself, over all files it imports by value; what a call imports later is not among them. */
export function packagesLoadedBy(entry: string, files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const packages = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (typeOnly) continue;
      if (target.startsWith("src/")) walk(resolved(target, files));
      else if (!target.startsWith("node:")) packages.add(target);
    }
  };
  walk(entry);
  return [...packages].sort();
}

/** A `.js` of the import is a `.ts` or a `.tsx` on disk. */
function resolved(target: string, files: readonly SourceFile[]): string {
  const tsx = target.replace(/\.ts$/, ".tsx");
  return files.some(({ path }) => path === tsx) ? tsx : target;
}
