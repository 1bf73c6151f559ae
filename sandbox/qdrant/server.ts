import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, ENDPOINTS } from "./endpoints.js";
import { type Fault, Faults } from "./faults.js";
import type { OpenApi } from "./openapi.js";
import { Refusal } from "./wire.js";

export interface QdrantSandboxOptions {
  port?: number;
  /** Qdrant's OpenAPI document; without it nothing is checked, and `checked` says so. */
  openapi?: string;
  apiKey?: string;
  version?: string;
}
export interface SeenCall {
  method: string;
  path: string;
  status: number;
  body: unknown;
  /** The request's accept-encoding. */
  encoding: string | undefined;
  aborted: boolean;
}
export interface QdrantSandbox {
  url: string;
  /** Whether requests and answers are held to the OpenAPI document. */
  checked: boolean;
  /** Every request and answer that broke it. */
  violations: string[];
  calls: SeenCall[];
  faults: Faults;
  database: Database;
  close(): Promise<void>;
}

const BODY_LIMIT = 32 * 1024 * 1024;

/**
 * A double of a Qdrant server on loopback: its wire, its refusals and exact answers, nothing of its speed. The store's contract
 * passes on it and on Qdrant 1.18.3 alike, and `same-answers.test.ts` compares the two request by request.
 */
export async function startQdrantSandbox(options: QdrantSandboxOptions = {}): Promise<QdrantSandbox> {
  const { port = 0, openapi, apiKey, version = "1.19.0" } = options;
  const database: Database = { version, collections: new Map(), aliases: new Map() };
  const spec = openapi && existsSync(openapi) ? (await import("./openapi.js")).readOpenApi(openapi) : undefined;
  const sandbox = { violations: [] as string[], calls: [] as SeenCall[], faults: new Faults(), database };
  const server = createServer((request, response) => {
    void serve(request, response, { ...sandbox, spec, apiKey });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    ...sandbox,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    checked: spec !== undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Serving = Pick<QdrantSandbox, "violations" | "calls" | "faults" | "database"> & {
  spec: OpenApi | undefined;
  apiKey: string | undefined;
};

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const started = performance.now();
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const method = (request.method ?? "GET").toLowerCase();
  const seen: SeenCall = {
    method,
    path: url.pathname,
    status: 0,
    body: undefined,
    encoding: request.headers["accept-encoding"]?.toString(),
    aborted: false,
  };
  serving.calls.push(seen);
  response.on("close", () => {
    seen.aborted = !response.writableFinished;
  });
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    seen.status = status;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  if (url.pathname === "/")
    return send(200, { title: "qdrant - vector search engine", version: serving.database.version });
  if (serving.apiKey && request.headers["api-key"] !== serving.apiKey) {
    seen.status = 401;
    response
      .writeHead(401, { "content-type": "text/plain" })
      .end("Must provide an API key or an Authorization bearer token");
    return;
  }

  const { template, name, part } = route(url.pathname);
  const time = () => (performance.now() - started) / 1000;
  const refuse = (status: number, message: string, headers?: Record<string, string>) => {
    const body = { status: { error: message }, time: time() };
    report(serving, `answer ${status} to ${method} ${template}`, serving.spec?.answer(method, template, status, body));
    send(status, body, headers);
  };
  const fault = serving.faults.take(method, url.pathname);
  if (fault && (await struck(fault, response, refuse))) return;
  try {
    const body = await readBody(request);
    seen.body = body;
    const endpoint = ENDPOINTS[`${method} ${template}`];
    if (!endpoint) return refuse(404, "");
    const wrong = serving.spec?.request(method, template, url.searchParams, body);
    report(serving, `${method} ${url.pathname}`, wrong);
    if (wrong) return refuse(422, `Validation error in JSON body: [${wrong}]`);
    const result = endpoint({ database: serving.database, name, part, query: url.searchParams, body });
    if (fault?.kind === "lost") return void response.destroy();
    const answer = { result, status: "ok", time: time() };
    report(serving, `answer to ${method} ${url.pathname}`, serving.spec?.answer(method, template, 200, answer));
    send(200, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      report(serving, `${method} ${url.pathname}`, `the double broke: ${(error as Error).stack}`);
      return refuse(500, `Service internal error: ${(error as Error).message}`);
    }
    refuse(error.status, error.message, error.headers);
  }
}

/** True where the fault is all there is to answer. */
async function struck(
  fault: Fault,
  response: ServerResponse,
  refuse: (status: number, message: string, headers?: Record<string, string>) => void,
): Promise<boolean> {
  if (fault.kind === "lost") return false;
  if (fault.kind === "slow") {
    await sleep(fault.ms);
    return false;
  }
  if (fault.kind === "throttle")
    refuse(429, "Rate limiting exceeded: Read rate limit exceeded, retry later", {
      "retry-after": String(fault.retryAfter),
    });
  if (fault.kind === "status") refuse(fault.status, fault.message);
  if (fault.kind === "reset") response.destroy();
  if (fault.kind === "garbage")
    response.writeHead(200, { "content-type": "text/html" }).end("<html>a proxy's page</html>");
  return true;
}

function report(serving: Serving, where: string, problem: string | undefined): void {
  if (problem) serving.violations.push(`${where}: ${problem}`);
}

function route(path: string): { template: string; name: string; part: string } {
  const [, first, second, ...rest] = path.split("/");
  if (first !== "collections" || second === undefined || path === "/collections/aliases")
    return { template: path, name: "", part: "" };
  const name = decodeURIComponent(second);
  if (rest[0] === "vectors" && rest[1] !== undefined)
    return {
      template: "/collections/{collection_name}/vectors/{vector_name}",
      name,
      part: decodeURIComponent(rest[1]),
    };
  return { template: `/collections/{collection_name}${rest.length ? `/${rest.join("/")}` : ""}`, name, part: "" };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    chunks.push(chunk);
  }
  if (size > BODY_LIMIT)
    throw new Refusal(400, `JSON payload (${size} bytes) is larger than allowed (limit: ${BODY_LIMIT} bytes).`);
  if (size === 0) return undefined;
  const text = Buffer.concat(chunks).toString("utf8");
  if (/(?<!\\)(?:\\\\)*\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(text))
    throw new Refusal(400, "Format error in JSON body: lone leading surrogate in hex escape");
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Refusal(400, `Format error in JSON body: ${(error as Error).message}`);
  }
}
