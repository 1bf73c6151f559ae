import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { jsonOrUndefined } from "../kernel/json.js";
import { createSerialQueue } from "../kernel/serial-queue.js";
import type { RequestScope } from "../mcp/server.js";
import { isTooMuch, shapeOf } from "./json-shape.js";
import { listReplay } from "./list-replay.js";

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
export const TOO_LARGE = `The request is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB. Send it in smaller parts.`;

/** More than most calls need. Larger bodies are read one at a time, and only for tools that take whole texts. */
const LARGE_BYTES = 1024 * 1024;
const LARGE_TOOLS: ReadonlySet<string> = new Set([
  "add_source",
  "bulk_create_highlights",
  "ingest_documents",
  "store_chunks",
]);
const TOO_LARGE_FOR_OTHERS = `Only ${[...LARGE_TOOLS].join(", ")} take more than ${LARGE_BYTES / 1024 / 1024} MiB.`;
const TOO_MANY_PARTS =
  "The request holds too many or too deeply nested values to be read safely. Send it in smaller parts.";
/** A large body in memory counts against the others this long at most; its tool may work for much longer. */
const LARGE_HOLD_MS = 10_000;
/** After this long the next sender is served. */
const LARGE_READ_MS = 60_000;

/** A longer request for a list is answered, but its words are not worth keeping. */
const LONGEST_LIST_REQUEST = 4096;
const FIRST_WORD_MS = 20;

interface McpDoor {
  /** Answers one request that has passed the guards. */
  serve(scope: RequestScope, request: IncomingMessage, response: ServerResponse): Promise<void>;
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
  onfailure,
}: {
  factory: McpServerFactory;
  /** The answer of `tools/list` depends only on the request, so it can be cached. */
  listsNeverChange: boolean;
  /** Called with errors of a client. */
  onerror(error: Error): void;
  /** Called with our own errors: the client gets a 500 without the reason. */
  onfailure(error: unknown): void;
}): McpDoor {
  // The SDK treats an error of the factory as the client's.
  const reported: McpServerFactory = async (asked) => {
    try {
      return await factory(asked);
    } catch (error) {
      onfailure(error);
      throw error;
    }
  };
  const mcp = createMcpHandler(reported, { maxRequestBodySize: MAX_BODY_BYTES, onerror });
  const replay = listReplay();
  const large = createSerialQueue();

  async function serve(scope: RequestScope, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST")
      return refuse(response, 405, "Only POST is answered here: the server keeps no sessions.", { allow: "POST" });
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    const first = await readBody(request, LARGE_BYTES);
    if (first === undefined) return; // the caller hung up
    if (Buffer.isBuffer(first)) return answer(first);
    // The rest waits in the sender's machine until the body before it is dealt with.
    await large("body", () => answerLarge(first), gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
    });

    async function answerLarge(begun: Begun): Promise<void> {
      const slow = setTimeout(() => request.destroy(), LARGE_READ_MS);
      const whole = await readBody(request, MAX_BODY_BYTES, begun);
      clearTimeout(slow);
      if (whole === undefined) return;
      if (!Buffer.isBuffer(whole)) return refuse(response, 413, TOO_LARGE, { connection: "close" });
      const hold = new Promise<void>((resolve) => setTimeout(resolve, LARGE_HOLD_MS).unref());
      await Promise.race([answer(whole).catch((error: unknown) => fail(response, error)), hold]);
    }

    async function answer(bytes: Buffer): Promise<void> {
      const shape = shapeOf(bytes);
      if (isTooMuch(shape)) return refuse(response, 413, TOO_MANY_PARTS, {});
      if (bytes.length > LARGE_BYTES && !LARGE_TOOLS.has(shape.tool ?? ""))
        return refuse(response, 413, TOO_LARGE_FOR_OTHERS, {});
      // Counting, parsing and checking a large body take tens of milliseconds each: others are answered in between.
      if (bytes.length > LARGE_BYTES) await nextTurn();
      await handle(scope, request, response, bytes.toString(), gone.signal);
    }
  }

  async function handle(
    scope: RequestScope,
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    gone: AbortSignal,
  ): Promise<void> {
    // A body that is not JSON is left to the SDK, which reports the error.
    const message = jsonOrUndefined(body);
    if (body.length > LARGE_BYTES) await nextTurn();
    const ask = (message: unknown) =>
      // The SDK hands `authInfo` through to the factory unread: the way to bring what this request may see.
      mcp.fetch(toWebRequest(request, message === undefined ? body : undefined, gone), {
        authInfo: { token: "", clientId: "caller", scopes: [], extra: { scope } },
        ...(message === undefined ? {} : { parsedBody: message }),
      });
    const mayBeKept = listsNeverChange && body.length <= LONGEST_LIST_REQUEST;
    const list = mayBeKept ? await replay(scope, request.headers, message, ask) : undefined;
    if (list) return void response.writeHead(200, list.headers).end(list.body);
    await write(response, await ask(message), gone);
  }

  function fail(response: ServerResponse, error: unknown): void {
    onfailure(error);
    if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
    response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal server error"}}');
  }

  return {
    async serve(scope, request, response) {
      try {
        await serve(scope, request, response);
      } catch (error) {
        fail(response, error);
      }
    },
    close: () => mcp.close(),
  };
}

/** The beginning of a body that is longer than the limit; the sender is paused. */
interface Begun {
  parts: Buffer[];
  bytes: number;
}

/** The whole body, or its beginning if it is longer than `most`; undefined if the caller disconnected. */
function readBody(
  request: IncomingMessage,
  most: number,
  { parts, bytes }: Begun = { parts: [], bytes: 0 },
): Promise<Buffer | Begun | undefined> {
  return new Promise((resolve) => {
    if (request.destroyed && !request.readableEnded) return resolve(undefined);
    const settle = (result: Buffer | Begun | undefined) => {
      request.off("data", take).off("end", end).off("close", leave);
      resolve(result);
    };
    const take = (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes <= most) return;
      request.pause();
      settle({ parts, bytes });
    };
    const end = () => settle(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    const leave = () => settle(undefined);
    request.on("data", take).once("end", end).once("close", leave);
    request.resume();
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
  // A quick answer is sent in one piece; for a slow one the headers are sent first, so that the client keeps waiting.
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
