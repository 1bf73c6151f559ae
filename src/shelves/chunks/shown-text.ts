import type { StoredChunk } from "./chunk-store.js";

const MARK = "…";
/** Made when it is first needed: making it takes some ten milliseconds of the program's start. */
let segmenter: Intl.Segmenter | undefined;

/** At most `max` UTF-16 units, the mark included; cut at a space where there is one near, never inside a character. */
export function trimmed(text: string, max: number): { text: string; truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  const room = max - MARK.length;
  const space = text.slice(0, room + 1).search(/\s\S*$/u);
  const cut = space > room / 2 ? space : wholeCharacters(text, room);
  return { text: text.slice(0, cut).trimEnd() + MARK, truncated: true };
}

/** The last place not after `at` where no surrogate pair, combining sequence or emoji is split. */
function wholeCharacters(text: string, at: number): number {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const start = Math.max(0, at - 64);
  let cut = start;
  for (const { index, segment } of segmenter.segment(text.slice(start, at + 64))) {
    if (start + index + segment.length > at) break;
    cut = start + index + segment.length;
  }
  return cut > start ? cut : at;
}

/** What a part of a table lacks, because it stands further up in the document: its header row, and its caption. */
export interface TablePart {
  header: string;
  caption?: string;
}

/** A part of a table after its first; undefined for every other passage. */
function tablePartOf({ metadata }: Pick<StoredChunk, "metadata">): TablePart | undefined {
  const part = metadata.kind === "table" ? metadata.table : undefined;
  return part && typeof (part as TablePart).header === "string" ? (part as TablePart) : undefined;
}

/** Caption and header of a part of a table, one line each, for searches: its own text does not name its columns. */
export function tableLead(chunk: Pick<StoredChunk, "metadata">): string[] {
  const part = tablePartOf(chunk);
  return part ? [part.caption ?? "", part.header.replace(/\t+/g, " ").trim()].filter(Boolean) : [];
}

/**
 * A passage as a reader wants it: a table in Markdown, with caption and header in every part of it. The stored text has
 * tabs between cells, as quotations of a row do not know about Markdown's bars.
 */
export function shownText(chunk: Pick<StoredChunk, "text" | "metadata">): string {
  if (chunk.metadata.kind !== "table") return chunk.text;
  const part = tablePartOf(chunk);
  const blocks = chunk.text.split("\n\n");
  const table = blocks.findIndex((block) => block.includes("\t"));
  const at = table < 0 && part ? 0 : table;
  if (at < 0) return chunk.text;
  const rows = [...(part ? [part.header] : []), ...blocks[at]!.split("\n")].map((row) => row.split("\t"));
  return [
    ...(part?.caption ? [part.caption] : []),
    ...blocks.slice(0, at),
    markdownTable(rows),
    ...blocks.slice(at + 1),
  ].join("\n\n");
}

function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 1);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, i) => (cells[i] ?? "").trim().replaceAll("|", "\\|")).join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}
