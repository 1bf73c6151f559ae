import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { ShelfError } from "../../kernel/errors.js";
import { oncePerKey } from "../../kernel/once.js";

const Override = z.strictObject({
  citekey: z.string().min(1).optional(),
  csl: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string()).optional(),
});
/** The owner's corrections for a file; they win over everything else. */
type Override = z.infer<typeof Override>;
const ProjectFile = z.object({
  documents: z.record(
    z.string(),
    z.union([
      z
        .string()
        .min(1)
        .transform((citekey) => ({ citekey })),
      Override,
    ]),
  ),
});

const PROJECT_FILE = "bookwheel.json";
const sidecarOf = (path: string) => `${path}.bookwheel.json`;

/**
 * Reads `<file>.bookwheel.json` beside a document, and `bookwheel.json` in its folder and the folders above it up to
 * `root`, whose keys are paths relative to it. The nearest file wins.
 */
export function createOverrides({ root }: { root?: string | undefined }) {
  const projectFile = oncePerKey((folder: string) => readJson(join(folder, PROJECT_FILE), ProjectFile));

  return async function overrideOf(path: string): Promise<Override | undefined> {
    // Texts that came without a file have a name, but no path.
    if (!isAbsolute(path)) return undefined;
    const file = resolve(path);
    const own = await readJson(sidecarOf(file), Override);
    if (own) return own;
    for (const folder of foldersAbove(file, root)) {
      const listed = (await projectFile(folder))?.documents;
      const found = listed?.[relative(folder, file).split(sep).join("/")];
      if (found) return found;
    }
    return undefined;
  };
}

function foldersAbove(file: string, root: string | undefined): string[] {
  const folders = [dirname(file)];
  const top = root === undefined ? undefined : resolve(root);
  if (top === undefined || !`${dirname(file)}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`))
    return folders;
  while (folders.at(-1) !== top) folders.push(dirname(folders.at(-1)!));
  return folders;
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return undefined; // most documents have none
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll("\n", " ") : "it is not valid JSON";
    throw new ShelfError("INVALID_INPUT", `'${file}' cannot be used: ${reason}. Correct or remove it.`, { cause });
  }
}
