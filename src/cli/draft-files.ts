import { existsSync, statSync } from "node:fs";
import { copyFile, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { parseHTML } from "linkedom";
import { withEdits } from "../citations/draft/wording.js";
import { ShelfError } from "../kernel/errors.js";

export interface DraftFile {
  file: string;
  text: string;
  /** A draft whose words cannot be changed in place has lines that count paragraphs. */
  kind: "text" | "docx";
}

const MAX_BYTES = 20 * 1024 ** 2;

export async function readDraft(file: string): Promise<DraftFile> {
  const bytes = await readFile(file).catch((cause) => {
    throw new ShelfError("INVALID_INPUT", `The draft '${file}' cannot be opened. Check the path.`, { cause });
  });
  if (bytes.length > MAX_BYTES) throw new ShelfError("INVALID_INPUT", `The draft '${file}' is larger than 20 MB.`);
  if (extname(file).toLowerCase() === ".docx" || bytes.subarray(0, 2).toString("latin1") === "PK")
    return { file, text: await docxAsMarkdown(bytes), kind: "docx" };
  return { file, text: new TextDecoder("utf-8").decode(bytes), kind: "text" };
}

/** A Word document as Markdown, one line per paragraph: block quotations and footnotes keep what they are. */
async function docxAsMarkdown(bytes: Uint8Array): Promise<string> {
  const { docxHtml } = await import("../ingest/readers/docx.js");
  const html = await docxHtml(bytes, [
    "p[style-name='Quote'] => blockquote:fresh",
    "p[style-name='Intense Quote'] => blockquote:fresh",
    "p[style-name='Block Text'] => blockquote:fresh",
  ]);
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  for (const mark of document.querySelectorAll("sup a[id^='footnote-ref'], sup a[id^='endnote-ref']"))
    mark.parentElement!.textContent = `[^${(mark.getAttribute("href") ?? "").replace(/^#/, "")}]`;
  for (const back of document.querySelectorAll(
    "li[id^='footnote-'] a[href^='#footnote-ref'], li[id^='endnote-'] a[href^='#endnote-ref']",
  ))
    back.remove();
  const lines = [...document.querySelectorAll("p, h1, h2, h3, h4, h5, h6, li, blockquote")].flatMap((element) => {
    if (element.querySelector("p, li, blockquote")) return [];
    const words = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    const note = element.closest("li[id^='footnote-'], li[id^='endnote-']");
    if (note) return [`[^${note.id}]: ${words}`];
    if (/^H\d$/.test(element.tagName)) return [`# ${words}`];
    return [element.closest("blockquote") ? `> ${words}` : words];
  });
  return lines.join("\n\n");
}

/** Edits a draft and keeps a copy of the original next to it. */
export async function fixDraft(
  { file, text }: DraftFile,
  edits: readonly { start: number; end: number; text: string }[],
): Promise<{ copy: string }> {
  const copy = freeName(`${file}.orig`);
  await copyFile(file, copy);
  const written = `${file}.${process.pid}.tmp`;
  await writeFile(written, withEdits(text, edits), { mode: (await stat(file)).mode });
  await rename(written, file);
  return { copy };
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let n = 2; existsSync(name); n++) name = `${wanted}.${n}`;
  return name;
}

/** Files a draft names, as far as they are there. */
export const existing = (names: readonly string[], beside: string): string[] =>
  names.map((name) => resolve(dirname(beside), name)).filter((path) => existsSync(path) && statSync(path).isFile());
