import { fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { declaredEncoding, decode } from "../encoding.js";
import { languageOf } from "../meta.js";
import { createTextBuilder } from "../text-builder.js";

const DIVISION =
  /^(chapter|book|part|section|act|scene|letter|canto|volume|appendix|kapitel|teil|buch|abschnitt|chapitre|livre|partie|capítulo|parte|capitolo|prologue|epilogue|preface|introduction|foreword|contents|conclusion)\b/i;

export function read(bytes: Uint8Array, options: ReadOptions): ReadDocument {
  const { text, warnings } = decode(bytes, declaredEncoding(bytes, options.contentType));
  return { ...readPlain(text, options), warnings };
}

/** Plain text: empty lines separate paragraphs, form feeds separate pages, line breaks are kept. */
export function readPlain(source: string, options: ReadOptions & { title?: string }): ReadDocument {
  const builder = createTextBuilder();
  const pages = withoutLastFeed(source.replace(/\r\n?/g, "\n")).split("\f");
  pages.forEach((page, i) => {
    if (pages.length > 1) builder.page(i + 1, null);
    for (const paragraph of page.split(/\n[ \t]*\n/)) writeParagraph(paragraph.replace(/^\n+/, "").trimEnd(), builder);
  });
  const built = builder.finish();
  if (!built.text.trim()) throw unreadable("no_text", "The file holds no text.");
  const title = options.title ?? fileStem(options.path) ?? built.text.slice(0, 80).split("\n")[0] ?? "Untitled";
  return { ...built, title, kind: "text", meta: {}, language: languageOf(built.text), warnings: [] };
}

/** A form feed after the last page does not begin a page. */
function withoutLastFeed(text: string): string {
  const feed = text.indexOf("\f", text.trimEnd().length);
  return feed < 0 ? text : text.slice(0, feed);
}

function writeParagraph(paragraph: string, builder: ReturnType<typeof createTextBuilder>) {
  const lines = paragraph.split("\n");
  const level = lines.length <= 3 ? headingLevel(lines) : undefined;
  if (level) return builder.heading(level, () => builder.verbatim(paragraph.trim()));
  const listed =
    lines.length > 1 && lines.filter((line) => /^\s*(?:[-*•]|\d{1,3}[.)])\s/.test(line)).length > lines.length / 2;
  const indented =
    lines.length > 1 && lines.every((line) => /^( {4}|\t)/.test(line) && /[{};=<>]|\s{3}/.test(line.trimEnd()));
  builder.begin(indented ? "code" : listed ? "list" : "paragraph");
  builder.verbatim(indented ? paragraph : paragraph.trimStart());
  builder.end();
}

/** Headings: "Chapter 3", a line in capitals, or an underlined one. Doubtful lines stay paragraphs. */
function headingLevel(lines: readonly string[]): number | undefined {
  const text = lines.map((line) => line.trim()).join(" ");
  if (text.length > 120 || !/^[#\p{L}\p{N}]/u.test(text) || !/\p{L}/u.test(text)) return undefined;
  const underline = lines.length === 2 && /^\s*(={3,}|-{3,})\s*$/.exec(lines[1]!);
  if (underline) return underline[1]!.startsWith("=") ? 1 : 2;
  const markdown = lines.length === 1 && /^(#{1,6}) \S/.exec(text);
  if (markdown) return markdown[1]!.length;
  if (
    DIVISION.test(text) &&
    text.length <= 80 &&
    !/[,;]$/.test(text) &&
    (/^\S+\.?$/.test(text) ||
      /^\S+\s+([IVXLC]+|\d+|one|two|three|four|five|six|seven|eight|nine|ten|the \w+)\b/i.test(text))
  )
    return /^(book|part|volume|teil|buch|livre|partie|parte)\b/i.test(text) ? 1 : 2;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (
    lines.length === 1 &&
    letters >= 4 &&
    text.length <= 70 &&
    text === text.toUpperCase() &&
    text !== text.toLowerCase() &&
    !/[!?]$|^\S+\.$/.test(text)
  )
    return 2;
  if (lines.length === 1 && /^[IVXLC]+\.\s+\p{Lu}[^.!?]{2,60}\.?$/u.test(text)) return 2;
  return undefined;
}
