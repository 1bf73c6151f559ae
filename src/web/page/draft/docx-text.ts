import { strFromU8, unzipSync } from "fflate";
import { inertDocument } from "../reading/inert-document.js";

const PARTS = ["word/document.xml", "word/styles.xml", "word/footnotes.xml", "word/endnotes.xml"];
const MOST_BYTES = 50_000_000;
const QUOTED = /^(?:intense )?quote$|^block text$/i;

/** A Word file as Markdown, one line per paragraph, with headings, block quotations and notes. */
export function docxText(bytes: Uint8Array): string {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => PARTS.includes(name) && originalSize <= MOST_BYTES,
  });
  const part = (name: string) => {
    const xml = parts[name];
    return xml ? inertDocument(strFromU8(xml), "application/xml") : undefined;
  };
  const body = part("word/document.xml");
  if (!body?.getElementsByTagName("w:body")[0]) throw new Error("no Word document");
  const styles = styleNames(part("word/styles.xml"));
  const lines = paragraphsOf(body).map((paragraph) => lineOf(paragraph, styles));
  const notes = (["footnote", "endnote"] as const).flatMap((kind) =>
    [...(part(`word/${kind}s.xml`)?.getElementsByTagName(`w:${kind}`) ?? [])]
      .filter((note) => !note.hasAttribute("w:type")) // separator lines have a type
      .map((note) => `[^${kind}-${note.getAttribute("w:id")}]: ${paragraphsOf(note).map(textOf).join(" ").trim()}`),
  );
  return [...lines, ...notes].filter(Boolean).join("\n\n");
}

/** Style names are English in every language of Word; style ids are not. */
function styleNames(styles: Document | undefined): Map<string | null, string> {
  return new Map(
    [...(styles?.getElementsByTagName("w:style") ?? [])].map((style) => [
      style.getAttribute("w:styleId"),
      style.getElementsByTagName("w:name")[0]?.getAttribute("w:val") ?? "",
    ]),
  );
}

/** Without those of text boxes, which Word stores twice. */
const paragraphsOf = (root: Document | Element) =>
  [...root.getElementsByTagName("w:p")].filter((paragraph) => !paragraph.parentElement?.closest("w\\:p"));

function lineOf(paragraph: Element, styles: ReadonlyMap<string | null, string>): string {
  const id = paragraph.getElementsByTagName("w:pStyle")[0]?.getAttribute("w:val") ?? null;
  const style = styles.get(id) ?? id ?? "";
  const text = textOf(paragraph);
  if (!text) return "";
  const level = /^(?:heading (\d)|title)$/i.exec(style);
  if (level) return `${"#".repeat(Number(level[1] ?? 1))} ${text}`;
  return QUOTED.test(style) ? `> ${text}` : text;
}

/** The current text: without deletions, and for a field the text it shows. */
function textOf(element: Element): string {
  let text = "";
  const visit = (node: Element): void => {
    for (const child of node.children) {
      if (child.tagName === "w:t") text += child.textContent;
      else if (child.tagName === "w:tab" || child.tagName === "w:br") text += " ";
      else if (child.tagName === "w:noBreakHyphen") text += "-";
      else if (child.tagName === "w:footnoteReference") text += `[^footnote-${child.getAttribute("w:id")}]`;
      else if (child.tagName === "w:endnoteReference") text += `[^endnote-${child.getAttribute("w:id")}]`;
      else if (!["w:del", "w:moveFrom", "w:p", "mc:Fallback"].includes(child.tagName)) visit(child);
    }
  };
  visit(element);
  return text.replace(/\s+/g, " ").trim();
}
