import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.js";

/** Remembers a project's bibliographies for the next run. */
export interface BibliographyMemory {
  of(project: string): Promise<string[]>;
  add(project: string, bibliographies: readonly string[]): Promise<void>;
}

const Remembered = z.record(z.string(), z.array(z.string()));

/** One small JSON file; a broken or missing file counts as empty. */
export function fileBibliographyMemory(file: string): BibliographyMemory {
  const read = async () => {
    const text = await readFile(file, "utf8").catch(() => "{}");
    return Remembered.safeParse(jsonOrUndefined(text)).data ?? {};
  };
  return {
    of: async (project) => (await read())[project] ?? [],
    async add(project, bibliographies) {
      const all = await read();
      const known = new Set(all[project]);
      if (bibliographies.every((each) => known.has(each))) return;
      all[project] = [...new Set([...known, ...bibliographies])].sort();
      await mkdir(dirname(file), { recursive: true });
      const next = `${file}.${process.pid}.tmp`;
      await writeFile(next, `${JSON.stringify(all, null, 2)}\n`);
      await rename(next, file);
    },
  };
}
