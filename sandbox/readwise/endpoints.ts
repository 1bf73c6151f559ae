import type { Endpoint } from "./calls.js";
import { highlightEndpoints } from "./v2-highlights.js";
import { libraryEndpoints } from "./v2-library.js";
import { tagEndpointsV2 } from "./v2-tags.js";
import { listEndpoints } from "./v3-list.js";
import { writeEndpoints } from "./v3-write.js";

const table = [...libraryEndpoints, ...highlightEndpoints, ...tagEndpointsV2, ...listEndpoints, ...writeEndpoints].map(
  (endpoint) => {
    const [method, path] = endpoint.name.split(" ") as [string, string]; // names are `METHOD /path/`
    const id = path.startsWith("/api/v2/") ? "\\d+" : "[^/]+";
    const pattern = path.replace(/\/$/, "").replace(/:(\w+)/g, `(?<$1>${id})`);
    return { endpoint, method, pattern: new RegExp(`^${pattern}/?$`) };
  },
);

export const ENDPOINT_NAMES = table.map(({ endpoint }) => endpoint.name);

export type Match =
  | { found: "endpoint"; endpoint: Endpoint; params: Record<string, string> }
  | { found: "other method" }
  | { found: "nothing" };

/** Takes paths with and without the closing slash, and redirects neither. */
export function matchEndpoint(method: string, path: string): Match {
  let pathKnown = false;
  for (const row of table) {
    const match = row.pattern.exec(path);
    if (!match) continue;
    if (row.method === method) return { found: "endpoint", endpoint: row.endpoint, params: { ...match.groups } };
    pathKnown = true;
  }
  return { found: pathKnown ? "other method" : "nothing" };
}
