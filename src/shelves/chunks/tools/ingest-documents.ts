import { z } from "zod";
import { defineTool, destructive } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import type { IngestSummary } from "../../../ingest/summary.js";
import { ShelfError } from "../../../kernel/errors.js";
import { ProjectId } from "../schemas.js";

const Skipped = z.object({ path: z.string(), reason: z.string() });
const Unmatched = z.object({ path: z.string(), citekey: z.string() });
const Warning = z.object({ path: z.string(), warning: z.string() });
// A folder of thousands of odd files must not fill the answer.
const LISTED = 40;

export const ingestDocuments = defineTool({
  name: "ingest_documents",
  title: "Read documents into a project",
  description:
    "Cut files (PDF, EPUB, HTML, Markdown, DOCX, text) or given texts into citable chunks; makes the project if needed. Skips unchanged files, uses a bibliography among them, names what is new, changed, vanished or unreadable.",
  profiles: ["chunks"],
  annotations: destructive,
  timeoutMs: 30 * 60_000,

  input: z.object({
    project: ProjectId,
    paths: z
      .array(z.string().max(4_096))
      .max(1_000)
      .optional()
      .describe("Files or folders below BOOKWHEEL_INGEST_ROOTS"),
    texts: z
      .array(
        z.object({
          title: text({ max: 500 }).describe("Title"),
          text: text({ max: 500_000 }).describe("Body"),
        }),
      )
      .max(1_000)
      .optional()
      .describe("Texts handed over"),
    prune: z.boolean().optional().describe("Drop documents whose files are gone"),
  }),

  output: z.object({
    read: z.int(),
    replaced: z.int(),
    unchanged: z.int(),
    ignored: z.int(),
    pruned: z.int(),
    chunks: z.int(),
    added: z.array(z.string()),
    changed: z.array(z.string()),
    vanished: z.array(z.string()),
    ignored_files: z.array(z.string()),
    bibliographies: z.array(z.string()),
    skipped: z.array(Skipped),
    skipped_count: z.int(),
    unmatched: z.array(Unmatched),
    unmatched_count: z.int(),
    warnings: z.array(Warning),
  }),

  async run({ project, paths = [], texts = [], prune = false }, { ingestion, signal, progress }) {
    if (!paths.length && !texts.length)
      throw new ShelfError(
        "INVALID_INPUT",
        `Nothing to read: give paths, or texts with title and text. ${ingestion.roots.length ? `Folders this server may read: ${ingestion.roots.join(", ")}.` : "This server may read no folder yet: BOOKWHEEL_INGEST_ROOTS names them."}`,
        {
          details: {
            fields: [{ field: "paths", problem: "paths or texts is needed" }],
            allowed_roots: [...ingestion.roots],
          },
        },
      );
    await ingestion.ensureProject(project);
    const parts: IngestSummary[] = [];
    if (paths.length) parts.push(await ingestion.ingestAllowed(project, paths, { prune, signal, progress }));
    if (texts.length) parts.push(await ingestion.ingestTexts(project, texts, { signal, progress }));
    const sum = (key: "read" | "replaced" | "unchanged" | "pruned" | "chunks") =>
      parts.reduce((total, part) => total + part[key], 0);
    const skipped = parts.flatMap((part) => part.skipped);
    const unmatched = parts.flatMap((part) => part.unmatched);
    const ignored = parts.flatMap((part) => part.ignored);
    const listed = (key: "added" | "changed" | "vanished" | "bibliographies") =>
      parts.flatMap((part) => part[key]).slice(0, LISTED);
    return {
      read: sum("read"),
      replaced: sum("replaced"),
      unchanged: sum("unchanged"),
      ignored: ignored.length,
      pruned: sum("pruned"),
      chunks: sum("chunks"),
      added: listed("added"),
      changed: listed("changed"),
      vanished: listed("vanished"),
      ignored_files: ignored.slice(0, LISTED),
      bibliographies: listed("bibliographies"),
      skipped: skipped.slice(0, LISTED),
      skipped_count: skipped.length,
      unmatched: unmatched.slice(0, LISTED),
      unmatched_count: unmatched.length,
      warnings: parts.flatMap((part) => part.warnings).slice(0, LISTED),
    };
  },
});
