// A small double of Zotero's local HTTP server: the read side of its API and Better BibTeX's JSON-RPC.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";

export interface ZoteroItem {
  key: string;
  data: {
    itemType: string;
    collections?: string[];
    parentItem?: string;
    tags?: { tag: string }[];
    [field: string]: unknown;
  };
  csljson?: Record<string, unknown>;
}
export interface ZoteroCollection {
  key: string;
  data: { name: string; parentCollection: string | false };
}
export interface ZoteroLibrary {
  items: ZoteroItem[];
  /** Attachment key to the path of its file, as /file/view/url gives it. */
  files?: Record<string, string>;
  collections?: ZoteroCollection[];
  /** "Allow other applications on this computer to communicate with Zotero". */
  allowed?: boolean;
  /** Item key to citation key; undefined where the plugin is not installed. */
  betterBibtex?: Record<string, string | null>;
  betterBibtexError?: string;
}

export interface ZoteroSandbox {
  url: string;
  /** Method, path and query of every request, in order. */
  requests: string[];
  close(): Promise<void>;
}

export async function startZotero(library: ZoteroLibrary): Promise<ZoteroSandbox> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void answer(library, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}

async function answer(library: ZoteroLibrary, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://zotero");
  if (url.pathname === "/better-bibtex/json-rpc") return rpc(library, request, response);
  if (!url.pathname.startsWith("/api/")) return send(response, 404, "No endpoint found", "text/plain");
  if (library.allowed === false) return send(response, 403, "Local API is not enabled", "text/plain");
  if (request.headers["zotero-api-version"] && request.headers["zotero-api-version"] !== "3")
    return send(response, 501, "API version not supported", "text/plain");
  const path = /^\/api\/users\/0(\/.*)$/.exec(url.pathname)?.[1];
  const attachment = /^\/items\/([A-Z0-9]{8})\/file\/view\/url$/.exec(path ?? "")?.[1];
  const file = attachment ? library.files?.[attachment] : undefined;
  if (file) return send(response, 200, pathToFileURL(file).href, "text/plain");
  const rows = path === undefined ? undefined : select(library, path, url.searchParams);
  if (!rows) return send(response, 404, "Not found", "text/plain");
  const start = Number(url.searchParams.get("start") ?? 0);
  const limit = url.searchParams.has("limit") ? Number(url.searchParams.get("limit")) : rows.length;
  response.setHeader("Total-Results", String(rows.length));
  response.setHeader("Zotero-API-Version", "3");
  send(response, 200, JSON.stringify(rows.slice(start, start + limit)));
}

function select(library: ZoteroLibrary, path: string, query: URLSearchParams): object[] | undefined {
  if (path === "/collections") return library.collections ?? [];
  const include = (query.get("include") ?? "data").split(",");
  const shape = ({ key, data, csljson }: ZoteroItem) => ({
    key,
    version: 1,
    library: { type: "user", id: 0 },
    links: {},
    meta: {},
    ...(include.includes("data") ? { data: { key, version: 1, ...data } } : {}),
    ...(include.includes("csljson") && csljson ? { csljson } : {}),
  });
  const isTop = ({ data }: ZoteroItem) => data.parentItem === undefined;
  const ofType = ({ data }: ZoteroItem) =>
    !query.has("itemType") ||
    query
      .get("itemType")!
      .split("||")
      .map((type) => type.trim())
      .includes(data.itemType);
  // Repeated parameters are "and", || inside one is "or", a leading - is "not".
  const tagged = ({ data }: ZoteroItem) =>
    query.getAll("tag").every((wanted) => {
      const has = (tag: string) => data.tags?.some((each) => each.tag === tag) ?? false;
      return wanted
        .split("||")
        .some((each) => (each.trim().startsWith("-") ? !has(each.trim().slice(1)) : has(each.trim())));
    });
  if (path === "/items") return library.items.filter(ofType).filter(tagged).map(shape);
  if (path === "/items/top") return library.items.filter(isTop).filter(ofType).filter(tagged).map(shape);
  const collection = /^\/collections\/([A-Z0-9]{8})\/items\/top$/.exec(path)?.[1];
  if (collection)
    return library.items
      .filter(isTop)
      .filter(({ data }) => data.collections?.includes(collection))
      .filter(tagged)
      .map(shape);
  return undefined;
}

async function rpc(library: ZoteroLibrary, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!library.betterBibtex && !library.betterBibtexError)
    return send(response, 404, "No endpoint found", "text/plain");
  let body = "";
  for await (const part of request) body += String(part);
  const call = JSON.parse(body) as { id: unknown; method: string; params: unknown[] };
  const keys = call.params[0];
  // Errors come with status 200, too.
  if (library.betterBibtexError || call.method !== "item.citationkey" || !Array.isArray(keys))
    return send(
      response,
      200,
      JSON.stringify({
        jsonrpc: "2.0",
        id: call.id,
        error: { code: -32602, message: library.betterBibtexError ?? "INVALID_PARAMETERS" },
      }),
    );
  const result = Object.fromEntries(keys.map((key) => [String(key), library.betterBibtex?.[String(key)] ?? null]));
  send(response, 200, JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
}

function send(response: ServerResponse, status: number, body: string, type = "application/json"): void {
  response.writeHead(status, { "Content-Type": type });
  response.end(body);
}
