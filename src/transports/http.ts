import { randomUUID } from "node:crypto";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { DoorName } from "../catalog/doors.js";
import { narrowing, type ProfileName } from "../catalog/profiles.js";
import { type Config, isLoopback } from "../config/config.js";
import type { Log } from "../kernel/log.js";
import type { Metrics } from "../kernel/metrics.js";
import type { CatalogServer, RequestScope } from "../mcp/server.js";
import { CONNECTIONS } from "./connections.js";
import { hostGuard, type Refusal, readwiseKeyOf, TOKEN_NEEDED, tokenGuard } from "./http-guards.js";
import { createMcpDoor, MAX_BODY_BYTES, TOO_LARGE } from "./mcp-door.js";
import { isUpload, receiveUpload } from "./upload.js";

const SHUTDOWN_GRACE_MS = 10_000;

/** A check of `/ready`; it returns a sentence with the problem, or undefined if all is well. */
export type ReadyCheck = () => Promise<string | undefined>;

export interface HttpOptions {
  config: Config;
  server: CatalogServer;
  metrics: Metrics;
  log: Log;
  ready: Record<string, ReadyCheck>;
  /** Serves the page; answers false where the path is not its own. */
  page?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** The folder of uploaded files; undefined if uploads are off. */
  uploads?: string | undefined;
  /** The Readwise key for callers without one; only the demo has it. */
  guestKey?: string | undefined;
  /** Makes the listening server; HTTPS where certificates are configured. */
  listener?: (handle: (request: IncomingMessage, response: ServerResponse) => void) => HttpServer;
  /** Stands in for the catalog where the protocol itself is under test. */
  factory?: McpServerFactory;
}

export interface RunningHttp {
  url: string;
  port: number;
  /** Stops listening, waits for calls in flight, then closes the rest. */
  close(): Promise<void>;
}

/** The paths of OAuth discovery, which this server does not support. */
const SIGN_IN = /^\/(register|\.well-known\/(oauth-|openid-))/;

const DOORS: Readonly<Record<string, DoorName>> = {
  "/mcp": "all",
  "/readwise/mcp": "readwise",
  "/notebooks/mcp": "notebooks",
  "/chunks/mcp": "chunks",
};

