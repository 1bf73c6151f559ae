import { DOMParser, parseHTML } from "linkedom";
import { unreadable } from "../document.js";

const XML_ENTITIES = new Set(["amp", "lt", "gt", "quot", "apos"]);
const decoded = new Map<string, string>();

/**
 * Parses XML without a DTD: a document that declares entities of its own is refused, and HTML's named characters, which
 * older EPUBs use, are replaced first.
 */
export function parseXml(source: string): Document {
  const root = source.search(/<[a-z]/i);
  if (/<!ENTITY/i.test(source.slice(0, root < 0 ? undefined : root)))
    throw unreadable(
      "refused",
      "The file declares XML entities of its own, which can be used to attack a reader. It was not read.",
    );
  const spelt = source.replace(/&([a-z][a-z0-9]{1,31});/gi, (whole, name: string) =>
    XML_ENTITIES.has(name) ? whole : character(name, whole),
  );
  return new DOMParser().parseFromString(spelt, "text/xml") as unknown as Document;
}

function character(name: string, whole: string): string {
  let value = decoded.get(name);
  if (value === undefined) {
    value = parseHTML(`<p>${whole}</p>`).document.querySelector("p")?.textContent ?? whole;
    if (/[<&>]/.test(value)) value = `&amp;${name};`;
    if (decoded.size < 4_000) decoded.set(name, value);
  }
  return value;
}

/** Elements below `root` by their name without prefix, in document order. */
export function byName(root: Document | Element, ...names: string[]): Element[] {
  const found: Element[] = [];
  const next = [...root.children].reverse();
  for (let element = next.pop(); element; element = next.pop()) {
    if (names.includes(localName(element))) found.push(element);
    for (let child = element.lastElementChild; child; child = child.previousElementSibling) next.push(child);
  }
  return found;
}

export function localName(element: Element): string {
  return element.localName.split(":").at(-1) ?? "";
}

export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}
