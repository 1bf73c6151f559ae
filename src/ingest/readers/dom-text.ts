import { unreadable } from "../document.js";
import type { TextBuilder } from "../text-builder.js";

/** The role of an element in the text, independent of the vocabulary's element names. */
export type Role =
  | "inline"
  | "block"
  | "skip"
  | "break"
  | "list"
  | "item"
  | "table"
  | "caption"
  | "figure"
  | "equation"
  | "row"
  | "cell"
  | "code"
  | "references"
  | "note-mark"
  /** The mark that a note begins with. */
  | "note-label"
  /** A block that begins with the mark of its note; one that stands within a sentence is written after its paragraph. */
  | { footnote: string; within?: true }
  | { heading: number; title?: string };

/** A table of element names, by role, each list separated by spaces. */
export function rolesByName(names: { readonly [Name in Extract<Role, string>]?: string }): ReadonlyMap<string, Role> {
  const entries = Object.entries(names) as [Extract<Role, string>, string][];
  return new Map(entries.flatMap(([role, list]) => list.split(" ").map((name) => [name, role])));
}

interface DomHooks {
  roleOf(element: Element): Role;
  /** Called for each element before its text is written. */
  enter?(element: Element, builder: TextBuilder): void;
}

type Inside = "flow" | "list" | "line" | "references" | "heading";

// Deeper than any real document, and safe for the call stack.
const MAX_DEPTH = 1_000;

/** Nesting depth of elements, up to `limit`. */
export function depthOf(root: Element, limit = MAX_DEPTH + 1): number {
  let deepest = 0;
  const next: [Element, number][] = [[root, 0]];
  for (let each = next.pop(); each && deepest < limit; each = next.pop()) {
    deepest = Math.max(deepest, each[1]);
    for (let child = each[0].firstElementChild; child; child = child.nextElementSibling)
      next.push([child, each[1] + 1]);
  }
  return deepest;
}

