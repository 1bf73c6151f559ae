import { plural } from "../kernel/plural.js";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import { type CopyRequest, copyProject } from "../shelves/chunks/copy-project.js";

const STORE_NAMES = ["sqlite", "qdrant"] as const;
type StoreName = (typeof STORE_NAMES)[number];

interface MigrateDeps {
  /** Opens a store; undefined if it is not configured. */
  open(name: StoreName): Promise<ChunkStore | undefined>;
  print(line: string): void;
  complain(line: string): void;
  progress?: CopyRequest["progress"];
  signal?: AbortSignal | undefined;
}

/** `bookwheel migrate PROJECT --to qdrant|sqlite`: exit code 0, or 2 for wrong usage. */
export async function migrateCommand(
  { positionals: [project], to, json = false }: { positionals: readonly string[]; to?: string; json?: boolean },
  { open, print, complain, progress, signal }: MigrateDeps,
): Promise<number> {
  const target = STORE_NAMES.find((name) => name === to);
  if (!project || !target) {
    complain("Which project, and where to? For example: bookwheel migrate thesis --to qdrant");
    return 2;
  }
  const source = target === "qdrant" ? "sqlite" : "qdrant";
  const stores: ChunkStore[] = [];
  try {
    const from = await open(source);
    if (from) stores.push(from);
    const into = await open(target);
    if (into) stores.push(into);
    if (!from || !into) {
      complain("There is no Qdrant to copy from or to: set QDRANT_URL, such as http://127.0.0.1:6333.");
      return 2;
    }
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
