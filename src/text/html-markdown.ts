const SILENT = new Set("script style head template noscript svg".split(" "));
const BLOCKS = new Set(
  "p div section article main header footer aside nav figure figcaption dl dt dd address details summary form fieldset".split(
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
 * written while the tags are read, and no tree is built.
 */
export async function htmlToMarkdown(html: string): Promise<string> {
  // Loaded when a document is first asked for: most servers never need it.
  const { Tokenizer } = await import("htmlparser2");
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

  function open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (SILENT.has(name)) silent++;
    if (silent > 0) return;
    const heading = HEADING.exec(name);
    if (heading) {
      end();
      prefix = `${"#".repeat(Number(heading[1]))} `;
    } else if (name === "table") {
      if (inTable++ === 0) end();
    } else if (name === "tr") rows.push([]);
    else if (name === "td" || name === "th") rows.at(-1)?.push({ text: "" });
    else if (name === "ul" || name === "ol") {
      end();
      lists.push({ ordered: name === "ol", next: 1 });
    } else if (name === "li") {
      end();
      const list = lists.at(-1);
      const mark = list?.ordered ? `${list.next++}. ` : "- ";
      prefix = "  ".repeat(depth(Math.max(0, lists.length - 1))) + mark;
    } else if (name === "blockquote") {
      end();
      quotes++;
    } else if (name === "pre") {
      end();
      blocks.push("```");
      pre++;
    } else if (name === "br") add(pre > 0 ? "\n" : " ");
    else if (name === "hr") {
      end();
      blocks.push("---");
    } else if (name === "img") add(attributes.alt?.trim() ? `![${attributes.alt.trim()}]` : "");
    else if (name === "a") links.push({ href: attributes.href ?? "", at: inline.length });
    else if (Object.hasOwn(MARKS, name)) add(name === "code" && pre > 0 ? "" : MARKS[name]!);
    else if (BLOCKS.has(name) && inTable === 0) end();
  }

  function close(name: string): void {
    if (SILENT.has(name)) {
      silent = Math.max(0, silent - 1);
      return;
    }
    if (silent > 0) return;
    if (HEADING.test(name)) end();
    else if (name === "table") {
      inTable = Math.max(0, inTable - 1);
      if (inTable === 0) endTable();
    } else if (name === "ul" || name === "ol") {
      end();
      lists.pop();
    } else if (name === "li") {
      end();
      prefix = "";
    } else if (name === "blockquote") {
      end();
      quotes = Math.max(0, quotes - 1);
    } else if (name === "pre") {
      end();
      pre = Math.max(0, pre - 1);
      blocks.push("```");
    } else if (name === "a") {
      const link = links.pop();
      const isWeb = /^https?:/i.test(link?.href ?? "");
      const label = link ? inline.slice(link.at).trim() : "";
      if (link && isWeb && label !== "" && inTable === 0)
        inline = `${inline.slice(0, link.at)}${/^\s/.test(inline.slice(link.at)) ? " " : ""}[${label}](${link.href})`;
    } else if (Object.hasOwn(MARKS, name)) add(name === "code" && pre > 0 ? "" : MARKS[name]!);
    else if (BLOCKS.has(name) && inTable === 0) end();
  }

  let name = "";
  let attribute = "";
  let attributes: Record<string, string> = {};
  const wanted = (key: string) => key === "href" || key === "alt";
  const addValue = (part: string) => {
    if (wanted(attribute)) attributes[attribute] = (attributes[attribute] ?? "") + part;
  };
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        attributes = {};
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
      },
      onattribdata: (start, end) => addValue(html.slice(start, end)),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend: nothing,
      onopentagend: () => open(name, attributes),
      onselfclosingtag: () => {
        open(name, attributes);
        if (SILENT.has(name)) close(name);
      },
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
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