export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { config, server, metrics, log } = options;
  const host = config.HOST ?? "127.0.0.1";
  const checkHost = hostGuard({ listening: host, allowed: config.ALLOWED_HOSTS });
  const checkToken = tokenGuard(config.BOOKWHEEL_TOKEN, { trustedProxies: config.TRUSTED_PROXIES });
  let closing = false;

  const mcp = createMcpDoor({
    factory: options.factory ?? (({ authInfo }) => server.serve(authInfo?.extra?.scope as RequestScope)),
    listsNeverChange: options.factory === undefined,
    onerror: (error) => log.debug("mcp", { error: error.message }),
    onfailure: (error) => log.error("an MCP request failed on our side", { error }),
  });

  function route(request: IncomingMessage, response: ServerResponse): void {
    const requestId = requestIdOf(request);
    response.setHeader("x-request-id", requestId);
    const started = performance.now();
    const path = pathOf(request);
    response.once("close", () => {
      // A connection that falls idle while we are closing would hold the door open for its whole keep-alive time.
      if (closing) setImmediate(() => listener.closeIdleConnections());
      log.debug("request", {
        request_id: requestId,
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round(performance.now() - started),
      });
    });

    const wrongHost = checkHost(request);
    if (wrongHost) return refuse(response, wrongHost);
    if (path === "/health") return json(response, 200, { status: "ok" });
    if (path === "/ready") return void answerReady(response);
    if (path === "/metrics") return void answerMetrics(request, response);
    const door = DOORS[path];
    if (door) return openDoor(door, request, response);
    if (options.uploads && isUpload(path)) return void answerUpload(options.uploads, path, request, response);
    if (options.page?.(request, response)) return;
    // After a refusal a client tries OAuth discovery, and shows that answer instead of the refusal.
    if (config.BOOKWHEEL_TOKEN && SIGN_IN.test(path)) return json(response, 404, { error: TOKEN_NEEDED });
    json(response, 404, {
      error: `Nothing is at ${path}. MCP is at ${Object.keys(DOORS).join(", ")}; also /health, /ready, /metrics.`,
    });
  }

  function openDoor(door: DoorName, request: IncomingMessage, response: ServerResponse): void {
    if (request.method === "OPTIONS") return answerPreflight(request, response);
    if (door !== "all" && !config.shelves.includes(door))
      return refuse(response, {
        status: 404,
        message: `The ${door} shelf is not among BOOKWHEEL_SHELVES (${config.shelves.join(", ")}).`,
      });
    const wrongToken = checkToken(request);
    if (wrongToken) return refuse(response, wrongToken);
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared > MAX_BODY_BYTES)
      return refuse(response, {
        status: 413,
        message: TOO_LARGE,
        // Closing while the caller is still sending loses this answer; only far larger bodies are cut off.
        ...(declared > 4 * MAX_BODY_BYTES ? { headers: { connection: "close" } } : {}),
      });
    const profiles = requestedProfiles(request, config.profiles);
    if ("status" in profiles) return refuse(response, profiles);
    const scope: RequestScope = {
      door,
      enabled: { profiles, readOnly: config.READ_ONLY },
      caller: { readwiseKey: readwiseKeyOf(request, config.BOOKWHEEL_TOKEN !== undefined) ?? options.guestKey },
    };
    void mcp.serve(scope, request, response);
  }

  async function answerUpload(root: string, path: string, request: IncomingMessage, response: ServerResponse) {
    const wrongToken = checkToken(request);
    if (wrongToken) return refuse(response, wrongToken);
    try {
      const result = await receiveUpload(request, path, root);
      if ("status" in result) refuse(response, result);
      else json(response, 201, result);
    } catch (error) {
      if (request.destroyed && !request.complete) return; // the sender hung up
      log.error("upload failed", { error });
      refuse(response, { status: 500, message: "The file could not be kept. The server's log says why." });
    }
  }

  async function answerReady(response: ServerResponse): Promise<void> {
    const checks = await Promise.all(
      Object.entries(options.ready).map(async ([name, check]) => [name, (await check()) ?? "ok"] as const),
    );
    const problems = checks.filter(([, state]) => state !== "ok" && !state.startsWith("degraded:"));
    const ready = !closing && problems.length === 0;
    json(response, ready ? 200 : 503, { ready, ...(closing ? { closing } : {}), checks: Object.fromEntries(checks) });
  }

  async function answerMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // On loopback too: behind a proxy on the same machine every connection is local.
    const refusal =
      config.BOOKWHEEL_TOKEN === undefined && !isLoopback(host)
        ? { status: 403, message: "Set BOOKWHEEL_TOKEN to read metrics on this address." }
        : checkToken(request);
    if (refusal) return refuse(response, refusal);
    response.writeHead(200, { "content-type": metrics.contentType }).end(await metrics.text());
  }

  const listener = (options.listener ?? ((handle) => createServer(CONNECTIONS, handle)))(route);
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(config.PORT, host, resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    url: `${config.TLS_CERT_FILE ? "https" : "http"}://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`,
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      listener.closeIdleConnections();
      const grace = setTimeout(() => listener.closeAllConnections(), SHUTDOWN_GRACE_MS);
      await closed;
      clearTimeout(grace);
      await mcp.close();
    },
  };
}

/** The profiles requested by URL and by header; with both, the intersection. */
function requestedProfiles(
  request: IncomingMessage,
  enabled: ReadonlySet<ProfileName>,
): ReadonlySet<ProfileName> | Refusal {
  const header = request.headers["x-bookwheel-profiles"];
  if (header === undefined && !request.url?.includes("?")) return enabled;
  const asked = [
    ...new URL(request.url ?? "/", "http://localhost").searchParams.getAll("profiles"),
    ...(header === undefined ? [] : [String(header)]),
  ];
  let profiles = enabled;
  for (const text of asked) {
    const names = text
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const wanted = narrowing(names);
    if ("unknown" in wanted)
      return {
        status: 400,
        message: `Unknown profile ${wanted.unknown.map((name) => `'${name}'`).join(", ")}. Known: ${wanted.known.join(", ")}.`,
      };
    profiles = new Set([...profiles].filter((profile) => wanted.profiles.has(profile)));
  }
  return profiles;
}

/** A browser may ask first; the guard has already turned away every origin but our own page's. */
function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const origin = request.headers.origin;
  response
    .writeHead(204, {
      ...(origin ? { "access-control-allow-origin": origin, vary: "origin" } : {}),
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, x-readwise-token, x-bookwheel-profiles",
      "access-control-max-age": "600",
    })
    .end();
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  json(response, status, { jsonrpc: "2.0", id: null, error: { code: -32000, message } }, headers);
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function pathOf(request: IncomingMessage): string {
  const path = (request.url ?? "/").split("?", 1)[0]!;
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** The proxy's request id if it is well-formed, otherwise our own: it links log lines to a request. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
