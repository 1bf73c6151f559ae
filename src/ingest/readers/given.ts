import type { ReadDocument } from "../document.js";
import { pastedDocument } from "./pasted.js";
import { readPlain } from "./text.js";

/** A text given instead of a file. `pasted` keeps every character unchanged. */
export interface GivenText {
  title?: string | undefined;
  text: string;
  format?: "text" | "markdown" | "pasted";
}

/** Call it in the reader process: the text may be crafted to be slow. */
export async function readGiven({ title, text, format = "text" }: GivenText): Promise<ReadDocument> {
  if (format === "pasted") return pastedDocument(text, title);
  if (format === "text") return readPlain(text, title === undefined ? {} : { title });
  const { readMarkdown } = await import("./markdown.js");
  const document = readMarkdown(text, {});
  return title === undefined ? document : { ...document, title };
}