/** Writes a DOM tree into the builder as blocks. */
export function writeDom(root: Element, builder: TextBuilder, hooks: DomHooks): void {
  const postponed: (() => void)[] = [];
  visitChildren(root, "flow", 0);
  builder.end();
  writePostponed();

  function visitChildren(node: Element, inside: Inside, depth: number) {
    if (depth > MAX_DEPTH)
      throw unreadable("refused", `The file nests its elements more than ${MAX_DEPTH} deep. It was not read.`);
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === 3 || child.nodeType === 4) {
        if (inside === "references" && !builder.openBlock) builder.begin("reference");
        builder.write(child.nodeValue ?? "");
      } else if (child.nodeType === 1) visit(child as Element, inside, depth + 1);
    }
  }

  function visit(element: Element, inside: Inside, depth: number) {
    const role = hooks.roleOf(element);
    if (role === "skip") return;
    hooks.enter?.(element, builder);
    if (role === "inline") return visitChildren(element, inside, depth);
    if (role === "break") return builder.space(inside === "line" ? " " : "\n");
    if (role === "note-mark") return builder.removed((element.textContent ?? "").trim());
    if (role === "note-label") {
      builder.write(element.textContent ?? "");
      return /^\s*[.):]/.test(element.nextSibling?.textContent ?? "") ? undefined : builder.space();
    }
    if (typeof role === "object" && "footnote" in role) {
      if (role.within) postponed.push(() => note(element, role.footnote, depth));
      else if (inside === "line" || inside === "heading") separate(element, inside, depth);
      else note(element, role.footnote, depth);
      return;
    }
    if (typeof role === "object") {
      if (inside !== "flow") return separate(element, inside, depth);
      return builder.heading(role.heading, () => visitChildren(element, "heading", depth), role.title);
    }
    if (role === "references") {
      builder.end();
      visitChildren(element, "references", depth);
      return builder.end();
    }
    if (inside === "list" || inside === "line" || inside === "heading") return separate(element, inside, depth);
    if (role === "caption" || role === "figure" || role === "equation") return oneBlock(element, role, depth);
    if (role === "table" && inside === "flow" && isDataTable(element)) return table(element, depth);
    if (role === "code") {
      for (const lineEnd of element.querySelectorAll("br")) lineEnd.replaceWith("\n");
      builder.begin("code");
      builder.verbatim((element.textContent ?? "").replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd());
      return builder.end();
    }
    const kind =
      inside === "references" ? "reference" : role === "list" && isCompactList(element) ? "list" : "paragraph";
    builder.begin(kind);
    visitChildren(element, kind === "list" ? kind : inside, depth);
    builder.end();
    writePostponed();
  }

  function note(element: Element, mark: string, depth: number) {
    builder.begin("footnote");
    if (mark) builder.write(`${mark} `);
    visitChildren(element, "line", depth);
    builder.end();
  }

  function writePostponed() {
    for (const write of postponed.splice(0)) write();
  }

  /** Inside a list, a cell, a caption or a heading no element starts a block. */
  function separate(element: Element, inside: Inside, depth: number) {
    const gap = inside === "list" ? "\n" : " ";
    builder.space(gap);
    visitChildren(element, inside, depth);
    builder.space(gap);
  }

  /** A caption that comes in parts, as a label and its text, is one block. */
  function oneBlock(element: Element, kind: "caption" | "figure" | "equation", depth: number) {
    if (kind === "caption" && builder.openBlock?.kind === kind) builder.space();
    else builder.begin(kind);
    visitChildren(element, "line", depth);
    if (kind !== "caption") builder.end();
  }

  /** One line per row. A cell that spans several rows or columns stands in the first of them, the others are empty. */
  function table(element: Element, depth: number) {
    const captions = [...element.children].filter((child) => hooks.roleOf(child) === "caption");
    for (const caption of captions) visit(caption, "flow", depth + 1);
    builder.begin("table");
    const spans: number[] = []; // how many more rows each column is taken
    const rowsIn = (part: Element, level: number) => {
      if (level > MAX_DEPTH) return;
      for (let node = part.firstChild; node; node = node.nextSibling) {
        if (node.nodeType === 3 && node.nodeValue?.trim()) {
          builder.space("\n");
          builder.write(node.nodeValue);
        }
        if (node.nodeType !== 1) continue;
        const child = node as Element;
        const role = hooks.roleOf(child);
        if (role === "skip" || role === "caption") continue;
        hooks.enter?.(child, builder);
        if (role === "row") row(child, spans, level + 1);
        else if (role === "cell") {
          builder.space("\n");
          visitChildren(child, "line", level + 1);
        } else rowsIn(child, level + 1);
      }
    };
    rowsIn(element, depth);
    builder.end();
  }

  function row(element: Element, spans: number[], depth: number) {
    builder.space("\n");
    let column = 0;
    let written = 0;
    const taken = () => {
      while ((spans[column] ?? 0) > 0) spans[column++]!--;
    };
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3 && node.nodeValue?.trim()) builder.write(node.nodeValue);
      if (node.nodeType !== 1 || hooks.roleOf(node as Element) === "skip") continue;
      const cell = node as Element;
      hooks.enter?.(cell, builder);
      taken();
      if (cell.textContent?.trim()) {
        builder.tab(column - written);
        written = column;
      }
      visitChildren(cell, "line", depth + 1);
      const [width, height] = [spanOf(cell, "colspan"), spanOf(cell, "rowspan")];
      for (let i = 0; i < width; i++) spans[column++] = height - 1;
    }
    taken();
  }

  /** A real list is one block; a list used for the layout of chapters or pages is not. */
  function isCompactList(element: Element): boolean {
    return (element.textContent?.length ?? 0) < 20_000 && !element.querySelector("h1,h2,h3,h4,h5,h6,table,pre,p + p");
  }

  /** A table of data: rows of several short cells. Tables that lay out a page hold headings, listings or long prose. */
  function isDataTable(element: Element): boolean {
    if (element.querySelector("table,h1,h2,h3,pre")) return false;
    const rows = [...element.querySelectorAll("tr")];
    if (rows.length < 2 || !rows.some(({ children }) => children.length > 1)) return false;
    const marked = element.querySelector("th,thead,caption") !== null;
    return rows.every((each) =>
      [...each.children].every(({ textContent }) => (textContent?.length ?? 0) < (marked ? 5_000 : 1_500)),
    );
  }
}

const MAX_SPAN = 100;
function spanOf(cell: Element, attribute: "colspan" | "rowspan"): number {
  const value = Math.floor(Number(cell.getAttribute(attribute) ?? 1));
  return value >= 1 ? Math.min(value, attribute === "colspan" ? MAX_SPAN : 10_000) : 1;
}
