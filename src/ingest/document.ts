import { ShelfError } from "../kernel/errors.js";
import type { HeadingMark, PageMark, TextEdit } from "../shelves/chunks/chunk-store.js";
import type { Ocr } from "./ocr.js";

export type DocumentKind = "pdf" | "epub" | "html" | "markdown" | "text" | "docx" | "jats" | "image";

/** A span of text that belongs together, such as a paragraph; between two blocks there is only white space. */
export interface Block {
  kind:
    | "paragraph"
    | "heading"
    | "list"
    /** One line per row, a tab between two cells; the first row is the header. */
    | "table"
    /** What a table is called; it stands right before or after the table. */
    | "caption"
    /** The caption of a picture. */
    | "figure"
    | "equation"
    | "footnote"
    | "code"
    | "reference";
  start: number;
  end: number;
}

/** A file's metadata about its work. Only what the file contains: nothing is looked up or guessed. */
export interface DocumentMeta {
  title?: string;
  authors?: string[];
  year?: number;
  doi?: string;
  isbn?: string;
  publisher?: string;
  translators?: string[];
  /** The CSL type of the work, where the file format says so. */
  type?: string;
}

/** A file as text, with marks that map an offset to page, heading and printed form. */
export interface ReadDocument {
  title: string;
  kind: DocumentKind;
  /** Normalised once; all offsets point into it. */
  text: string;
  pages: PageMark[];
  headings: HeadingMark[];
  edits: TextEdit[];
  blocks: Block[];
  /** ISO 639-1, or null where it is not known. */
  language: string | null;
  meta: DocumentMeta;
  /** Warnings for the owner: pages without text, parts left out. */
  warnings: string[];
  /** Number of pages without readable text: scanned, blank, or with fonts that have no character map. */
  pagesWithoutText?: number;
}

export interface ReadOptions {
  path?: string;
  contentType?: string;
  url?: string;
  /** Text recognition for pages without text; undefined where it is off. */
  ocr?: Ocr | undefined;
  /** The file's path, for programs that open files themselves, and its hash. */
  file?: { path: string; sha256: string } | undefined;
  /** Called as pages are read. `slow` pages, those recognised, may each take a minute. */
  onPage?: ((page: number, pages: number, slow: boolean) => void) | undefined;
}

export type Reader = (bytes: Uint8Array, options: ReadOptions) => Promise<ReadDocument> | ReadDocument;

type UnreadableReason =
  | "broken"
  | "encrypted"
  | "no_text"
  | "too_large"
  | "unsupported"
  | "refused"
  | "timeout"
  | "crashed";

/** A file that cannot become text, with the reason a person can act on. */
export function unreadable(reason: UnreadableReason, message: string, cause?: unknown): ShelfError {
  return new ShelfError("PROCESSING_FAILED", message, { details: { reason }, cause });
}

/** More text than any book holds; beyond it a file is an attack or a data dump. */
export const MAX_TEXT_CHARS = 40_000_000;

export function fileStem(path: string | undefined): string | undefined {
  return path
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.[^.]{1,8}$/, "");
}
