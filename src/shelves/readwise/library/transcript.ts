const BLOCKS = new Set([
  "P",
  "DIV",
  "LI",
  "BR",
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "H6",
  "TR",
  "SECTION",
  "ARTICLE",
  "BLOCKQUOTE",
  "UL",
  "OL",
  "TABLE",
]);
const SILENT = new Set(["SCRIPT", "STYLE", "HEAD", "TEMPLATE", "NOSCRIPT"]);

/** The text of an HTML fragment, a line a block. Reader's markup of transcripts is not documented, so none is assumed. */
export async function htmlToText(html: string): Promise<string> {
  // Loaded when a transcript is first asked for: most servers never need a DOM.
  const { parseHTML } = await import("linkedom");
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const lines: string[] = [""];
  const newLine = () => {
    if (lines.at(-1) !== "") lines.push("");
  };
  const walk = (node: Node): void => {
    if (node.nodeType === 3) lines[lines.length - 1] += (node.textContent ?? "").replace(/\s+/g, " ");
    if (SILENT.has(node.nodeName.toUpperCase())) return;
    const isBlock = BLOCKS.has(node.nodeName.toUpperCase());
    if (isBlock) newLine();
    for (const child of node.childNodes) walk(child as Node);
    if (isBlock) newLine();
  };
  walk(document.body as unknown as Node);
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}
