import { z } from "zod";
import { defineTool, destructive, openWorld } from "../../../catalog/define-tool.js";
import { text } from "../../../catalog/fields.js";
import { splitAuthors } from "../../../ingest/names.js";
import { emptySummary, type IngestSummary } from "../../../ingest/summary.js";
import { isAddress } from "../../../ingest/web/read-page.js";
import { ShelfError } from "../../../kernel/errors.js";
import { ProjectId } from "../schemas.js";

const Skipped = z.object({ path: z.string(), reason: z.string() });
const Unmatched = z.object({ path: z.string(), citekey: z.string() });
const Warning = z.object({ path: z.string(), warning: z.string() });
// A folder with thousands of unsupported files must not fill the answer.
const LISTED = 40;

export const ingestDocuments = defineTool({
  name: "ingest_documents",
  title: "Read documents into a project",
  description:
    "Cut files (PDF, EPUB, HTML, Markdown, DOCX, text), web pages or given texts into citable chunks; makes the project if needed. Skips unchanged files, uses a bibliography among them, names what is new, changed, vanished or unreadable.",
  profiles: ["chunks"],
  annotations: openWorld(destructive),
  timeoutMs: 30 * 60_000,

  input: z.object({
    project: ProjectId,
    paths: z
      .array(z.string().max(4_096))
      .max(1_000)
      .optional()
      .describe("Files or folders below BOOKWHEEL_INGEST_ROOTS, or web addresses"),
    texts: z
      .array(
        z.object({
          title: text({ max: 500 }).describe("Title"),
          text: text({ max: 500_000 }).describe("Body"),
          author: text({ max: 500 }).optional().describe("Names"),
          year: z.int().optional().describe("Year"),
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
    ignored_files: z.array(Skipped),
    bibliographies: z.array(z.string()),
    skipped: z.array(Skipped),
    skipped_count: z.int(),
    unmatched: z.array(Unmatched),
    unmatched_count: z.int(),
    warnings: z.array(Warning),
    running: z.object({ done: z.int(), total: z.int().nullable(), hint: z.string() }).optional(),
  }),

  async run({ project, paths = [], texts = [], prune = false }, { ingestion, ingestJobs, signal, progress }) {
    if (!paths.length && !texts.length) throw nothingToRead(await ingestion.roots());
    await ingestion.ensureProject(project);
    const addresses = paths.filter(isAddress);
    const allowed = await ingestion.allowed(paths.filter((path) => !isAddress(path)));
    const outcome = await ingestJobs.run(
      project,
      async (until, report) => {
        const done: IngestSummary[] = [];
        if (allowed.length)
          done.push(await ingestion.ingestPaths(project, allowed, { prune, signal: until, progress: report }));
        if (addresses.length)
          done.push(await ingestion.ingestPages(project, addresses, { signal: until, progress: report }));
        if (texts.length)
          done.push(
            await ingestion.ingestTexts(
              project,
              texts.map(({ author, year, ...given }) => ({
                ...given,
                authors: splitAuthors(author),
                ...(year === undefined ? {} : { year }),
              })),
              { signal: until, progress: report },
            ),
          );
        return done;
      },
      { signal, progress },
    );
    const parts = "result" in outcome ? outcome.result : [emptySummary()];
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
      ignored_files: ignored.slice(0, LISTED).map((path) => ({ path, reason: notRead(path) })),
      bibliographies: listed("bibliographies"),
      skipped: skipped.slice(0, LISTED),
      skipped_count: skipped.length,
      unmatched: unmatched.slice(0, LISTED),
      unmatched_count: unmatched.length,
      warnings: parts.flatMap((part) => part.warnings).slice(0, LISTED),
      ...("running" in outcome && {
        running: {
          done: outcome.running.done,
          total: outcome.running.total,
          hint: `It goes on in the background: inspect_collection shows how far it is (ingest) and what is there (documents).`,
        },
      }),
    };
  },
});

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\.(?:jpe?g|png|gif|webp|svg|tiff?|heic|bmp|ico)$/i, "An image."],
  [/\.(?:mp3|m4a|wav|ogg|flac|mp4|mov|mkv|avi|webm)$/i, "Sound or video."],
  [/\.(?:zip|gz|tgz|tar|7z|rar|xz|bz2)$/i, "An archive: unpack it first."],
  [/\.(?:xlsx?|ods|csv|tsv|db|sqlite)$/i, "A table or database."],
  [/\.(?:pptx?|odp|key|doc|odt|rtf|pages|mobi|azw3?)$/i, "Save it as PDF, DOCX, EPUB or text first."],
];
const notRead = (path: string) =>
  KINDS.find(([name]) => name.test(path))?.[1] ??
  "Its name does not say that it is a document; name the file itself to try.";

function nothingToRead(roots: readonly string[]): ShelfError {
  const folders = roots.length
    ? `Folders this server may read: ${roots.join(", ")}.`
    : "This server may read no folder yet: BOOKWHEEL_INGEST_ROOTS names them.";
  return new ShelfError("INVALID_INPUT", `Nothing to read: give paths, or texts with title and text. ${folders}`, {
    details: { fields: [{ field: "paths", problem: "paths or texts is needed" }], allowed_roots: [...roots] },
  });
}
