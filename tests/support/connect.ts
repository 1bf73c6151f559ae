import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Services } from "../../src/app/services.js";
import { TOOLS } from "../../src/app/tools.js";
import type { Tool } from "../../src/catalog/define-tool.js";
import type { DoorName } from "../../src/catalog/doors.js";
import { PROFILE_NAMES, type ProfileName } from "../../src/catalog/profiles.js";
import { createCatalogServer } from "../../src/mcp/server.js";

export interface ConnectOptions {
  /** The services the tools under test need; a tool that reaches for another one fails loudly. */
  services: Partial<Services>;
  tools?: readonly Tool[];
  door?: DoorName;
  profiles?: readonly ProfileName[];
  readOnly?: boolean;
  readwiseKey?: string;
  /** Speak the 2026-07-28 protocol instead of the 2025 one. */
  modern?: boolean;
}

export interface Connected {
  client: Client;
  /** The structured answer, or `{ error }`. */
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (p: { progress: number }) => void; timeout?: number },
  ): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The real server as a function that answers requests, with no socket in between. */
export function requestHandler({
  services,
  tools = TOOLS,
  door = "all",
  profiles = PROFILE_NAMES,
  readOnly = false,
  readwiseKey,
}: ConnectOptions): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const missing = { readwise: { forKey: () => ({}) } };
  const server = createCatalogServer({
    tools,
    services: { ...missing, ...services } as Services,
    version: "0.0.0-test",
  });
  const scope = { door, enabled: { profiles: new Set(profiles), readOnly }, caller: { readwiseKey } };
  const handler = createMcpHandler(() => server.serve(scope), { maxRequestBodySize: 16 * 1024 * 1024 });
  return (url, init) => handler.fetch(new Request(url, init));
}

/** The official client talking to the real server. */
export async function connect({ modern = false, ...options }: ConnectOptions): Promise<Connected> {
  const client = new Client(
    { name: "test", version: "0" },
    modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
  );
  const fetch = requestHandler(options);
  await client.connect(new StreamableHTTPClientTransport(new URL("http://test/mcp"), { fetch }));
  return {
    client,
    async call(name, args = {}, options) {
      const result = await client.callTool({ name, arguments: args }, options);
      return result.structuredContent as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}
