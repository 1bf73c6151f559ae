import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { jsonOrUndefined } from "../kernel/json-or-undefined.js";
import type { Visit } from "../mcp/server.js";
import { listReplay } from "./list-replay.js";

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
export const TOO_LARGE = `The request is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB. Send it in smaller parts.`;

/** A longer request for a list is answered, but its words are not worth keeping. */
const LONGEST_LIST_REQUEST = 4096;
const FIRST_WORD_MS = 20;

export interface McpDoor {
  /** Answers one request that has passed the guards. */
  serve(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * The SDK's handler behind `node:http`. The SDK's own adapter reads each body twice through web streams; here it is read
 * once and handed over parsed, and a list that was given before is given again without asking.
 */
export function createMcpDoor({
  factory,
  listsNeverChange,
  onerror,
}: {
  factory: McpServerFactory;
  /** What `tools/list` answers depends on the request alone, so that an answer may be kept. */
  listsNeverChange: boolean;
  onerror(error: Error): void;
}): McpDoor {
  const mcp = createMcpHandler(factory, { maxRequestBodySize: MAX_BODY_BYTES, onerror });
  const replay = listReplay();

  async function serve(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST")
      return refuse(response, 405, "Only POST is answered here: the server keeps no sessions.", { allow: "POST" });
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    const body = await readBody(request);
    if (body === undefined) return; // the caller hung up
    if (body === TOO_LONG) return refuse(response, 413, TOO_LARGE, { connection: "close" });
    // What is not JSON is left to the SDK, which says what is wrong with it.
    const message = jsonOrUndefined(body);
    const ask = (message: unknown) =>
      // The SDK hands `authInfo` through to the factory unread: the way to bring what this request may see.
      mcp.fetch(toWebRequest(request, message === undefined ? body : undefined, gone.signal), {
        authInfo: { token: "", clientId: "caller", scopes: [], extra: { visit } },
        ...(message === undefined ? {} : { parsedBody: message }),
      });
    const mayBeKept = listsNeverChange && body.length <= LONGEST_LIST_REQUEST;
    const list = mayBeKept ? await replay(visit, request.headers, message, ask) : undefined;
    if (list) return void response.writeHead(200, list.headers).end(list.body);
    await write(response, await ask(message), gone.signal);
  }

  return {
    async serve(visit, request, response) {
      try {
        await serve(visit, request, response);
      } catch (error) {
        onerror(error instanceof Error ? error : new Error(String(error)));
        if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal server error"}}');
      }
    },
    close: () => mcp.close(),
  };
}

const TOO_LONG = Symbol("a body that is too long");

/** The whole body as text; undefined where the caller left before its end. */
function readBody(request: IncomingMessage): Promise<string | typeof TOO_LONG | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MAX_BODY_BYTES) resolve(TOO_LONG);
      else parts.push(part);
    });
    request.once("end", () => resolve((parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString()));
    request.once("close", () => resolve(undefined));
  });
}

function toWebRequest(request: IncomingMessage, body: string | undefined, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string") headers.set(name, value);
    else for (const item of value ?? []) headers.append(name, item);
  return new Request(`http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`, {
    method: "POST",
    headers,
    signal,
    ...(body ? { body } : {}),
  });
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string>): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
}

async function write(response: ServerResponse, answer: Response, signal: AbortSignal): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  if (!answer.body) return void response.writeHead(answer.status, headers).end();
  if (!headers["content-type"]?.startsWith("text/event-stream")) {
    const body = Buffer.from(await answer.arrayBuffer());
    return void response.writeHead(answer.status, { ...headers, "content-length": body.length }).end(body);
  }
  response.writeHead(answer.status, headers);
  // A quick answer goes out in one piece; who waits for a slow one is told that it comes.
  const waiting = setTimeout(() => response.flushHeaders(), FIRST_WORD_MS);
  try {
    for await (const part of answer.body) {
      clearTimeout(waiting);
      if (signal.aborted) break;
      if (!response.write(part)) await once(response, "drain", { signal }).catch(() => {});
    }
  } finally {
    clearTimeout(waiting);
  }
  response.end();
}
