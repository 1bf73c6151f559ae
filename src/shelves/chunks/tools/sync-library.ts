import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { ProjectId } from "../schemas.js";

const Counts = z.object({ added: z.int(), updated: z.int(), unchanged: z.int(), removed: z.int() });
const TIMEOUT_MS = 5 * 60_000;
// Stops before the tool's deadline, with time left to finish a long document.
const WITHIN_MS = 4 * 60_000;
const LISTED = 50;

export const syncLibrary = defineTool({
  name: "sync_library",
  title: "Sync Readwise into a project",
  description:
    "Bring a project up to date with Readwise highlights and Reader texts, deletions included. complete: false: call again, after retry_after seconds if given.",
  profiles: ["chunks", "readwise"],
  annotations: openWorld(destructive),
  timeoutMs: TIMEOUT_MS,

  input: z.object({
    project: ProjectId,
    include: z.enum(["highlights", "documents", "both"]).default("both").describe("What"),
    max_documents: z.int().min(1).optional().describe("Most to write now"),
  }),

  output: z.object({
    project: z.string(),
    complete: z.boolean(),
    highlights: Counts,
    documents: Counts,
    chunks: z.int(),
    skipped: z.array(z.object({ title: z.string(), url: z.string().nullable(), reason: z.string() })),
    skipped_count: z.int(),
    warnings: z.array(z.string()),
    stopped: z.string().nullable(),
    left: z.array(z.string()),
    retry_after: z.int().optional(),
  }),

  async run({ project, include, max_documents }, { librarySync, readwise, signal, progress }) {
    const summary = await librarySync.sync(project, readwise.syncing, {
      include,
      maxDocuments: max_documents,
      withinMs: WITHIN_MS,
      signal,
      progress,
    });
    return { ...summary, skipped: summary.skipped.slice(0, LISTED), skipped_count: summary.skipped.length };
  },
});
