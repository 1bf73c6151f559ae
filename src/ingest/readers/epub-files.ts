import { byMark } from "../encoding.js";
import type { Zip } from "../zip.js";

export function textFile(zip: Zip, path: string): string {
  const bytes = zip.bytes(path);
  return new TextDecoder(byMark(bytes)).decode(bytes);
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
