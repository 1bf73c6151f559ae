import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { oncePerKey } from "../kernel/once.js";
import type { ChunkStore, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import type { Projects } from "../shelves/chunks/projects.js";
import type { BibliographyMemory } from "./bibliography-memory.js";
import { CHUNK_POLICY } from "./chunking.js";
import { recipeFor } from "./cutting.js";
import { assignedIn, type Identifier, type OpenIdentifier } from "./identity.js";
import { emptySummary, type IngestSummary, stopwatch } from "./summary.js";
import { wordsOnly } from "./to-chunks.js";

/** Increase it when readers produce a different text from the same bytes. */
const READER_VERSION = 4;

export interface IngestOptions {
  /** Drop documents under the given folders whose files are gone. */
  prune?: boolean;
  /** Keep lists of references searchable. */
  references?: boolean;
  /** Files with unchanged size and modification time: hashed all the same (the default), or assumed unchanged. */
  untouched?: "compare" | "skip";
  /** Filled as the run goes on, for callers that want to know what was done when it was stopped. */
  summary?: IngestSummary;
  signal?: AbortSignal;
  progress?: (done: number, total?: number, message?: string) => void;
}

interface RunDeps {
  store: ChunkStore;
  projects: Projects;
  embedders: Pick<Embedders, "get" | "preferred" | "unavailable">;
  openIdentifier: OpenIdentifier;
  memory?: BibliographyMemory | undefined;
}

export type OpenRun = ReturnType<typeof createRuns>;
/** What one ingest into a project works with. */
export type Run = Awaited<ReturnType<OpenRun>>;

export function createRuns({ store, projects, embedders, openIdentifier, memory }: RunDeps) {
  return async function openRun(
    projectId: string,
    { references = false, signal, progress, untouched = "compare", summary = emptySummary() }: IngestOptions,
    found: readonly string[] = [],
  ) {
    const project = await projects.open(projectId);
    const embedder = embedders.get(project.model);
    const known = knownDocuments(await store.documents(project.id));
    if (!embedder) summary.warnings.push({ path: project.id, warning: wordsOnly(project, embedders) });
    const recipe = `${READER_VERSION}/${CHUNK_POLICY}/${references ? "references" : "text"}/${embedder ? "vectors" : "words"}`;
    const remembered = known
      .all()
      .flatMap(({ extra }) => (typeof extra.bibliography === "string" ? [extra.bibliography] : []));
    const earlier = new Set([...remembered, ...((await memory?.of(project.id)) ?? [])]);
    const isGone = (source: string) => isAbsolute(source) && !existsSync(source);
    for (const source of earlier)
      if (isGone(source))
        summary.warnings.push({
          path: source,
          warning: "This bibliography is gone. The keys it gave stay as they are.",
        });
    const bibliographies = [...new Set([...found, ...earlier])].filter((source) => !isGone(source));
    const identifierFor = oncePerKey(async (root: string | undefined) => {
      const identifier = await openIdentifier({ root, assigned: assignedIn(known.all()), bibliographies, signal });
      const used = identifier.bibliographies ?? bibliographies;
      for (const warning of identifier.problems ?? [])
        if (!summary.warnings.some((each) => each.warning === warning))
          summary.warnings.push({ path: root ?? project.id, warning });
      for (const source of used) if (!summary.bibliographies.includes(source)) summary.bibliographies.push(source);
      await memory?.add(project.id, used);
      return identifier;
    });
    return {
      project,
      embedder,
      recipe,
      cut: recipeFor(embedder, references),
      signal,
      progress,
      untouched,
      summary,
      known,
      identifierFor,
      identify: async (root: string | undefined, ...document: Parameters<Identifier["identify"]>) =>
        (await identifierFor(root)).identify(...document),
      time: stopwatch(summary.ms),
    };
  };
}

/** A project's documents as a run knows them, by what they hold and where they came from. */
function knownDocuments(documents: readonly DocumentSummary[]) {
  const byId = new Map<string, DocumentSummary>();
  const byHash = new Map<string, DocumentSummary>();
  const byOrigin = new Map<string | null, Set<DocumentSummary>>();
  const known = {
    all: () => [...byId.values()],
    withHash: (hash: string) => byHash.get(hash),
    /** More than one only where a run was killed between writing the new and dropping the old. */
    from: (origin: string) => [...(byOrigin.get(origin) ?? [])],
    add(document: DocumentSummary) {
      const before = byId.get(document.id);
      if (before) known.remove(before);
      byId.set(document.id, document);
      byHash.set(document.sha256, document);
      byOrigin.set(document.origin, (byOrigin.get(document.origin) ?? new Set()).add(document));
    },
    remove(document: DocumentSummary) {
      byId.delete(document.id);
      byHash.delete(document.sha256);
      byOrigin.get(document.origin)?.delete(document);
    },
  };
  for (const document of documents) known.add(document);
  return known;
}
