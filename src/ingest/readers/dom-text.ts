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
  | "row"
  | "cell"
  | "code"
  | "references"
  | "note-mark"
  | { heading: number; title?: string };

export interface DomHooks {
  roleOf(element: Element): Role;
  /** Called for each element before its text is written. */
  enter?(element: Element, builder: TextBuilder): void;
}

type Inside = "flow" | "list" | "table" | "references" | "heading";

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
  visitChildren(root, "flow", 0);
  builder.end();

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
    if (role === "break") return builder.space("\n");
    if (role === "note-mark") return builder.removed((element.textContent ?? "").trim());
    if (typeof role === "object") {
      if (inside !== "flow") return separate(element, inside, depth);
      return builder.heading(role.heading, () => visitChildren(element, "heading", depth), role.title);
    }
    if (role === "references") {
      builder.end();
      visitChildren(element, "references", depth);
      return builder.end();
    }
    if (inside === "list" || inside === "table" || inside === "heading") return separate(element, inside, depth, role);
    if (role === "code") {
      builder.begin("code");
      builder.verbatim((element.textContent ?? "").replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd());
      return builder.end();
    }
    const kind =
      inside === "references"
        ? "reference"
        : role === "list" && isCompactList(element)
          ? "list"
          : role === "table" && isDataTable(element)
            ? "table"
            : "paragraph";
    builder.begin(kind);
    visitChildren(element, kind === "list" || kind === "table" ? kind : inside, depth);
    builder.end();
  }

  /** Inside a list, table or heading no element starts a block: rows and items are lines, cells are columns. */
  function separate(element: Element, inside: Inside, depth: number, role?: Role) {
    const gap = inside === "heading" ? " " : role === "cell" ? "\t" : inside === "table" && role !== "row" ? " " : "\n";
    builder.space(gap);
    visitChildren(element, inside, depth);
    builder.space(gap === "\t" ? " " : gap);
  }

  /** A real list is one block; a list used for the layout of chapters or pages is not. */
  function isCompactList(element: Element): boolean {
    return (element.textContent?.length ?? 0) < 20_000 && !element.querySelector("h1,h2,h3,h4,h5,h6,table,pre,p + p");
  }

  function isDataTable(element: Element): boolean {
    return (element.textContent?.length ?? 0) < 50_000 && !element.querySelector("table,h1,h2,h3,pre,p + p");
  }
}
