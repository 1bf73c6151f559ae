import { LRUCache } from "lru-cache";
import type { ScanBlock } from "./code-cache.js";
import type { Database } from "./database.js";
import { readLengths } from "./lengths.js";
import { findProject, type ProjectRow } from "./rows.js";
import { readHead } from "./vectors.js";
import { readSegments, type WordStatistics } from "./words.js";

/** A project's data in memory, as of one revision. */
export interface ProjectView extends ProjectRow {
  words: WordStatistics;
  blocks: readonly ScanBlock[];
}

const MAX_VIEWS = 64;

/**
 * The current project. The data in memory is updated by reading only what changed since, and only when
 * a commit of any process has changed the file.
 */
export function createViews(db: Database) {
  const views = new LRUCache<string, { view: ProjectView; seen: number }>({ max: MAX_VIEWS });

  const refresh = (id: string, before: ProjectView | undefined): ProjectView | undefined => {
    const now = findProject(db.read<unknown[]>, id);
    if (!now) return undefined;
    const same = before?.key === now.key ? before : undefined;
    if (same?.revision === now.revision) return { ...same, ...now };
    const lengths = readLengths(
      db,
      now.key,
      now.ordinals,
      same && { lengths: same.words.lengths, revision: same.revision },
    );
    const known = new Map(same?.words.segments.map((segment) => [segment.key, segment]));
    return {
      ...now,
      words: {
        project: now.key,
        lengths,
        ordinals: now.ordinals,
        chunks: now.chunks,
        terms: now.terms,
        languages: now.project.languages,
        segments: readSegments(db, now.key, known),
      },
      blocks: readBlocks(db, now.space, same?.space === now.space ? same : undefined),
    };
  };

  return {
    /** Call it in the same snapshot as the reads that use its result. */
    get(id: string): ProjectView | undefined {
      const changes = db.changes();
      const known = views.get(id);
      if (known?.seen === changes) return known.view;
      const view = db.snapshot(() => refresh(id, known?.view));
      if (view) views.set(id, { view, seen: changes });
      else views.delete(id);
      return view;
    },
  };
}

function readBlocks(db: Database, space: number, before: ProjectView | undefined): ScanBlock[] {
  const keys = db
    .read<[number, number]>("select key, revision from vector_blocks where space = ? order by key")
    .all(space);
  const known = new Map(before?.blocks.map((block) => [block.key, block]));
  return keys.map(([key, revision]) => {
    const block = known.get(key);
    if (block?.revision === revision) return block;
    const head =
      db.read<[Uint8Array]>("select head from vector_blocks where key = ?").get(key)?.[0] ?? new Uint8Array(0);
    return { key, space, revision, ...readHead(head) };
  });
}
