import type { Highlight, Source } from "../shelves/readwise/schemas.js";

export interface Exported {
  source: Source;
  highlights: readonly Highlight[];
}

/** The text between these two lines is generated; everything else in a file belongs to its owner. */
const BEGIN = "<!-- bookwheel:begin (rewritten by bookwheel export; write outside of this block) -->";
const END = "<!-- bookwheel:end -->";

/** The end of a file's name: it stays the same when the title changes. */
export const nameEnding = (id: number) => `-${id}.md`;

export function fileName({ id, title }: Source): string {
  const words = (title ?? "").normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = [...words.join("-")].slice(0, 60).join("");
  return `${name || "source"}${nameEnding(id)}`;
}

/** The file of a source: as it was, with our fields and our block up to date. */
export function fileOf({ source, highlights }: Exported, before: string | undefined): string {
  const fields = frontMatter(source, highlights.length);
  const block = [BEGIN, "", ...highlights.map(highlightBlock), END].join("\n");
  if (before === undefined)
    return `---\n${fields.map(([key, value]) => `${key}: ${value}`).join("\n")}\n---\n\n# ${oneLine(source.title ?? "Untitled")}\n\n${block}\n`;
  return withBlock(withFields(before, fields), block);
}

function frontMatter(source: Source, count: number): [string, string][] {
  const { id, title, author, category, source_url, readwise_url, asin, external_id, tags } = source;
  const fields: [string, unknown][] = [
    ["title", title],
    ["author", author],
    ["category", category],
    ["tags", tags.map(({ name }) => name)],
    ["url", source_url],
    ["readwise_url", readwise_url ?? `https://readwise.io/bookreview/${id}`],
    ["readwise_id", id],
    ["reader_id", source.source === "reader" ? external_id : null],
    ["asin", asin],
    ["highlights", count],
  ];
  // JSON is YAML, and stays on one line.
  return fields.flatMap(([key, value]) => (value === null || value === "" ? [] : [[key, JSON.stringify(value)]]));
}

/** Our fields get their new values where they stand; lines that somebody added or took out stay so. */
function withFields(text: string, fields: readonly [string, string][]): string {
  const lines = text.split("\n");
  const end = lines[0]?.trim() === "---" ? lines.findIndex((line, i) => i > 0 && line.trim() === "---") : -1;
  if (end < 0) return text;
  const values = new Map(fields);
  return lines
    .map((line, i) => {
      const key = line.slice(0, Math.max(0, line.indexOf(":")));
      return i > 0 && i < end && values.has(key) ? `${key}: ${values.get(key)}` : line;
    })
    .join("\n");
}

function withBlock(text: string, block: string): string {
  const from = text.indexOf("<!-- bookwheel:begin");
  const to = from < 0 ? -1 : text.indexOf(END, from);
  if (to < 0) return `${text.trimEnd()}\n\n${block}\n`;
  return text.slice(0, from) + block + text.slice(to + END.length);
}

function highlightBlock(highlight: Highlight): string {
  const { id, text, note, location, location_type, tags, url, readwise_url, is_favorite } = highlight;
  const place = location_type === "page" && location !== null ? `page ${location}` : "";
  const link = `[open](${url ?? readwise_url ?? `https://readwise.io/open/${id}`})`;
  const labels = tags.map(({ name }) => `#${name.trim().split(/\s+/).join("-")}`).join(" ");
  const about = [place, is_favorite ? "favourite" : "", link, labels].filter(Boolean).join(" · ");
  const quoted = outOfBlock(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd());
  // The last mark is how Obsidian links to a block.
  const lines = [...quoted, `> — ${about}`, "", `^rw${id}`, ""];
  return (note?.trim() ? [...lines, `**Note:** ${outOfBlock(note.trim())}`, ""] : lines).join("\n");
}

/** Text that looks like our own marks must not end the block. */
const outOfBlock = (text: string) => text.replaceAll("<!-- bookwheel:", "<!-- bookwheel :");
const oneLine = (text: string) => text.split("\n").join(" ");
