import { signal } from "@preact/signals";

export interface Route {
  /** Decoded segments: `#/projects/demo%2Freading` is ["projects", "demo/reading"]. */
  path: readonly string[];
  query: URLSearchParams;
}

export const route = signal<Route>(parse(location.hash));
addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

export function href(path: readonly (string | number)[], query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

export function go(target: string): void {
  location.hash = target;
}

/** The address of what is shown now, without a step in the history: a search as it is typed. */
export function restate(target: string): void {
  history.replaceState(null, "", target);
  route.value = parse(target);
}

function parse(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(search) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a malformed escape is shown as it stands
  }
}
