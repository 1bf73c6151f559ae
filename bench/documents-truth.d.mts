import type { ReadDocument } from "../src/ingest/document.js";

type Pages = string[][][];
export function letters(text: string): string;
export function popplerPages(file: string): Pages;
export function popplerStreams(file: string): string[];
export function againstPoppler(
  document: Pick<ReadDocument, "text" | "pages" | "edits">,
  pages: Pages,
  streams?: readonly string[],
): {
  truth: { right: number; wrong: number; lost: number };
  joints: { held: number; all: number; broken: string[] };
};
export function trueQuotes(file: string, pages?: Pages): { page: number; text: string }[];
export function lostFromHtml(
  source: string,
  document: Pick<ReadDocument, "text"> & Partial<Pick<ReadDocument, "edits">>,
): string[];
export function wrongAuthors(found: readonly string[], gold: readonly string[]): string[];
