export interface Route {
  /** Decoded segments: `#/projects/demo%2Freading` is ["projects", "demo/reading"]. */
  path: readonly string[];
  query: URLSearchParams;
}

/** What the part of the address after `#` names. */
export function readAddress(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(search) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a malformed escape is kept as it is
  }
}
