import { localName, parseXml } from "./xml.js";

const DEEPEST = 60;

/** A part of a Word file with its equations as runs of plain text: the converter leaves out what it does not know. */
export function withPlainEquations(xml: string): string {
  if (!xml.includes("<m:oMath")) return xml;
  const parts = xml.replace(/<\/?m:oMathPara(?:\s[^<>]*)?>/g, "").split(/<m:oMath(?:\s[^<>]*)?>/);
  return parts
    .map((part, i) => {
      const end = i > 0 ? part.indexOf("</m:oMath>") : -1;
      if (end < 0) return part;
      const equation = parseXml(`<e>${part.slice(0, end)}</e>`).documentElement;
      const text = linear(equation, 0).replace(/&/g, "&amp;").replace(/</g, "&lt;");
      return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>${part.slice(end + "</m:oMath>".length)}`;
    })
    .join("");
}

/** An equation in one line, as a person would type it: x^2, a_1, (a+b)/2, √(x). */
function linear(element: Element, depth: number): string {
  if (depth > DEEPEST) return "";
  const children = [...element.children];
  const all = (name: string) =>
    children.filter((child) => localName(child) === name).map((child) => linear(child, depth + 1));
  const one = (name: string) => all(name)[0] ?? "";
  const property = (name: string, usual: string) => {
    const found = children
      .filter((child) => localName(child).endsWith("Pr"))
      .flatMap((child) => [...child.children])
      .find((child) => localName(child) === name);
    return found ? (found.getAttribute("m:val") ?? "") : usual;
  };
  const scripts = () => raised("_", one("sub")) + raised("^", one("sup"));
  switch (localName(element)) {
    case "t":
      return element.textContent ?? "";
    case "f":
      return `${grouped(one("num"))}/${grouped(one("den"))}`;
    case "sSub":
    case "sSup":
    case "sSubSup":
      return one("e") + scripts();
    case "sPre":
      return scripts() + one("e");
    case "nary":
      return property("chr", "∫") + scripts() + one("e");
    case "rad":
      return `${one("deg")}√${grouped(one("e"))}`;
    case "d":
      return property("begChr", "(") + all("e").join(property("sepChr", "|")) + property("endChr", ")");
    case "acc":
      return one("e") + property("chr", "\u0302");
    case "m":
      return all("mr").join("; ");
    case "mr":
      return all("e").join(", ");
    default:
      return children
        .filter((child) => !localName(child).endsWith("Pr"))
        .map((child) => linear(child, depth + 1))
        .join("");
  }
}

const raised = (sign: string, text: string) => (text ? sign + grouped(text) : "");

const grouped = (text: string) => (/^[\p{L}\p{N}\p{M}.]*$/u.test(text) ? text : `(${text})`);
