import type { IncomingMessage, ServerResponse } from "node:http";
import type { Faults } from "./faults.js";
import type { SandboxState } from "./state.js";

export interface SeenRequest {
  method: string;
  path: string;
  /** RPC id, or "stream". */
  rpc?: string;
  params?: unknown[];
  query: Record<string, string>;
  /** The client gave up before the answer was out. */
  aborted: boolean;
}

/** What every route needs to know. */
export interface Sandbox {
  state: SandboxState;
  faults: Faults;
  requests: SeenRequest[];
  port: number;
}

export function signedIn(request: IncomingMessage, { sid, psidts }: SandboxState): boolean {
  const jar = new Map((request.headers.cookie ?? "").split("; ").map((pair) => pair.split("=", 2) as [string, string]));
  return jar.get("SID") === sid && psidts.has(jar.get("__Secure-1PSIDTS") ?? "");
}

/** Google's other hosts, each on a loopback name of its own: browsers resolve every name below `localhost`. */
export const elsewhere = (host: string, port: number, path: string): string =>
  `http://${host}.localhost:${port}${path}`;

export function toSignIn(url: URL, response: ServerResponse, port: number) {
  const target = `/v3/signin/identifier?continue=${encodeURIComponent(url.href)}`;
  response
    .writeHead(302, { location: elsewhere("accounts.google.com", port, target), "cache-control": "no-store" })
    .end();
}

/** The account a request is for: by index or e-mail, the first one where there is no such. */
export function accountOf(url: URL, { accounts }: SandboxState): number {
  const asked = url.searchParams.get("authuser") ?? "0";
  const index = accounts.findIndex((_, i) => asked === String(i) || asked === emailOf(i));
  return Math.max(0, index);
}

export const emailOf = (account: number): string => `reader${account}@example.org`;

export function head(response: ServerResponse, extra: Record<string, string> = {}) {
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="response.bin"; filename*=UTF-8''response.bin`,
    server: "ESF",
    ...extra,
  });
}

export function refuse(response: ServerResponse, code: number, headers: Record<string, string> = {}) {
  response
    .writeHead(code, { "content-type": "text/html; charset=utf-8", ...headers })
    .end(`<title>Error ${code}</title>`);
}

export function parse(json: unknown): unknown {
  try {
    return typeof json === "string" ? JSON.parse(json) : undefined;
  } catch {
    return undefined; // malformed input is answered with 400 by the caller
  }
}
