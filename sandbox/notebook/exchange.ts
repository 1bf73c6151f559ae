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

/** The sign-in page lives on another loopback name, as the real one lives on another host. */
export function toSignIn(url: URL, response: ServerResponse, port: number) {
  const location = `http://localhost:${port}/accounts/ServiceLogin?continue=${encodeURIComponent(url.href)}`;
  response.writeHead(302, { location, "cache-control": "no-store" }).end();
}

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
