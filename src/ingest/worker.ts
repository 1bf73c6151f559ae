import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { ERRORS, type ErrorCode, ShelfError } from "../kernel/errors.js";
import { moduleUrl } from "../kernel/module-url.js";
import { htmlToMarkdown } from "../text/html-markdown.js";
import { htmlToText } from "../text/html-text.js";
import { type CutDocument, type CutRecipe, cutDocument } from "./cutting.js";
import { type ReadDocument, type ReadOptions, unreadable } from "./document.js";
import { withBoundedMarks } from "./mark-limits.js";
import { readFile, withShortTitles } from "./read-file.js";
import { type GivenText, readGiven } from "./readers/given.js";

/** The process that runs parsers. It may crash on bad input; the process that started it goes on. */
export interface ReadRequest {
  id: number;
  /** A file to open here, the bytes themselves, a text that was handed over, or HTML of which only the text is wanted. */
  source:
    | { file: string }
    | { bytes: Uint8Array }
    | { given: GivenText }
    | { html: string; markdown?: boolean }
    /** One of our functions that takes time in proportion to untrusted text. */
    | { module: string; name: string; args: readonly unknown[] };
  options: ReadOptions;
  /** Asks for the pieces of the document in place of its blocks. */
  cut?: CutRecipe | undefined;
}
/** Pages that are read so far, of a request that is not answered yet. */
export interface ReadProgress {
  id: number;
  page: number;
  pages: number;
  slow: boolean;
}
export type ReadReply =
  | { id: number; document: ReadDocument | CutDocument; sha256: string }
  | { id: number; text: string }
  | { id: number; result: unknown }
  | { id: number; error: { code: ErrorCode; message: string; details: Record<string, unknown> } };

const rssMb = Number(process.argv[2] ?? 0);
new Worker(moduleUrl("./watchdog.js", import.meta.url), { workerData: { rssMb, parent: process.ppid } }).unref();

process.on("disconnect", () => process.exit(0));
process.on("message", (request: ReadRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});

async function answer({ id, source, options, cut }: ReadRequest): Promise<ReadReply> {
  try {
    if ("html" in source)
      return { id, text: await (source.markdown ? htmlToMarkdown(source.html) : htmlToText(source.html)) };
    if ("module" in source) {
      const module = (await import(source.module)) as Record<string, (...args: unknown[]) => unknown>;
      return { id, result: await module[source.name]!(...source.args) };
    }
    const document = (read: ReadDocument) => {
      const bounded = withBoundedMarks(read);
      return cut ? cutDocument(bounded, cut) : bounded;
    };
    if ("given" in source)
      return { id, document: document(withShortTitles(await readGiven(source.given))), sha256: "" };
    const bytes = "file" in source ? await bytesOf(source.file) : source.bytes;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const file = "file" in source ? { path: source.file, sha256 } : undefined;
    const read = await readFile(bytes, { ...options, file, onPage: progressOf(id) });
    return { id, document: document(read), sha256 };
  } catch (error) {
    // A parser may throw anything at broken input: to the caller it is all "could not be read", never a crash.
    const { code, message, details } = error instanceof ShelfError && error.code in ERRORS ? error : unread(error);
    return { id, error: { code, message, details } };
  }
}

const PROGRESS_MS = 200;

/** Reports progress a few times per second, and before each slow page, which restarts the timeout. */
function progressOf(id: number) {
  let last = Date.now();
  return (page: number, pages: number, slow: boolean) => {
    if (!slow && Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    process.send?.({ id, page, pages, slow } satisfies ReadProgress);
  };
}

/** The path was resolved before: a link that has taken the file's place since is not followed. */
async function bytesOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function unread(error: unknown): ShelfError {
  const { code, name } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, name: "Error" };
  if (code === "ENOENT") return unreadable("broken", "The file is not there any more.");
  if (code === "EACCES") return unreadable("refused", "The file may not be read by this user.");
  return unreadable("broken", `The file is broken: its reader stopped with ${name}.`);
}
