import { readFileSync } from "node:fs";
import { z } from "zod";
import { ShelfError } from "../../kernel/errors.js";
import { collectionName } from "./chunk-store.js";
import { NewProjectId } from "./schemas.js";

/** One entry of `projects.json`; `npm run docs` writes its fields into docs/CONFIGURATION.md. */
export const Declared = z.strictObject({
  project: NewProjectId.describe("The project's name, as tools and commands use it."),
  embed_model: z.string().optional().describe("Embedding model it is bound to; the server's own if left out."),
  hybrid_enabled: z
    .boolean()
    .optional()
    .describe("Whether it is searched by words beside meaning; true if left out. With false, query_hybrid is refused."),
  description: z.string().optional().describe("What it holds, shown where projects are listed."),
  folders: z
    .array(z.string().min(1))
    .optional()
    .describe("Folders that `serve` keeps it in step with: what is added, changed, moved or removed there is read."),
});
export type DeclaredProject = z.infer<typeof Declared>;
const ProjectFile = z.strictObject({ projects: z.array(Declared) });

/** Projects declared in `projects.json`; none where there is no such file. A bad file stops the start and is named. */
export function readProjectFile(file: string): DeclaredProject[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const parsed = ProjectFile.safeParse(jsonOf(text, file));
  if (!parsed.success) throw unusable(file, z.prettifyError(parsed.error));
  const owners = new Map<string, string>();
  for (const { project } of parsed.data.projects) {
    const collection = collectionName(project);
    const other = owners.get(collection);
    if (other !== undefined)
      throw unusable(file, `'${project}' and '${other}' would share the collection '${collection}'`);
    owners.set(collection, project);
  }
  return parsed.data.projects;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : "not JSON");
  }
}

function unusable(file: string, why: string): ShelfError {
  return new ShelfError(
    "INVALID_INPUT",
    `${file} cannot be used: ${why}. It should look like { "projects": [{ "project": "name" }] }.`,
  );
}
