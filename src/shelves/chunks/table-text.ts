import type { StoredChunk } from "./chunk-store.js";

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
