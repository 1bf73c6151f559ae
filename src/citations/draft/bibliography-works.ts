import { readBibliographyFile } from "../bibliography/bibliography.js";
import { freeKey, readableKey } from "../bibliography/generated-key.js";
import type { Work } from "../works.js";

/** The works of bibliography files: they are known, but have no text to check against. */
export async function worksOfBibliography(files: readonly string[]): Promise<{ works: Work[]; problems: string[] }> {
  const works = new Map<string, Work>();
  const problems: string[] = [];
  for (const file of files) {
    const read = await readBibliographyFile(file);
    problems.push(...read.problems);
    for (const { citekey, csl } of read.entries) {
      const key = citekey ?? freeKey(readableKey(csl), (each) => works.has(each));
      if (works.has(key)) continue;
      const item = { ...csl, id: key };
      works.set(key, {
        key,
        project: null,
        doc_ids: [],
        source_id: null,
        item,
        hasText: false,
        language: null,
        also: [],
      });
    }
  }
  return { works: [...works.values()], problems };
}

/** Paths of the bibliography files that the draft names. */
export function namedBibliographies(draft: string): string[] {
  const front = /^---\r?\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)/.exec(draft)?.[1] ?? "";
  const yaml = /^bibliography:[ \t]*\[?([^\n\]]{1,500})/m.exec(front)?.[1]?.split(",") ?? [];
  const list = /^bibliography:[ \t]*\n((?:[ \t]{0,8}- [^\n]{1,300}\n?){1,20})/m.exec(`${front}\n`)?.[1] ?? "";
  const items = list.split("\n").map((line) => line.replace(/^[ \t]{0,8}- /, ""));
  const latex = [...draft.matchAll(/\\(?:addbibresource|bibliography)\{([^{}]{1,300})\}/g)].flatMap(([, names]) =>
    names!.split(",").map((name) => (/\.\w{2,8}$/.test(name) ? name : `${name}.bib`)),
  );
  return [...yaml, ...items, ...latex].map((name) => name.trim().replace(/^["']|["']$/g, "")).filter(Boolean);
}
