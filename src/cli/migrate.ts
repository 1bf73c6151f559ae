import { plural } from "../kernel/plural.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { type CopyRequest, copyProject } from "../shelves/chunks/copy-project.js";
import { type Console, misused } from "./console.js";

const STORE_NAMES = ["sqlite", "qdrant"] as const;
type StoreName = (typeof STORE_NAMES)[number];

interface MigrateDeps extends Console {
  /** Opens a store; undefined if it is not configured. */
  open(name: StoreName): Promise<ChunkStore | undefined>;
  progress?: CopyRequest["progress"];
}

/** `bookwheel migrate PROJECT --to qdrant|sqlite`: exit code 0, or 2 for wrong usage. */
export async function migrateCommand(
  { positionals: [project], to, json = false }: { positionals: readonly string[]; to?: string; json?: boolean },
  deps: MigrateDeps,
): Promise<number> {
  const { open, print, progress, signal } = deps;
  const target = STORE_NAMES.find((name) => name === to);
  if (!project || !target)
    return misused(deps, "Which project, and where to? For example: bookwheel migrate thesis --to qdrant");
  const stores: ChunkStore[] = [];
  try {
    const from = await open(target === "qdrant" ? "sqlite" : "qdrant");
    if (from) stores.push(from);
    const into = await open(target);
    if (into) stores.push(into);
    if (!from || !into)
      return misused(deps, "There is no Qdrant to copy from or to: set QDRANT_URL, such as http://127.0.0.1:6333.");
    const report = await copyProject({ project, from, to: into, signal, progress });
    if (json) print(JSON.stringify(report, null, 2));
    else {
      const { chunks, documents, copied, checksum: sum } = report;
      print(
        `${project}: ${plural(chunks, "chunk")} of ${plural(documents, "document")} in ${target}, ${copied} copied now.`,
      );
      print(`Every one was read back and compared; checksum ${sum.slice(0, 16)}.`);
      print(
        target === "qdrant"
          ? "The server reads it from there while QDRANT_URL is set. The copy in the embedded store stays."
          : "The server reads it from the embedded store while QDRANT_URL is not set. The copy in Qdrant stays.",
      );
    }
    return 0;
  } finally {
    for (const store of stores) await store.close();
  }
}
