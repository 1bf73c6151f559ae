import type { SourceFile } from "./source-files.js";

const EXPORTED = /^export (?:async )?(?:const|let|class|function\*?|interface|type) (\w+)/gm;
const STATIC = /^(?:import|export)\s[^;]*?\{([^{}]*)\}\s*from/gm;
const ANY_BRACES = /\{([^{}]*)\}/g;
const NAME = /(\w+)(?:\s+as\s+\w+|\s*:\s*\w+)?\s*(?:,|$)/gm;

/** Values and types that `files` export and neither they nor `others` import by name. Files imported as a whole are left out. */
export function unusedExports(files: readonly SourceFile[], others: readonly SourceFile[]): string[] {
  const everything = [...files, ...others];
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of everything)
    for (const name of importedBy(text)) importers.set(name, (importers.get(name) ?? new Set()).add(path));
  const whole = everything.flatMap(({ text }) => [...text.matchAll(/import \* as \w+ from ["'].*?([\w-]+)\.js["']/g)]);
  const wholeNames = new Set(whole.map(([, name]) => name));
  return files
    .filter(({ path }) => !wholeNames.has(path.replace(/^.*\/|\.tsx?$/g, "")))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED)]
        .map(([, name]) => name!)
        .filter((name) => ![...(importers.get(name) ?? [])].some((importer) => importer !== path))
        .map((name) => `${path}: ${name}`),
    );
}

/** Names in import lists; in files that also import dynamically, in any braces, since they may take a module apart. */
function importedBy(text: string): string[] {
  const lists = [...text.matchAll(/\bimport\(/.test(text) ? ANY_BRACES : STATIC)].map(([, list]) => list!);
  const members = [...text.matchAll(/import\([^)]*\)\)?\.(\w+)/g)].map(([, name]) => name!);
  return [...lists.flatMap((list) => [...list.matchAll(NAME)].map(([, name]) => name!)), ...members];
}
