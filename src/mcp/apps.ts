import type { Server, ServerContext } from "@modelcontextprotocol/server";

/** The MCP Apps extension: a client that has it may show a tool's answer by a view of ours. */
export const UI_EXTENSION = "io.modelcontextprotocol/ui";
export const APP_MIME_TYPE = "text/html;profile=mcp-app";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The source of the views. */
export interface Apps {
  /** The URI of the view for a tool, if there is one. */
  appFor(tool: string): string | undefined;
  readApp(uri: string): string | undefined;
  listApps(offered: {
    has(tool: string): boolean;
  }): { uri: string; name: string; title: string; description: string }[];
}

/**
 * Whether this client shows views. A 2026 request and a 2025 connection say so; a 2025 request over stateless HTTP cannot,
 * so it gets the views as well: a client that does not know them ignores them.
 */
export function showsApps(server: Server, ctx: ServerContext): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES] ?? server.getClientCapabilities();
  if (capabilities === undefined) return true;
  const { extensions } = capabilities as { extensions?: Record<string, { mimeTypes?: unknown }> };
  const types = extensions?.[UI_EXTENSION]?.mimeTypes;
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}

/** A view as a resource; it asks for no network and no permission, and hosts grant it none. */
export function appContents(uri: string, html: string) {
  return { contents: [{ uri, mimeType: APP_MIME_TYPE, text: html, _meta: { ui: { csp: {}, prefersBorder: true } } }] };
}
