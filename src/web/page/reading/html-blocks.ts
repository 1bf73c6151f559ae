import { bareTags } from "./bare-tags.js";
import { inertDocument } from "./inert-document.js";

/** A document's HTML reduced to blocks of plain text, in order. */
export interface Block {
  kind: "p" | "h2" | "h3" | "li" | "quote" | "pre" | "note";
  text: string;
}
export interface Table {
  kind: "table";
  /** Cells by row; header rows are marked. */
  rows: { heading: boolean; cells: string[] }[];
}

const KINDS: Readonly<Record<string, Block["kind"]>> = {
  H1: "h2",
  H2: "h2",
  H3: "h3",
  H4: "h3",
  H5: "h3",
  H6: "h3",
  LI: "li",
  BLOCKQUOTE: "quote",
  PRE: "pre",
};
const BLOCKS = new Set(
  "P DIV SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV UL OL DL DT DD TABLE TR FIGURE FIGCAPTION HR H1 H2 H3 H4 H5 H6 LI BLOCKQUOTE PRE BODY".split(
    " ",
  ),
);
const SILENT = new Set(
  "SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME OBJECT SVG MATH HEAD TITLE FORM BUTTON SELECT TEXTAREA".split(" "),
);

export function blocksOf(html: string): (Block | Table)[] {
  const inert = inertDocument(bareTags(html), "text/html");
  const blocks: (Block | Table)[] = [];
  let kind: Block["kind"] = "p";
  let line = "";

  function finish(): void {
    const text = kind === "pre" ? line.replace(/^\n+/, "").trimEnd() : line.replace(/\s+/g, " ").trim();
    if (text) blocks.push({ kind, text });
    line = "";
  }

  function walk(node: Node): void {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) line += child.nodeValue ?? "";
      if (!(child instanceof Element) && child.nodeType !== Node.ELEMENT_NODE) continue;
      const name = child.nodeName.toUpperCase();
      if (SILENT.has(name)) continue;
      if (name === "TABLE" && !(child as Element).querySelector("table")) {
        finish();
        const table = tableOf(child as Element);
        if (table) blocks.push(table);
        else walk(child);
        finish();
      } else if (name === "BR") line += kind === "pre" ? "\n" : " ";
      else if (BLOCKS.has(name)) {
        finish();
        const outer = kind;
        if (isNotes(child as Element)) kind = "note";
        else if (kind !== "note") kind = KINDS[name] ?? (kind === "quote" || kind === "li" ? kind : "p");
        if (kind === "note" && name === "LI") line += numberOf(child as Element);
        walk(child);
        finish();
        kind = outer;
      } else if (name === "SUP" && /^\s*\[?\d{1,3}\]?\s*$/.test(child.textContent ?? "")) {
        line += raised(child.textContent ?? "");
      } else {
        if (name === "TD" || name === "TH") line += " ";
        walk(child);
      }
    }
  }
  walk(inert.body);
  finish();
  return blocks;
}

const isNotes = (element: Element) => element.className === "footnotes";

/** The number of a note, from its position in the list. */
const numberOf = (item: Element) =>
  item.parentElement?.nodeName === "OL" ? `${raised(String([...item.parentElement.children].indexOf(item) + 1))} ` : "";

/** The number of a note as printed. */
const raised = (text: string) =>
  text.replace(/\D/g, "").replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? digit);

/** A table of at least two rows and columns; a smaller one is layout, and only its text is kept. */
function tableOf(element: Element): Table | undefined {
  const rows = [...element.querySelectorAll("tr")]
    .map((row) => [...row.children].filter(({ nodeName }) => /^T[DH]$/i.test(nodeName)))
    .filter((cells) => cells.length > 0)
    .map((cells) => ({
      heading: cells.every(({ nodeName }) => /^TH$/i.test(nodeName)),
      cells: cells.map(({ textContent }) => (textContent ?? "").replace(/\s+/g, " ").trim()),
    }));
  return rows.length > 1 && rows.some(({ cells }) => cells.length > 1) ? { kind: "table", rows } : undefined;
}
