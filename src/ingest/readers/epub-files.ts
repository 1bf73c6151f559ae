import type { Zip } from "../zip.js";

export function textFile(zip: Zip, path: string): string {
  const bytes = zip.bytes(path);
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(utf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}

/** The target of a link inside the archive: the file, and the file with its fragment, the key in `places`. */
export function resolve(from: string, href: string): { path: string; target: string } {
  const [file = "", fragment] = href.split("#");
  const parts = file ? from.split("/").slice(0, -1) : from.split("/");
  for (const part of decode(file).split("/")) {
    if (part === "..") parts.pop();
    else if (part && part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  return { path, target: fragment ? `${path}#${decode(fragment)}` : path };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a single percent sign is part of the name, not an escape
  }
}
