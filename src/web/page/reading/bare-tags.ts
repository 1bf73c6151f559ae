/** Elements whose content is not text for reading. */
const RAW = new Set([
  "script",
  "style",
  "iframe",
  "noscript",
  "noembed",
  "noframes",
  "template",
  "textarea",
  "title",
  "xmp",
]);
const NAME = /[a-z][a-z0-9]*/iy;

/**
 * The same HTML with no attributes, comments, scripts or styles; a container of notes gets one class. Even an inert
 * document is checked against the page's content policy when it is parsed, and each handler or style in it would be
 * reported. One pass over the characters, so that the cost of a hostile document is linear in its length.
 */
export function bareTags(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const closing = html[open + 1] === "/";
    NAME.lastIndex = open + (closing ? 2 : 1);
    const name = NAME.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      at = afterOther(html, open, parts);
      continue;
    }
    const from = NAME.lastIndex;
    at = afterTag(html, from);
    if (!closing && RAW.has(name)) at = afterRaw(html, at, name);
    else if (!RAW.has(name)) parts.push(closing ? `</${name}>` : `<${name}${markOf(html.slice(from, at))}>`);
  }
  parts.push(html.slice(at));
  return parts.join("");
}

/** A container of notes, as common converters of Markdown and books mark it. */
const NOTES = /\b(?:class|role|type)="[^"]*\b(?:foot|end)notes?\b/i;
const markOf = (attributes: string) => (NOTES.test(attributes) ? ' class="footnotes"' : "");

/** The offset after a comment or declaration; a "<" that starts neither is text. */
function afterOther(html: string, open: number, parts: string[]): number {
  if (html[open + 1] !== "!" && html[open + 1] !== "?" && html[open + 1] !== "/") {
    parts.push("&lt;");
    return open + 1;
  }
  const isComment = html.startsWith("<!--", open);
  const end = html.indexOf(isComment ? "-->" : ">", open + 2);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/** The offset after the ">" that ends a tag; a ">" inside a quoted attribute does not end it. */
function afterTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const character = html[at]!;
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && html[at - 1] === "=") quote = character;
  }
  return html.length;
}

function afterRaw(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}\\b[^>]*>?`, "gi");
  end.lastIndex = from;
  return end.exec(html) ? end.lastIndex : html.length;
}
