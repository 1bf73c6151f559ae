import { type Role, rolesByName } from "./dom-text.js";
import { isByline } from "./title-page-markup.js";

const ROLES = rolesByName({
  skip: "head title script style noscript template svg audio video canvas iframe object embed button select input textarea nav link meta",
  block:
    "html body p div form section article blockquote figure header footer aside main address hgroup center details summary hr dialog thead tbody tfoot",
  list: "ul ol dl menu",
  item: "li dt dd",
  table: "table",
  row: "tr",
  caption: "caption",
  cell: "td th",
  code: "pre",
  break: "br",
});

/** Roles of HTML's elements; EPUB's content documents are HTML too. */
export function htmlRole(element: Element): Role {
  const name = element.localName.toLowerCase();
  if (element.hasAttribute("hidden")) return "skip";
  const heading = /^h([1-6])$/.exec(name);
  if (heading) return isByline(element) ? "block" : { heading: Number(heading[1]) };
  const semantics = `${element.getAttribute("epub:type") ?? ""} ${element.getAttribute("role") ?? ""}`;
  // A mark, and the arrow that leads back to it.
  if (/\b(?:doc-)?(?:noteref|backlink)\b/.test(semantics)) return "note-mark";
  if (/\b(doc-)?bibliography\b/.test(semantics)) return "references";
  if (name === "sup" && /\breference\b/.test(element.getAttribute("class") ?? "")) return "note-mark";
  if (name === "ol" && /\breferences\b/.test(element.getAttribute("class") ?? "")) return "references";
  if (name === "figcaption") return element.parentElement?.querySelector("table") ? "caption" : "figure";
  if (name === "math" && element.getAttribute("display") === "block") return "equation";
  return ROLES.get(name) ?? "inline";
}
