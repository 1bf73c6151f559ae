import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import type { Projects } from "../shelves/chunks/projects.js";
import type { BibliographyMemory } from "./bibliography-memory.js";
import { CHUNK_POLICY } from "./chunking.js";
import { recipeFor } from "./cutting.js";
import { type Identifier, identityPath, type OpenIdentifier } from "./identity.js";
import { knownDocuments } from "./known-documents.js";
import { emptySummary, type IngestSummary, stopwatch } from "./summary.js";

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
    if (!embedder)
      summary.warnings.push({
        path: project.id,
        warning:
          `Stored for search by words only: the model '${project.model.id}' is not here. ${embedders.unavailable ?? ""}`.trim(),
      });
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
    const identifiers = new Map<string | undefined, Promise<Identifier>>();
    const identifierFor = (root: string | undefined) => {
      let opened = identifiers.get(root);
      if (!opened) {
        const assigned = known
          .all()
          .flatMap(({ origin, citekey }) => (origin === null ? [] : [{ path: identityPath(origin), citekey }]));
        opened = openIdentifier({ root, assigned, bibliographies, signal }).then(async (identifier) => {
          const used = identifier.bibliographies ?? bibliographies;
          for (const warning of identifier.problems ?? [])
            if (!summary.warnings.some((each) => each.warning === warning))
              summary.warnings.push({ path: root ?? project.id, warning });
          for (const source of used) if (!summary.bibliographies.includes(source)) summary.bibliographies.push(source);
          await memory?.add(project.id, used);
          return identifier;
        });
        identifiers.set(root, opened);
      }
      return opened;
    };
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
      time: stopwatch(summary.ms),
    };
  };
}
