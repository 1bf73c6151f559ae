// Also part of the early script, which must stay small: no imports.

export const PROTOCOL = "2026-07-28";
export const CLIENT = { name: "bookwheel-page", version: "1" };

interface EarlyRequest {
  wanted: string;
  /** Undefined if the request failed: the page then sends it again and shows the error. */
  answer: Promise<unknown>;
}
declare global {
  var bookwheelEarly: EarlyRequest[] | undefined;
}

/** Sends a request in the MCP client's format before the client is loaded. */
export function sendEarly(method: string, params: Record<string, unknown>, headers: Record<string, string>): void {
  globalThis.bookwheelEarly ??= [];
  globalThis.bookwheelEarly.push({
    wanted: JSON.stringify([method, params]),
    answer: request(method, params, headers).catch(() => undefined),
  });
}

async function request(method: string, params: Record<string, unknown>, headers: Record<string, string>) {
  const response = await fetch(new URL("./mcp", document.baseURI), {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": PROTOCOL,
      "mcp-method": method,
      ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: method,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": PROTOCOL,
          "io.modelcontextprotocol/clientInfo": CLIENT,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  return response.ok ? ((await response.json()) as { result?: unknown }).result : undefined;
}

/** The answer to a request that was sent early; each is returned once. */
export async function earlyAnswer(method: string, params: Record<string, unknown>): Promise<unknown> {
  const wanted = JSON.stringify([method, params]);
  const sent = globalThis.bookwheelEarly?.find((request) => request.wanted === wanted);
  if (!sent) return undefined;
  globalThis.bookwheelEarly = globalThis.bookwheelEarly?.filter((request) => request !== sent);
  return sent.answer;
}
