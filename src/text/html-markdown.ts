import { readTags } from "./html-tags.js";

const SILENT = new Set("script style head template noscript svg".split(" "));
/** Elements that no line of text crosses. */
const BLOCKS = new Set(
  "p div section article main header footer aside nav figure figcaption dl dt dd address details summary form fieldset h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table".split(
    " ",
  ),
);
const HEADING = /^h([1-6])$/;
const MARKS: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", code: "`" };
/** Deeper lists and quotations are written as if they were this deep: what a hostile document costs is its length. */
const MOST_DEPTH = 12;

interface Cell {
  text: string;
}

/**
 * An HTML fragment as Markdown: headings, lists, tables, links, code and quotations; images by their alternative text. It is
 * written while the tags are read.
 */
export async function htmlToMarkdown(html: string): Promise<string> {
  const blocks: string[] = [];
  let inline = "";
  let prefix = "";
  let silent = 0;
  let pre = 0;
  let quotes = 0;
  const lists: { ordered: boolean; next: number }[] = [];
  const links: { href: string; at: number }[] = [];
  const rows: Cell[][] = [];
  let inTable = 0;

  const depth = (count: number) => Math.min(count, MOST_DEPTH);
  function end(): void {
    const text = pre > 0 ? inline.replace(/^\n|\n$/g, "") : inline.replace(/[ \t\n\r\f]+/g, " ").trim();
    inline = "";
    if (text === "") return;
    const lines = (prefix + text).split("\n");
    prefix = "";
    const quote = "> ".repeat(depth(quotes));
    blocks.push(lines.map((line) => quote + line).join("\n"));
  }
  function endTable(): void {
    const [head, ...body] = rows.splice(0).filter((row) => row.some(({ text }) => text.trim() !== ""));
    if (!head) return;
    const width = Math.max(head.length, ...body.map((row) => row.length));
    const line = (row: readonly Cell[]) =>
      `| ${Array.from({ length: width }, (_, i) => cellText(row[i]?.text ?? "")).join(" | ")} |`;
    blocks.push([line(head), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n"));
  }
  const add = (text: string) => {
    if (silent > 0) return;
    const cell = inTable > 0 ? rows.at(-1)?.at(-1) : undefined;
    if (cell) cell.text += text;
    else if (inTable === 0) inline += text;
  };

  function open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (SILENT.has(name)) silent++;
    if (silent > 0) return;
    if (BLOCKS.has(name)) end();
    const heading = HEADING.exec(name);
    if (heading) prefix = `${"#".repeat(Number(heading[1]))} `;
    else if (name === "table") inTable++;
    else if (name === "tr") rows.push([]);
    else if (name === "td" || name === "th") rows.at(-1)?.push({ text: "" });
    else if (name === "ul" || name === "ol") lists.push({ ordered: name === "ol", next: 1 });
    else if (name === "li") {
      const list = lists.at(-1);
      const mark = list?.ordered ? `${list.next++}. ` : "- ";
      prefix = "  ".repeat(depth(Math.max(0, lists.length - 1))) + mark;
    } else if (name === "blockquote") quotes++;
    else if (name === "pre") {
      blocks.push("```");
      pre++;
    } else if (name === "br") add(pre > 0 ? "\n" : " ");
    else if (name === "hr") blocks.push("---");
    else if (name === "img") {
      const alt = attributes.get("alt")?.trim();
      if (alt) add(`![${alt}]`);
    } else if (name === "a") links.push({ href: attributes.get("href") ?? "", at: inline.length });
    else mark(name);
  }

  function close(name: string): void {
    if (SILENT.has(name)) silent = Math.max(0, silent - 1);
    else if (silent === 0) closeShown(name);
  }

  function closeShown(name: string): void {
    if (BLOCKS.has(name)) end();
    if (name === "table") {
      inTable = Math.max(0, inTable - 1);
      if (inTable === 0) endTable();
    } else if (name === "ul" || name === "ol") lists.pop();
    else if (name === "li") prefix = "";
    else if (name === "blockquote") quotes = Math.max(0, quotes - 1);
    else if (name === "pre") {
      pre = Math.max(0, pre - 1);
      blocks.push("```");
    } else if (name === "a") {
      const link = links.pop();
      const isWeb = /^https?:/i.test(link?.href ?? "");
      const label = link ? inline.slice(link.at).trim() : "";
      if (link && isWeb && label !== "" && inTable === 0)
        inline = `${inline.slice(0, link.at)}${/^\s/.test(inline.slice(link.at)) ? " " : ""}[${label}](${link.href})`;
    } else mark(name);
  }

  function mark(name: string): void {
    if (Object.hasOwn(MARKS, name) && !(name === "code" && pre > 0)) add(MARKS[name]!);
  }

  await readTags(html, {
    text: add,
    open(name, attributes, closesItself) {
      open(name, attributes);
      if (closesItself && SILENT.has(name)) close(name);
    },
    close,
  });
  end();
  endTable();
  return joined(blocks);
}

const cellText = (text: string) =>
  text
    .replace(/[ \t\n\r\f]+/g, " ")
    .trim()
    .replaceAll("|", "\\|");

/** Blocks are a blank line apart; items of a list and the fences of code are not. */
function joined(blocks: readonly string[]): string {
  let text = "";
  let fenced = false;
  blocks.forEach((block, i) => {
    const isFence = block === "```";
    const tight = i === 0 || fenced || (isItem(block) && isItem(blocks[i - 1]!));
    text += i === 0 ? block : `${tight ? "\n" : "\n\n"}${block}`;
    if (isFence) fenced = !fenced;
  });
  return text;
}

const isItem = (block: string) => /^(?:> )*(?: {2})*(?:-|\d+\.) /.test(block);
